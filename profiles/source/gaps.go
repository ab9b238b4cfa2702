package source

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// gap is the longest time that a series of a metric was not scraped.
type gap struct {
	series, line  int
	longest, step int64
}

// noteGap notes a time without scrapes that may hide a restart; resets are the
// times at which one showed.
func (t *tracks) noteGap(f *family, times, resets []int64, line int) {
	longest, shortest := int64(0), int64(math.MaxInt64)
	for i := 1; i < len(times); i++ {
		shortest = min(shortest, times[i]-times[i-1])
		if times[i]-times[i-1] > longest && !slices.Contains(resets, times[i]) {
			longest = times[i] - times[i-1]
		}
	}
	if longest/2 <= shortest { // as nearly always: no need to sort
		return
	}
	usual := step(times)
	if longest <= 2*usual {
		return
	}
	g := t.gaps[f]
	if g == nil {
		if t.gaps == nil {
			t.gaps = make(map[*family]*gap)
		}
		g = &gap{line: line}
		t.gaps[f] = g
	}
	g.series++
	if longest > g.longest {
		g.longest, g.step = longest, usual
	}
}

// tellGaps is LP207: a restart between two scrapes may not show in the counts.
func (t *tracks) tellGaps(o *Observation) {
	for f, g := range t.gaps {
		if f.name == o.Metric && g.longest > 0 {
			o.add("LP207", finding.Warning, g.line,
				fmt.Sprintf("%s of %s not scraped for up to %s, where %s is usual: a restart in between may not show, and what came before it is lost",
					count(g.series, "series", "series"), show(f.name), dur.Format(millis(g.longest)), dur.Format(millis(g.step))),
				"a range without the gap")
		}
	}
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// step is the usual distance between scrapes: the median, which gaps do not
// stretch. It is 0 for a single one.
func step(times []int64) int64 {
	if len(times) < 2 {
		return 0
	}
	steps := make([]int64, len(times)-1)
	for i := range steps {
		steps[i] = times[i+1] - times[i]
	}
	slices.Sort(steps)
	return steps[(len(steps)-1)/2]
}
