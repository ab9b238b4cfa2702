package library

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/finding"
)

// spread are durations for what is not known: from below any timeout to above
// any.
var spread = []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second,
	5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// unknown are the keys whose value stands elsewhere, sorted.
func (r *Running) unknown() []string {
	var keys []string
	for key, v := range r.Values {
		if v.Unknown != "" {
			keys = append(keys, key)
		}
	}
	return slices.Sorted(slices.Values(keys))
}

// judgeUnknown answers where some values are not known: what comes out
// whatever they are. It judges the configuration with each of them over the
// whole range of what it may be; a consequence or a finding that changes
// depends on it and is left out.
func judgeUnknown(run *Running, keys []string) (Verdict, error) {
	var all []Verdict
	var matter []string
	var failed error
	for _, key := range keys {
		seen := ""
		for _, text := range run.candidates(key) {
			trial := *run
			trial.Values = maps.Clone(run.Values)
			for _, other := range keys {
				trial.Values[other] = Value{Text: run.likely(other), File: run.Values[other].File, Line: run.Values[other].Line}
			}
			v := trial.Values[key]
			v.Text = text
			trial.Values[key] = v
			got, err := judgeKnown(&trial)
			if err != nil {
				failed = cmp.Or(failed, err)
				continue
			}
			all = append(all, got)
			if now := got.signature(); seen == "" {
				seen = now
			} else if now != seen && !slices.Contains(matter, key) {
				matter = append(matter, key)
			}
		}
	}
	if len(all) == 0 {
		return Verdict{}, failed
	}
	v := common(all)
	v.Run.Values = run.Values
	for _, key := range keys {
		line := key + ": " + place(run.Values[key]) + run.Values[key].Unknown
		v.NotChecked = append(v.NotChecked, line)
		if slices.Contains(matter, key) {
			v.Unknown = append(v.Unknown, line)
		}
	}
	for _, id := range varying(all) {
		v.NotChecked = append(v.NotChecked, id+": needs "+strings.Join(matter, ", "))
	}
	return v, nil
}

// likely is what a key may be while another is tried.
func (r *Running) likely(key string) string {
	k, _ := r.Library.Sheet().Key(key)
	if k.Default != "" {
		return k.Default
	}
	all := r.candidates(key)
	return all[len(all)/2]
}

// candidates are values over the whole range of a key, in its spelling.
func (r *Running) candidates(key string) []string {
	k, _ := r.Library.Sheet().Key(key)
	var out []string
	switch {
	case k.Unit.IsTime():
		for _, d := range spread {
			out = append(out, k.Unit.Up(d))
		}
	case k.Unit == Count:
		out = []string{"0", "1", "2", "3", "10", "100"}
	case k.Unit == Factor:
		out = []string{"0.001", "0.01", "0.1", "0.5"}
	case k.Unit == Switch:
		out = []string{"true", "false"}
	case strings.Contains(k.Range, "delay strategy"):
		for _, d := range spread[1:14] {
			out = append(out, fmt.Sprintf("!<org.redisson.config.EqualJitterDelay> {baseDelay: %[1]s, maxDelay: %[1]s}", ISOText.Format(d)))
		}
	default:
		out = strings.FieldsFunc(k.Range, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
	}
	if k.Default != "" && !slices.Contains(out, k.Default) {
		out = append(out, k.Default)
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return slices.Compact(out)
}

// signature is everything that a verdict says.
func (v Verdict) signature() string {
	var out strings.Builder
	for _, d := range v.Consequences.durations() {
		if *d == nil {
			out.WriteString("-")
		} else {
			fmt.Fprintf(&out, " %d", **d)
		}
	}
	if v.Consequences.Failures != nil {
		fmt.Fprintf(&out, " %d", *v.Consequences.Failures)
	}
	for _, f := range v.Findings {
		fmt.Fprint(&out, " ", f.ID, f.Message)
	}
	return out.String()
}

func (c *Consequences) durations() []**time.Duration {
	return []**time.Duration{&c.TTL, &c.Interval, &c.Call, &c.CallWorst, &c.Outage, &c.Pause, &c.Hold, &c.FreeMin, &c.FreeMax, &c.LossKnown,
		&c.TakeoverWorst, &c.TakeoverClean, &c.SkewSurvived, &c.AcquireWorst}
}

// common is what all verdicts say: their findings, and the consequences of
// those that make a lease at all.
func common(all []Verdict) Verdict {
	v := all[max(0, slices.IndexFunc(all, func(v Verdict) bool { return v.Run.HasLease }))]
	leased, alike := v.Run.HasLease, true
	v.Findings, v.NotChecked = slices.Clone(v.Findings), slices.Clone(v.NotChecked)
	for _, other := range all {
		v.Findings = slices.DeleteFunc(v.Findings, func(f finding.Finding) bool { return !says(f, other) })
		if leased && !other.Run.HasLease {
			continue
		}
		for _, line := range other.NotChecked {
			if !slices.Contains(v.NotChecked, line) {
				v.NotChecked = append(v.NotChecked, line)
			}
		}
		theirs := other.Consequences.durations()
		for i, d := range v.Consequences.durations() {
			if *d != nil && (*theirs[i] == nil || **d != **theirs[i]) {
				*d = nil
			}
		}
		if n, m := v.Consequences.Failures, other.Consequences.Failures; n != nil && (m == nil || *n != *m) {
			v.Consequences.Failures = nil
		}
		maps.DeleteFunc(v.Run.Effective, func(key, text string) bool { return other.Run.Effective[key] != text })
		if v.Run.Lease != other.Run.Lease {
			alike = false
		}
	}
	v.Run.HasLease = leased && alike
	return v
}

func says(f finding.Finding, v Verdict) bool {
	return slices.ContainsFunc(v.Findings, func(g finding.Finding) bool {
		return g.ID == f.ID && g.Message == f.Message && g.Severity == f.Severity && g.Line == f.Line
	})
}

// varying are the rules that some of the verdicts find violated and others
// not, or by other numbers.
func varying(all []Verdict) []string {
	var ids []string
	for _, v := range all {
		for _, f := range v.Findings {
			if !slices.Contains(ids, f.ID) && slices.ContainsFunc(all, func(other Verdict) bool { return !says(f, other) }) {
				ids = append(ids, f.ID)
			}
		}
	}
	return slices.Sorted(slices.Values(ids))
}
