package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/finding"
)

// ghz is ghz's JSON: a latency in nanoseconds for each call, also for the ones
// that failed, and percentiles without those. What ran into --timeout has no
// bound.
var ghz = format{
	name:  "ghz",
	about: "ghz --format=json",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte(`"latencyDistribution"`)) && bytes.Contains(head, []byte(`"count"`))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		s := &samples{in: in}
		c := &claimed{in: in}
		run := ghzRun{slowest: dist.Inf}
		var failed, gaveUp uint64 // of those in the details
		var bad error
		j.object(func(key []byte) {
			switch {
			case string(key) == "slowest" && j.peek() != 'n':
				line := j.at()
				text := j.number()
				if _, up, ok := scaled(text, time.Nanosecond); ok && up > 0 {
					run.slowest = up
				}
				c.take(1, text, time.Nanosecond, line)
			case string(key) == "count" && j.peek() != 'n':
				run.calls = j.whole()
			case string(key) == "errorDistribution" && j.peek() == '{':
				j.object(func([]byte) { run.errors += j.whole() })
			case string(key) == "statusCodeDistribution" && j.peek() == '{':
				j.object(func(key []byte) {
					n := j.whole()
					if string(key) != "OK" {
						run.refused += n
					}
					if isGivenUp(key) {
						run.givenUp += n
					}
				})
			case string(key) == "options" && j.peek() == '{':
				j.object(func(key []byte) {
					if string(key) != "count-errors" {
						j.skip()
						return
					}
					run.countErrors = string(j.bare()) == "true"
				})
			case string(key) == "latencyDistribution" && j.peek() == '[':
				j.array(func(int) {
					var p, latency []byte
					line := j.at()
					j.object(func(key []byte) {
						switch string(key) {
						case "percentage":
							p = bytes.Clone(j.number())
						case "latency":
							latency = bytes.Clone(j.number())
						default:
							j.skip()
						}
					})
					if q, ok := percent(p); ok {
						c.take(q, latency, time.Nanosecond, line)
					}
				})
			case string(key) == "details" && j.peek() == '[':
				j.array(func(int) {
					line := j.at()
					var latency []byte
					cut := false
					j.object(func(key []byte) {
						switch {
						case string(key) == "latency":
							latency = bytes.Clone(j.number())
						case string(key) == "error" && j.peek() == '"':
							if len(j.str()) > 0 {
								failed++
							}
						case string(key) == "status" && j.peek() == '"':
							cut = isGivenUp(j.str())
						default:
							j.skip()
						}
					})
					down, up, ok := scaled(latency, time.Nanosecond)
					if !ok {
						bad = firstOf(bad, in.usagef(line, "a call without its latency"))
						return
					}
					if cut {
						gaveUp++
						s.giveUp(down, 1, line)
						return
					}
					s.add(down, up, line)
				})
			default:
				j.skip()
			}
		})
		if err := firstOf(bad, j.finish()); err != nil {
			return nil, err
		}
		var o *Observation
		var err error
		if missing := run.missing(s, failed); s.n > 0 {
			if o, err = s.observe("latency", "ns"); err == nil && missing > 0 {
				o.add("LP202", finding.Warning, 0, "the details lack "+count(int(missing), "call", "calls")+": only the slowest bounds them", "ghz writes at most a million details; a shorter run")
			}
		} else {
			gaveUp = run.givenUp
			c.among(run.calls-min(run.calls, run.untimed()), run.calls, run.countErrors)
			o, err = c.observe("latency", "ns", "ghz with its details")
		}
		if err != nil {
			return nil, err
		}
		o.failed(int(max(failed, run.failed())), "call failed", "calls failed")
		o.gaveUp(gaveUp)
		o.closedLoop()
		return o, nil
	},
}

// isGivenUp says that a call's status is that of one that ended before its
// answer came: the caller's timeout, or the end of the run.
func isGivenUp(status []byte) bool {
	return string(status) == "DeadlineExceeded" || string(status) == "Canceled"
}

// ghzRun is what ghz says of all calls. The slowest is that of those that
// succeeded, as the percentiles are unless errors count.
type ghzRun struct {
	calls, errors, refused, givenUp uint64
	slowest                         time.Duration
	countErrors                     bool
}

func (g ghzRun) failed() uint64 { return max(g.errors, g.refused) }

// untimed are the calls whose time the percentiles do not hold.
func (g ghzRun) untimed() uint64 {
	if g.countErrors {
		return g.givenUp
	}
	return g.failed()
}

// missing adds the calls that the details lack: nothing bounds those that
// failed, and the slowest bounds the others. It is their number.
func (g ghzRun) missing(s *samples, failed uint64) uint64 {
	if s.n == 0 {
		return 0
	}
	missing := g.calls - min(g.calls, uint64(s.n))
	longest := s.b.Dist().Max().Upper
	if missing == 0 && g.slowest != dist.Inf && g.slowest > longest {
		missing = 1
	}
	lost := min(missing, g.failed()-min(g.failed(), failed))
	s.b.AddRange(0, dist.Inf, lost)
	s.b.AddRange(0, max(g.slowest, longest), missing-lost)
	s.n += int(missing)
	return missing
}
