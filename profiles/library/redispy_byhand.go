package library

import (
	"regexp"
	"strings"
	"time"
)

var (
	pySet   = regexp.MustCompile(`([\w.()]*)\.(set|setnx)\(`)
	pyHands = handCalls{
		expires:  regexp.MustCompile(`([\w.()]*)\.(p?expire)\(`),
		deletes:  regexp.MustCompile(`([\w.()]*)\.(?:delete|unlink|getdel)\(`),
		compares: regexp.MustCompile(`\.(?:eval|evalsha|eval_ro|evalsha_ro|fcall|register_script|watch|transaction|delex)\(`),
	}
)

// pySetArguments are those of redis-py's set, by place.
var pySetArguments = []string{"name", "value", "ex", "px", "nx"}

// byHand reads locks by hand: set(key, token, nx=True, px=30000), or setnx and
// an expire behind it. Beside a Lock of redis-py's own, what is not deleted is
// no lock: such a key marks what was done once.
func (p redisPy) byHand(s source, done map[int]bool, beside bool) ([]entry, error) {
	var out []entry
	calls := pyHands.of(s)
	timeout, _ := p.Sheet().Key("timeout")
	for _, at := range pySet.FindAllStringSubmatchIndex(s.names, -1) {
		args := map[string]string{}
		for i, arg := range s.arguments(at[1]) {
			if keyword.MatchString(arg) {
				name, value, _ := strings.Cut(arg, "=")
				args[strings.TrimSpace(name)] = strings.TrimSpace(value)
			} else if i < len(pySetArguments) {
				args[pySetArguments[i]] = arg
			}
		}
		nx, _ := s.evaluate(args["nx"], 0)
		if done[s.line(at[0])] || args["name"] == "" || s.names[at[4]:at[5]] == "set" && nx.word != "true" {
			continue
		}
		line, sure := calls.deletedBare(s.names[at[2]:at[3]], args["name"])
		if beside && !sure {
			continue
		}
		lease := handLease{text: args["px"], unit: time.Millisecond}
		if none, _ := s.evaluate(lease.text, 0); lease.text == "" || none.nothing {
			lease = handLease{text: args["ex"], unit: time.Second}
		}
		if lease.text == "" {
			lease.text = args["pxat"] + args["exat"] // a moment is no constant
		}
		found, err := calls.entries(p, timeout, lease, args["name"], at[1], line)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
