package input

import (
	"fmt"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// Value is what was said for one key, and where.
type Value struct {
	Texts  []string // one, or several paths
	Source string   // "--p999", "LOCKPLAN_P999", "lockplan.yaml:12", "profile inventory"
	File   string
	Line   int
	Preset bool // by a profile: assumed, not claimed
}

// Text is the only text of a value that has one.
func (v Value) Text() string { return v.Texts[len(v.Texts)-1] }

func (v Value) kind() calc.Kind {
	if v.Preset {
		return calc.Assumed
	}
	return calc.Claimed
}

// where is how errors name the place: "lockplan.yaml:12: pause" or "--pause".
func (v Value) where(key string) string {
	if v.File != "" {
		return fmt.Sprintf("%s:%d: %s", v.File, v.Line, key)
	}
	return v.Source
}

// Wrap puts the place of a value in front of an error about it.
func (v Value) Wrap(key string, err error) error {
	return &fault.Error{Class: fault.ClassOf(err), Msg: v.where(key) + ": " + err.Error(), Hint: fault.HintOf(err), Err: err}
}

// Set is the inputs of one service by key.
type Set map[string]Value

// claims are the keys that state a percentile of the hold.
var claims = []string{"p50", "p95", "p99", "p999", "p9999"}

// rivals are the keys that a key of a higher layer makes void: two ways to
// say the same thing.
var rivals = map[string][]string{
	"pause": {Pauses, "pauses-metric"}, Pauses: {"pause"}, "pauses-metric": {"pause"},
	"margin": {"rtt", RTTs, "rtts-metric", "jitter", "sched"}, "rtt": {"margin", RTTs, "rtts-metric"}, RTTs: {"margin", "rtt"}, "rtts-metric": {"margin", "rtt"},
	"p50": {Hold, "metric"}, "p95": {Hold, "metric"}, "p99": {Hold, "metric"}, "p999": {Hold, "metric"}, "p9999": {Hold, "metric"}, Hold: claims, "metric": claims,
	"deadline": {"queue-sla"}, "queue-sla": {"deadline"},
	"max-hold": {"max-hold-factor"}, "max-hold-factor": {"max-hold"},
}

// Stack merges layers, the first counting least. A key of a higher layer also
// voids the lower layers' rivals: --pause on the command line replaces pauses
// in the file.
func Stack(layers ...Set) Set {
	out := Set{}
	for _, layer := range layers {
		for key := range layer {
			for _, other := range rivals[key] {
				if _, same := layer[other]; !same {
					delete(out, other)
				}
			}
		}
		for key, value := range layer {
			out[key] = value
		}
	}
	return out
}
