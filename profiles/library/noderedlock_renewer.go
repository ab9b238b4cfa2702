package library

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

var (
	jsAcquire = regexp.MustCompile(`\.(acquire|using)(?:<[^()]*>)?\(`)
	jsExtend  = regexp.MustCompile(`([\w.]*)\.extend\(`)
)

// renewer reads who renews: using() does, acquire() does not. What extends by
// hand may give the lease another length, which then is none that can be told.
func (n nodeRedlock) renewer(s source, done map[int]bool) ([]entry, error) {
	using, _ := n.Sheet().Key("using")
	duration, _ := n.Sheet().Key("duration")
	var out []entry
	var leases []string
	for _, at := range jsAcquire.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		if done[s.line(at[0])] || len(args) < 2 {
			continue
		}
		text := "true"
		if s.names[at[2]:at[3]] == "acquire" {
			text = "false"
		}
		out = append(out, s.constant(using, text, at[2]))
		if c, ok := s.evaluate(args[1], 0); ok {
			lease, _ := c.spell(duration, s.language, 0)
			leases = append(leases, lease)
		}
	}
	for _, at := range jsExtend.FindAllStringSubmatchIndex(s.names, -1) {
		args := s.arguments(at[1])
		if len(out) == 0 || len(args) == 0 || len(args) > 3 {
			continue
		}
		arg := args[min(1, len(args)-1)] // lock.extend(ms), redlock.extend(lock, ms)
		c, ok := s.evaluate(arg, 0)
		text, spelled := c.spell(duration, s.language, 0)
		switch {
		case ok && spelled && c.number != nil && !slices.Contains(leases, text):
			return nil, fault.Usagef("%s:%d: extend() gives a lease of %s ms, and the file takes the lock for %s ms", s.file, s.line(at[0]), text, strings.Join(leases, " or ")).
				Hintf("--set duration=MS, once with each")
		case !(ok && spelled) && strings.Contains(strings.ToLower(s.names[at[2]:at[3]]), "lock"):
			return nil, s.unread(duration, at[0], arg)
		}
	}
	return out, nil
}
