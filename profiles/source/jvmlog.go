package source

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// jvmLog is the log of a JVM's collector and safepoints: unified logging (JDK
// 9 and later), and the stopped times of JDK 6 to 12.
var jvmLog = format{
	name:  "jvm",
	about: "JVM GC and safepoint log: -Xlog:gc*,safepoint, or -XX:+PrintGCApplicationStoppedTime",
	sniff: func(head []byte) bool {
		for _, mark := range []string{"][gc", "][safepoint", "[gc]", "[gc ", "threads were stopped: ", "Safepoint \"", ": [GC", ": [Full GC", "GC(0) "} {
			if bytes.Contains(head, []byte(mark)) {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		j := &jvmReader{in: in, total: samples{in: in}, gc: samples{in: in}, stalls: samples{in: in}}
		if _, err := split(newLines(in), func() *jvmLines { return &jvmLines{whole: j} }); err != nil {
			return nil, err
		}
		j.settle(0, uptime{})
		return j.observe()
	},
}

// jvmReader keeps apart what stops all threads (safepoints), what the
// collector says of its pauses, which leaves out reaching and leaving the
// safepoint, and stalls, which stop the thread that allocates.
type jvmReader struct {
	in                *input
	total, gc, stalls samples
	held              []stop // Pause lines since the last safepoint
	told              jvmTold
}

// stop is what one line tells of a stop.
type stop struct {
	kind     stopKind
	down, up time.Duration
	at       uptime
	line     int
}

type stopKind int

const (
	safepoint stopKind = iota
	// pause is held back until it is known not to be inside the next one, or
	// inside a safepoint.
	pause
	stall
)

// jvmTold is what lines tell beside stops.
type jvmTold struct {
	first, last uptime
	concurrent  bool   // ZGC or Shenandoah: their Pause lines are not the stops
	oldStyle    int    // a line of JDK 8's log without stopped times
	dropped     uint64 // messages that the log itself says it left out
	droppedLine int
	cut         int // the last line, when it has no end
}

// add takes what the lines behind tell.
func (t *jvmTold) add(more jvmTold) {
	if !t.first.known {
		t.first = more.first
	}
	if more.last.known {
		t.last = more.last
	}
	t.concurrent = t.concurrent || more.concurrent
	t.oldStyle = cmp.Or(t.oldStyle, more.oldStyle)
	t.dropped += more.dropped
	t.droppedLine = cmp.Or(more.droppedLine, t.droppedLine)
	t.cut = cmp.Or(more.cut, t.cut)
}

// uptime is a moment of the log's own clock.
type uptime struct {
	at    time.Duration
	known bool
}

// take counts what a line tells; lines come in their order.
func (j *jvmReader) take(s stop) {
	switch s.kind {
	case safepoint: // the whole of a stop, which the Pause lines before it are part of
		j.settle(s.up, s.at)
		j.total.add(s.down, s.up, s.line)
	case pause:
		j.hold(s)
	case stall:
		j.stalls.add(s.down, s.up, s.line)
	}
}

// hold keeps a Pause back until its safepoint comes. A Pause Full inside a
// Pause Young is printed first, and is part of the one that ends after it.
func (j *jvmReader) hold(p stop) {
	const tick = time.Millisecond // of the uptime
	const most = 8                // that one safepoint can hold
	if n := len(j.held); n > 0 {
		before := j.held[n-1]
		if p.at.known && before.at.known && p.up > before.up &&
			before.at.at <= p.at.at+tick && before.at.at-before.up >= p.at.at-p.up-tick {
			j.held = j.held[:n-1]
		} else if n == most {
			j.gc.add(j.held[0].down, j.held[0].up, j.held[0].line)
			j.held = append(j.held[:0], j.held[1:]...)
		}
	}
	j.held = append(j.held, p)
}

// settle counts the Pause lines that do not lie within the stop that ended
// now: the log, or this part of it, has no safepoints for them.
func (j *jvmReader) settle(stop time.Duration, now uptime) {
	const late = 100 * time.Millisecond // a line may be written that much after its stop
	left := stop
	for _, p := range slices.Backward(j.held) {
		apart := now.known && p.at.known && (p.at.at > now.at+late || now.at-stop > p.at.at+late)
		switch {
		case apart || p.down > left:
			j.gc.add(p.down, p.up, p.line)
		case p.at.known: // else it may be inside the one after it
			left -= p.down
		}
	}
	j.held = j.held[:0]
}

const askSafepoints = "-Xlog:gc*,safepoint:file=gc.log:time,uptime,level,tags"

func (j *jvmReader) observe() (*Observation, error) {
	name := show(j.in.name)
	chosen := &j.total
	metric := "safepoints"
	apart := j.total.n > 0 && j.gc.n > 0
	switch {
	case j.total.n > 0:
	case j.told.concurrent:
		return nil, fault.NoDataf("%s: the log level leaves out the stops: what this collector calls a pause is a small part of them", name).Hintf(askSafepoints)
	case j.gc.n > 0:
		chosen, metric = &j.gc, "Pause lines"
	case j.told.oldStyle > 0:
		return nil, fault.NoDataf("%s:%d: the log has no stopped times", name, j.told.oldStyle).Hintf("-XX:+PrintGCApplicationStoppedTime -XX:+PrintGCTimeStamps")
	default:
		return nil, fault.NoDataf("%s: the log has no stops", name).Hintf(askSafepoints)
	}
	o, err := chosen.observe(metric, "")
	if err != nil {
		return nil, err
	}
	o.Measures = Pause
	if apart {
		o.addPauses(j)
	}
	if j.told.dropped > 0 {
		o.add("LP202", finding.Warning, j.told.droppedLine, fmt.Sprintf("the JVM dropped %d messages of this log: stops may be missing", j.told.dropped), "a larger -XX:AsyncLogBufferSize, or no -Xlog:async")
	}
	if j.told.cut > 0 {
		o.add("LP202", finding.Warning, j.told.cut, "the log ends inside a line: a stop may be missing", "copy it again, when the JVM has ended")
	}
	if j.stalls.n > 0 {
		stalls := j.stalls.b.Dist()
		o.Metric += " and stalls"
		o.Dist = dist.Merge(o.Dist, stalls)
		o.add("LP208", finding.Info, j.stalls.line,
			fmt.Sprintf("%s of up to %s: the thread that renews may be the one, so they count as stops", count(j.stalls.n, "stall", "stalls"), dur.Format(stalls.Max().Upper)), "a larger heap")
		o.meanOfDist()
	}
	if metric == "Pause lines" {
		o.add("LP208", finding.Warning, o.Line, "the stops are assumed to be the Pause lines, which leave out reaching and leaving the safepoint", askSafepoints)
	}
	if window := j.told.last.at - j.told.first.at; j.told.first.known && window > 0 && window < math.MaxInt64 {
		o.Window = &window
	}
	return o, nil
}

// addPauses takes Pause lines that lie in no safepoint: two logs of different
// levels in one file. Those of ZGC and Shenandoah are a small part of the stop
// and would only pull it down, unless they are longer than all safepoints.
func (o *Observation) addPauses(j *jvmReader) {
	pauses := j.gc.b.Dist()
	taken := "their safepoints are missing"
	if !j.told.concurrent || pauses.Max().Upper > o.Dist.Max().Upper {
		o.Metric += " and Pause lines"
		o.Dist = dist.Merge(o.Dist, pauses)
		o.meanOfDist()
		taken = "they count as stops, without reaching and leaving the safepoint"
	}
	o.add("LP208", finding.Warning, j.gc.line,
		fmt.Sprintf("%s of up to %s in no safepoint of this log: %s", count(j.gc.n, "Pause line", "Pause lines"), dur.Format(pauses.Max().Upper), taken), askSafepoints)
}

// meanOfDist takes the mean of values that are all known.
func (o *Observation) meanOfDist() {
	o.Mean = nil
	if mean := o.Dist.Mean(); mean.Upper-mean.Lower <= 1 {
		o.Mean = &mean.Upper
	}
}
