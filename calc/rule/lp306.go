package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// LP306 is contention.
var LP306 = Rule{
	ID: "LP306", Name: "contention", Severity: finding.Warning,
	Condition: "lambda * E[H] > 0.8 is a warning, >= 1 an error; lambda * (E[H] + W) > 0.8 a warning where W is given; holds are cut at the maximum hold; of claimed percentiles the error counts the least mean they allow, the warning an interpolated one; acquire P99 > 500 ms, or more than 1 % of callers that give up, is a warning",
	Why: "One key serves one holder at a time. Near full use the queue grows much faster than the load, and at 1 it " +
		"never ends: no wait is long enough. While callers wait, each hold takes the time as well in which the next one " +
		"does not know that the lock is free.",
	Fix:     "finer keys, as user + SKU instead of SKU, a shorter hold, or a limit upstream",
	Example: Example{Args: []string{"ttl", "--hold", "hold.prom", "--since-start", "--rate", "120/s", "--pause", "0s", "--allow-thin-data"}, Files: map[string]string{"hold.prom": "# TYPE hold_seconds histogram\nhold_seconds_bucket{le=\"0.1\"} 990\nhold_seconds_bucket{le=\"0.12\"} 1000\nhold_seconds_bucket{le=\"+Inf\"} 1000\nhold_seconds_sum 9\nhold_seconds_count 1000\n"}},
	Needs: []Need{{"the arrival rate and the hold (--rate, and --hold or a percentile), or the acquire wait at P99", func(c *Case) bool {
		return c.In.AcquireRate > 0 && c.In.HoldMean.Finite() || c.AcquireP99.Finite()
	}}},
	Check: func(r Rule, c *Case) []finding.Finding {
		var found []finding.Finding
		mean, each, about := c.In.HoldMean.Value, "", ""
		if c.In.HoldMeanGuess.Finite() {
			each, about = "at least ", "about "
		}
		// goal is where the queue is short; of claims the guess says it.
		goal := max(mean, c.In.HoldMeanGuess.Value)
		used, guessed := c.In.AcquireRate*mean.Seconds(), c.In.AcquireRate*goal.Seconds()
		shorter := "a mean hold below " + dur.Format(time.Duration(0.8/c.In.AcquireRate*float64(time.Second)))
		switch {
		case !c.In.HoldMean.Finite():
		case used >= 1:
			f := r.says(fmt.Sprintf("%.4g acquisitions a second of %s%s each keep one key busy for %.4g s in every second: the queue never ends", c.In.AcquireRate, each, dur.Format(mean), used),
				fmt.Sprintf("at least %.0f keys instead of one, or %s", math.Ceil(guessed/0.8), shorter))
			f.Severity = finding.Error
			found = append(found, f)
		case guessed >= 1:
			found = append(found, r.says(fmt.Sprintf("%.4g acquisitions a second of about %s each, by the claimed percentiles, would keep one key busy for %.4g s in every second", c.In.AcquireRate, dur.Format(goal.Round(time.Microsecond)), guessed),
				fmt.Sprintf("about %.0f keys instead of one, or %s; --hold FILE tells the mean", math.Ceil(guessed/0.8), shorter)))
		case guessed > 0.8:
			found = append(found, r.says(fmt.Sprintf("one key is in use for %s%.1f %% of the time (%.4g acquisitions a second of %s%s each)", about, percentUp(guessed), c.In.AcquireRate, about, dur.Format(goal)),
				"finer keys, or "+shorter))
		default:
			found = append(found, r.handovers(c, goal, about)...)
		}
		const slow = 500 * time.Millisecond
		switch p99 := c.AcquireP99; {
		case !p99.Finite():
		case c.AcquireGaveUp > 0.01:
			found = append(found, r.found(p99, slow, fmt.Sprintf("%.1f %% of acquisitions give up after waiting %s", percentUp(c.AcquireGaveUp), dur.Format(p99.Value)), "finer keys, a longer wait, or a limit upstream"))
		case p99.Value > slow:
			found = append(found, r.found(p99, slow, "one acquisition in a hundred waits "+dur.Format(p99.Value)+" or more", "finer keys, or a limit upstream"))
		}
		return found
	},
}

// handovers is of keys that are taken for longer than they are held: while
// callers wait, the next one knows W after a release that the lock is free. A
// W that nobody stated is the margin, an upper bound that would cry wolf here.
func (r Rule) handovers(c *Case, hold time.Duration, about string) []finding.Finding {
	delay := c.In.Detect
	taken := c.In.AcquireRate * (hold.Seconds() + delay.Value.Seconds())
	if taken <= 0.8 || delay.Kind == calc.Computed {
		return nil
	}
	worth := fmt.Sprintf("for %s%.1f %% of the time", about, percentUp(taken))
	if taken >= 1 {
		worth = fmt.Sprintf("for %s%.4g s in every second, and its queue does not end unless callers give up", about, taken)
	}
	return []finding.Finding{r.says(
		fmt.Sprintf("while callers wait, each hold takes up to %s more (--detect) until the next one knows that the lock is free: %.4g acquisitions a second take one key %s",
			dur.Format(delay.Value), c.In.AcquireRate, worth),
		"--detect with the poll interval or the push latency where it is shorter, finer keys, or a limit upstream")}
}

// percentUp is a share in percent with one digit, rounded up.
func percentUp(share float64) float64 { return math.Ceil(share*1000-1e-6) / 10 }
