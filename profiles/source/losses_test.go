package source

import (
	"testing"
	"time"
)

// A host of which every 9th probe is lost and every 14th answered after 1.2 s,
// asked by ping, fping and mtr. The counts and the longest are those of the
// tools' own last lines; a lost reply is longer than all that came.
func TestLossByEachTool(t *testing.T) {
	for _, c := range []struct {
		file, format string
		probes, lost uint64
		longest      time.Duration // of the replies, by the tool

	}{
		{"ping-loss.txt", "ping", 30, 4, 1_208_000_000},
		{"fping-loss.txt", "fping", 30, 3, 1_204_000_000},
		{"fping-loss-stdout.txt", "fping", 30, 3, 1_204_000_000},
		{"fping-count-loss.txt", "fping", 30, 6, 29_300_000},
		{"mtr-loss.csv", "mtr", 30, 3, 1_206_400_000},
		{"mtr-loss.txt", "mtr", 30, 4, 1_203_000_000},
	} {
		o := mustFile(t, c.file, Query{})
		if o.Format != c.format || o.Dist.Count() != c.probes || o.Lost != c.lost {
			t.Errorf("%s: %d probes, %d lost by %s, want %d and %d", c.file, o.Dist.Count(), o.Lost, o.Format, c.probes, c.lost)
		}
		if got := o.Dist.AtRank(c.probes - c.lost); got.Upper < c.longest || got.Upper > c.longest+time.Millisecond {
			t.Errorf("%s: the longest reply up to %v, want %v", c.file, got.Upper, c.longest)
		}
		if first := o.Dist.AtRank(c.probes - c.lost + 1); first.Upper < 2*time.Second {
			t.Errorf("%s: a lost reply counts as %v", c.file, first.Upper)
		}
		if _, ok := has(o, "LP208"); !ok {
			t.Errorf("%s: loss is not told: %v", c.file, o.Findings)
		}
	}
}

// Both outputs of one fping in one file are the same replies, once.
func TestFpingBothOutputs(t *testing.T) {
	const listed = "h : [0], 64 bytes, 1.69 ms (1.69 avg, 0% loss)\nh : [1], timed out (1.69 avg, 50% loss)\n"
	for content, want := range map[string][2]uint64{
		listed:                    {2, 1},
		listed + "\nh : 1.69 -\n": {2, 1},
		listed + "\nh : xmt/rcv/%loss = 2/1/50%, min/avg/max = 1.69/1.69/1.69\n": {2, 1},
		listed + "h : 1.69 -\n" + listed:                                         {4, 2},
	} {
		if o := mustText(t, content, Query{}); o.Dist.Count() != want[0] || o.Lost != want[1] {
			t.Errorf("%q: %d probes, %d lost, want %v", content, o.Dist.Count(), o.Lost, want)
		}
	}
}
