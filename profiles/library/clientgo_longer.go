package library

import (
	"maps"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// longer are settings at the retry period as it is that tolerate so many
// failures and survive such an outage: the renew deadline binds, and the lease
// has to outlast a leader that stops at it (LP643). They are read back before
// they are said.
func (c clientGo) longer(run *Running) func(int, time.Duration) string {
	return func(failures int, outage time.Duration) string {
		retry := run.Dur("retryPeriod")
		tries := max(time.Duration(failures), (outage+retry-1)/retry)
		if tries >= longest/retry {
			return ""
		}
		renew := max(run.Dur("renewDeadline"), (tries+1)*retry, 2*time.Second) // a call takes a second or half of it
		stops := saturate(saturate(renew, retry), saturate(run.Setup.StopTime.Value, run.In.Pause.Value))
		if stops > longest {
			return ""
		}
		said := [][2]string{
			{"leaseDuration", GoText.Format(max(c.Granted(run.Dur("leaseDuration")), stops.Truncate(time.Second)+time.Second))},
			{"renewDeadline", GoText.Format(renew)},
		}
		call, half := run.Dur("clientTimeout"), max(time.Second, renew/2)
		if run.Given("clientTimeout") && (call == 0 || call > half || call < run.In.RTT.Value) {
			said = append(said, [2]string{"clientTimeout", GoText.Format(half)})
		}
		trial := Running{Library: c, Values: maps.Clone(run.Values), In: run.In, Setup: run.Setup, Effective: map[string]string{}}
		if trial.Values == nil {
			trial.Values = Values{}
		}
		var words []string
		for _, s := range said {
			trial.Values[s[0]] = Value{Text: s[1]}
			words = append(words, s[0]+"="+s[1])
		}
		c.Read(&trial)
		worst, any := finding.Worst(trial.Findings)
		if trial.err != nil || any && worst >= finding.Error || trial.Survives.Outage == nil ||
			*trial.Survives.Outage < outage || *trial.Survives.Failures < failures {
			return ""
		}
		return strings.Join(words, ", ")
	}
}
