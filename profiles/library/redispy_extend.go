package library

import (
	"regexp"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
)

// noPace is why a lock that the application extends counts as not renewed.
const noPace = "nothing says how far apart the renewals are"

// extended is what the application's extend() makes of the lease: its holder has
// the shortest that any leaves, and whoever waits the longest.
func (p *redisPy) extended(run *Running, ttl, every calc.Bound) {
	by, adds := run.Bound("extend_by"), !run.Bool("extend_replaces_ttl")
	paced := every.Known && every.Value > 0
	if by.Known && by.Value < time.Millisecond {
		run.fail(run.Values["extend_by"], "extend_by", fault.Usagef("%s extends nothing", f(by.Value)))
		return
	}
	if by.Known && !paced {
		run.NoRenewer = noPace
	}
	switch {
	case !by.Known && !(paced && adds):
	case !adds:
		longest := max(ttl.Value, by.Value)
		if by.Value < ttl.Value {
			run.Setup.TTL, run.Lease.TTL = by, by.Value
		}
		p.grown, p.growth = longest-run.Lease.TTL, "extend_by, where that is longer"
	case by.Known && paced && by.Value < every.Value:
		run.Lease, run.Setup.Renew = calc.Lease{TTL: ttl.Value}, calc.Bound{}
		run.NoRenewer = "extend(" + Decimal.Format(by.Value) + ") every " + f(every.Value) + " adds less than has gone by"
	default:
		if !by.Known {
			by = ttl
		}
		more := by.Value - every.Value
		p.grown, p.growth = grown(run, more, every.Value), "what each extend() adds"
		lp566(run, more, p.grown)
	}
}

// grown is what extends that each leave so much more make of it in the longest
// hold; dur.Max has no bound.
func grown(run *Running, more, every time.Duration) time.Duration {
	switch {
	case more <= 0:
		return 0
	case !run.MaxHold.Known || every <= 0 || run.MaxHold.Value/every > dur.Max/more:
		return dur.Max
	}
	return run.MaxHold.Value / every * more
}

var (
	pyExtend    = regexp.MustCompile(`([\w.]+)\.extend\(`)
	pyReacquire = regexp.MustCompile(`\.reacquire\(`)
	lockName    = regexp.MustCompile(`(?i)(^|[^b])lock$`)
)

// extends are the calls of a lock's extend(): how much each is given, and
// whether that is added. Calls that say the same are one.
func (p redisPy) extends(s source, done map[int]bool) ([]entry, error) {
	extendBy, _ := p.Sheet().Key("extend_by")
	replaces, _ := p.Sheet().Key("extend_replaces_ttl")
	var out []entry
	for _, at := range pyExtend.FindAllStringSubmatchIndex(s.names, -1) {
		name := s.names[at[2]:at[3]]
		if name = name[strings.LastIndexByte(name, '.')+1:]; done[s.line(at[0])] || !s.isLock(name) {
			continue
		}
		args := map[string]string{}
		for i, arg := range s.arguments(at[1]) {
			if keyword.MatchString(arg) {
				key, value, _ := strings.Cut(arg, "=")
				args[strings.TrimSpace(key)] = strings.TrimSpace(value)
			} else if i < 2 {
				args[[]string{"additional_time", "replace_ttl"}[i]] = arg
			}
		}
		c, ok := s.evaluate(args["additional_time"], 0)
		text, spelled := c.spell(extendBy, s.language, 0)
		if !ok || !spelled {
			return nil, s.unread(extendBy, at[0], args["additional_time"])
		}
		replaced := "false"
		if c, ok := s.evaluate(args["replace_ttl"], 0); args["replace_ttl"] != "" && ok && c.word == "true" {
			replaced = "true"
		}
		pair := []entry{s.constant(extendBy, text, at[0]), s.constant(replaces, replaced, at[0])}
		if !saidIn(pair[0], out) || !saidIn(pair[1], out) {
			out = append(out, pair...)
		}
	}
	return out, nil
}

// isLock reports whether a name is that of a lock, or the file makes one of it.
func (s source) isLock(name string) bool {
	made := regexp.MustCompile(`\b` + name + `\s*(?::[^=\n]+)?=\s*[^\n]*(?:\.lock|\bLock)\(|(?:\.lock|\bLock)\([^\n]*\)\s*as\s+` + name + `\b`)
	return lockName.MatchString(name) || made.MatchString(s.names)
}

// unpaced are the rules about renewals of a file that renews at a pace which it
// does not say.
func (redisPy) unpaced(s source, values Values) map[string]string {
	_, extends := values["extend_by"]
	if _, paced := values["reacquire_every"]; paced || !extends && !pyReacquire.MatchString(s.names) {
		return nil
	}
	return map[string]string{"reacquire_every": rule.LP106.ID + " " + rule.LP106.Name + ": needs reacquire_every (the file renews at a pace that is not read; --set reacquire_every=SECONDS)"}
}
