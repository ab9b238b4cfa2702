package rule

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP303 is retries-exceed-layer.
var LP303 = Rule{
	ID: "LP303", Name: "retries-exceed-layer", Severity: finding.Error,
	Condition: "(retries + 1) * timeout + retries * interval >= the layer around it or D - B - R - C, or > A (A2)",
	Why: "A client retries on its own, and its worst case is a multiple of the timeout that is written down: 200 ms with " +
		"3 retries 200 ms apart is 1400 ms, not 200 and not 800, and more where the client's timers are late. The layer around it " +
		"has given up long before.",
	Fix:     "fewer or shorter retries, or a longer layer around them",
	Example: Example{Args: []string{"check", "--library", "redisson@3.47", "--set", "timeout=200", "--set", "retryAttempts=3", "--set", "retryInterval=200", "--deadline", "1s"}},
	Needs: []Need{{"the worst case of a call (--call-worst, or chain: in lockplan.yaml)", func(c *Case) bool {
		return c.Setup.Command.Known || len(c.Setup.Layers) > 0 || c.Planned && c.In.RTT.Known
	}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		said := "" // of the one call
		exceeds := func(worst calc.Bound, what, around string, limit calc.Bound) finding.Finding {
			return r.found(worst, limit.Value,
				fmt.Sprintf("%s takes up to %s with its retries%s, %s allows %s", what, dur.Format(worst.Value), said, around, dur.Format(limit.Value)),
				fmt.Sprintf("fewer or shorter retries, below %s together, or %s above %s", dur.Format(limit.Value), around, dur.Format(worst.Value)))
		}
		var found []finding.Finding
		for _, layer := range c.Setup.Layers {
			if layer.Worst.Known && layer.Timeout.Known && layer.Worst.Value >= layer.Timeout.Value {
				found = append(found, exceeds(layer.Worst, "what "+layer.Name+" calls", layer.Name, layer.Timeout))
			}
		}
		command := c.Setup.Command
		if wait, rtt := c.Acquire.Wait, c.In.RTT; c.Planned && c.Acquire.Known && wait > 0 && rtt.Known && rtt.Value > wait {
			return append(found, r.found(calc.Compute(wait, "the plan"), rtt.Value,
				"one call takes a round trip of "+dur.Format(rtt.Value)+", the acquire wait allows "+dur.Format(wait)+": nobody ever hears that he got the lock",
				"a --deadline or --queue-sla longer by at least "+dur.Format(up(rtt.Value-wait))))
		}
		if !command.Known {
			return found
		}
		if by := c.Setup.Configured; by.Known && by.Value < command.Value {
			said = " and late timers (" + dur.Format(by.Value) + " by its settings)"
		}
		// The command stands inside all of these; the innermost that it breaks
		// says it for the others.
		try, call := command, "one call"
		if c.Setup.Try.Known {
			try, call = c.Setup.Try, "one call for the lock"
		}
		if wait, limits := c.waitLimit(); limits && try.Value > wait.Value {
			if c.Setup.Try.Known {
				said = ""
			}
			return append(found, exceeds(try, call, "the acquire wait", wait))
		}
		if c.In.Deadline.Known {
			left, _ := c.budget()
			if command.Value >= left {
				return append(found, exceeds(command, "one call", "the time left of the deadline", calc.Compute(max(0, left), "")))
			}
		}
		for i := len(c.Setup.Layers) - 1; i >= 0; i-- {
			if layer := c.Setup.Layers[i]; layer.Timeout.Known && command.Value >= layer.Timeout.Value {
				return append(found, exceeds(command, "one call", layer.Name, layer.Timeout))
			}
		}
		return found
	},
}
