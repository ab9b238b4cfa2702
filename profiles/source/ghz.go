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
		g := &ghzReader{jsonReader: newJSON(in), calls: samples{in: in}, claims: claimed{in: in}, run: ghzRun{slowest: dist.Inf}}
		g.object(g.top)
		if err := firstOf(g.bad, g.finish()); err != nil {
			return nil, err
		}
		o, err := g.observe()
		if err != nil {
			return nil, err
		}
		o.failed(int(max(g.failed, g.run.failed())), "call failed", "calls failed")
		o.gaveUp(g.gaveUp)
		o.closedLoop()
		return o, nil
	},
}

// ghzReader collects the calls of the details, and what stands beside them.
type ghzReader struct {
	*jsonReader
	calls          samples
	claims         claimed
	run            ghzRun
	failed, gaveUp uint64 // of those in the details
	bad            error
}

func (g *ghzReader) top(key []byte) {
	switch {
	case string(key) == "slowest" && g.peek() != 'n':
		g.slowest()
	case string(key) == "count" && g.peek() != 'n':
		g.run.calls = g.whole()
	case string(key) == "errorDistribution" && g.peek() == '{':
		g.object(func([]byte) { g.run.errors += g.whole() })
	case string(key) == "statusCodeDistribution" && g.peek() == '{':
		g.object(g.status)
	case string(key) == "options" && g.peek() == '{':
		g.object(g.option)
	case string(key) == "latencyDistribution" && g.peek() == '[':
		g.array(func(int) { g.percentile() })
	case string(key) == "details" && g.peek() == '[':
		g.array(func(int) { g.call() })
	default:
		g.skip()
	}
}

func (g *ghzReader) slowest() {
	line := g.at()
	text := g.number()
	if _, up, ok := scaled(text, time.Nanosecond); ok && up > 0 {
		g.run.slowest = up
	}
	g.claims.take(1, text, time.Nanosecond, line)
}

func (g *ghzReader) status(code []byte) {
	n := g.whole()
	if string(code) != "OK" {
		g.run.refused += n
	}
	if isGivenUp(code) {
		g.run.givenUp += n
	}
}

func (g *ghzReader) option(key []byte) {
	if string(key) != "count-errors" {
		g.skip()
		return
	}
	g.run.countErrors = string(g.bare()) == "true"
}

func (g *ghzReader) percentile() {
	var p, latency []byte
	line := g.at()
	g.object(func(key []byte) {
		switch string(key) {
		case "percentage":
			p = bytes.Clone(g.number())
		case "latency":
			latency = bytes.Clone(g.number())
		default:
			g.skip()
		}
	})
	if q, ok := percent(p); ok {
		g.claims.take(q, latency, time.Nanosecond, line)
	}
}

// call takes one call of the details.
func (g *ghzReader) call() {
	line := g.at()
	var latency []byte
	cut := false
	g.object(func(key []byte) {
		switch {
		case string(key) == "latency":
			latency = bytes.Clone(g.number())
		case string(key) == "error" && g.peek() == '"':
			if len(g.str()) > 0 {
				g.failed++
			}
		case string(key) == "status" && g.peek() == '"':
			cut = isGivenUp(g.str())
		default:
			g.skip()
		}
	})
	down, up, ok := scaled(latency, time.Nanosecond)
	switch {
	case !ok:
		g.bad = firstOf(g.bad, g.in.usagef(line, "a call without its latency"))
	case cut:
		g.gaveUp++
		g.calls.giveUp(down, 1, line)
	default:
		g.calls.add(down, up, line)
	}
}

// observe takes the calls of the details, with those that they lack, or else
// the percentiles.
func (g *ghzReader) observe() (*Observation, error) {
	missing := g.run.missing(&g.calls, g.failed)
	if g.calls.n == 0 {
		g.gaveUp = g.run.givenUp
		g.claims.among(g.run.calls-min(g.run.calls, g.run.untimed()), g.run.calls, g.run.countErrors)
		return g.claims.observe("latency", "ns", "ghz with its details")
	}
	o, err := g.calls.observe("latency", "ns")
	if err == nil && missing > 0 {
		o.add("LP202", finding.Warning, 0, "the details lack "+count(int(missing), "call", "calls")+": only the slowest bounds them", "ghz writes at most a million details; a shorter run")
	}
	return o, err
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
