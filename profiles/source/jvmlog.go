package source

import (
	"bytes"
	"fmt"
	"math"
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
		j := &jvmReader{lines: newLines(in), total: samples{in: in}, gc: samples{in: in}, stalls: samples{in: in}}
		return j.run()
	},
}

// jvmReader keeps apart what stops all threads (safepoints), what the
// collector says of its pauses, which leaves out reaching and leaving the
// safepoint, and stalls, which stop the thread that allocates.
type jvmReader struct {
	*lines
	total, gc, stalls samples

	first, last uptime
	before      pause // the last Pause line
	held        bool
	concurrent  bool // ZGC or Shenandoah: their Pause lines are not the stops
	oldStyle    int  // a line of JDK 8's log without stopped times
}

// pause is a Pause line that is held back until it is known not to be inside
// the next one.
type pause struct {
	down, up time.Duration
	at       uptime
	line     int
}

// uptime is a moment of the log's own clock.
type uptime struct {
	at    time.Duration
	known bool
}

func (j *jvmReader) run() (*Observation, error) {
	for {
		line, ok := j.next()
		if !ok {
			break
		}
		if err := j.line(line); err != nil {
			return nil, err
		}
	}
	if j.err != nil {
		return nil, j.err
	}
	j.release()
	return j.observe()
}

func (j *jvmReader) line(line []byte) error {
	message := line
	for len(message) > 0 && message[0] == '[' {
		end := bytes.IndexByte(message, ']')
		if end < 0 {
			break
		}
		message = message[end+1:]
	}
	if len(message) > 0 && message[0] == ' ' {
		message = message[1:]
	}
	switch {
	case bytes.HasPrefix(message, []byte("Safepoint \"")):
		return j.safepoint(line, message)
	case bytes.HasPrefix(message, []byte("GC(")):
		_, message, _ = bytes.Cut(message, []byte(") "))
		return j.collector(line, message)
	case bytes.HasPrefix(message, []byte("Allocation Stall (")), bytes.HasPrefix(message, []byte("Relocation Stall (")):
		return j.stall(line, message)
	case bytes.HasPrefix(message, []byte("Using ")):
		j.concurrent = j.concurrent || bytes.Contains(message, []byte("Z Garbage")) || bytes.Contains(message, []byte("Shenandoah"))
	case bytes.Contains(message, []byte("threads were stopped: ")):
		return j.stopped(line, message)
	case j.oldStyle == 0 && (bytes.Contains(line, []byte("[GC ")) || bytes.Contains(line, []byte("[Full GC "))):
		j.oldStyle = j.n
	}
	return nil
}

// safepoint takes the Total of a safepoint by its name: the fields around it
// differ between versions.
func (j *jvmReader) safepoint(line, message []byte) error {
	_, rest, ok := bytes.Cut(message, []byte(", Total: "))
	digits, _, ended := bytes.Cut(rest, []byte(" ns"))
	down, up, isNumber := scaled(digits, 1)
	if !ok || !ended || !isNumber {
		if j.cutOff() {
			return nil
		}
		return j.in.usagef(j.n, "a safepoint without its total: %s", show(message))
	}
	j.mark(line)
	j.total.add(down, up, j.n)
	return nil
}

// stopped takes a line of JDK 6 to 12; it may stand inside another one.
func (j *jvmReader) stopped(line, message []byte) error {
	_, rest, _ := bytes.Cut(message, []byte("threads were stopped: "))
	digits, _, ended := bytes.Cut(rest, []byte(" seconds"))
	down, up, ok := printed(point(digits), time.Second)
	if !ended || !ok {
		if j.cutOff() {
			return nil
		}
		return j.in.usagef(j.n, "a stopped time that is no number: %s", show(rest))
	}
	j.mark(line)
	j.total.add(down, up, j.n)
	return nil
}

// collector takes a Pause line; where safepoints are logged too it only tells
// what the collector is.
func (j *jvmReader) collector(line, message []byte) error {
	if len(message) > 3 && message[1] == ':' && message[2] == ' ' {
		j.concurrent = true // "Y: Pause Mark Start": generational ZGC
		message = message[3:]
	}
	switch {
	case bytes.HasPrefix(message, []byte("Pause ")):
	case bytes.HasPrefix(message, []byte("Allocation Stall (")), bytes.HasPrefix(message, []byte("Relocation Stall (")):
		return j.stall(line, message)
	default:
		j.concurrent = j.concurrent || bytes.HasPrefix(message, []byte("Garbage Collection (")) || bytes.HasPrefix(message, []byte("Concurrent reset"))
		return nil
	}
	digits, ok := bytes.CutSuffix(message, []byte("ms"))
	if !ok {
		return nil // the start of a pause
	}
	digits = digits[bytes.LastIndexByte(digits, ' ')+1:]
	down, up, ok := printed(point(digits), time.Millisecond)
	if !ok {
		return nil
	}
	j.hold(pause{down, up, j.mark(line), j.n})
	return nil
}

// hold keeps one Pause back: a Pause Full inside a Pause Young is printed
// first, and is part of the one that ends after it.
func (j *jvmReader) hold(p pause) {
	const tick = time.Millisecond // of the uptime
	inside := j.held && p.at.known && j.before.at.known && p.up > j.before.up &&
		j.before.at.at-j.before.up >= p.at.at-p.up-tick
	if !inside {
		j.release()
	}
	j.before, j.held = p, true
}

func (j *jvmReader) release() {
	if j.held {
		j.gc.add(j.before.down, j.before.up, j.before.line)
	}
	j.held = false
}

// stall takes the time that one thread waited for memory.
func (j *jvmReader) stall(line, message []byte) error {
	digits, ok := bytes.CutSuffix(message, []byte("ms"))
	if !ok {
		return nil
	}
	digits = digits[bytes.LastIndexByte(digits, ' ')+1:]
	down, up, ok := printed(point(digits), time.Millisecond)
	if !ok {
		return j.in.usagef(j.n, "a stall that is no number: %s", show(message))
	}
	j.mark(line)
	j.stalls.add(down, up, j.n)
	return nil
}

// cutOff says whether this line is the last one and has no end: a log that
// was copied while it grew.
func (j *jvmReader) cutOff() bool { return j.eof && j.start == j.end }

// mark notes the moment of a line that counts.
func (j *jvmReader) mark(line []byte) uptime {
	at := uptimeOf(line)
	if at.known {
		if !j.first.known {
			j.first = at
		}
		j.last = at
	}
	return at
}

// uptimeOf reads the decoration that is an uptime ([0.024s], [24ms], [24123ns])
// or, before JDK 9, the number that begins the line or follows the date.
func uptimeOf(line []byte) uptime {
	for len(line) > 2 && line[0] == '[' {
		end := bytes.IndexByte(line, ']')
		if end < 0 {
			return uptime{}
		}
		text := line[1:end]
		line = line[end+1:]
		number := bytes.TrimRight(text, "smn")
		if unit, ok := units[string(text[len(number):])]; ok {
			if down, _, ok := scaled(point(number), unit); ok {
				return uptime{down, true}
			}
		}
	}
	for range 2 {
		text, rest, ok := bytes.Cut(line, []byte(": "))
		if !ok {
			break
		}
		if down, _, ok := scaled(point(text), time.Second); ok {
			return uptime{down, true}
		}
		line = rest
	}
	return uptime{}
}

// point turns the decimal comma of a locale into a point.
func point(number []byte) []byte {
	if at := bytes.IndexByte(number, ','); at >= 0 {
		return bytes.Join([][]byte{number[:at], number[at+1:]}, []byte("."))
	}
	return number
}

const askSafepoints = "-Xlog:gc*,safepoint:file=gc.log:time,uptime,level,tags"

func (j *jvmReader) observe() (*Observation, error) {
	name := show(j.in.name)
	chosen := &j.total
	metric := "safepoints"
	switch {
	case j.total.n > 0:
	case j.concurrent:
		return nil, fault.NoDataf("%s: the log level leaves out the stops: what this collector calls a pause is a small part of them", name).Hintf(askSafepoints)
	case j.gc.n > 0:
		chosen, metric = &j.gc, "Pause lines"
	case j.oldStyle > 0:
		return nil, fault.NoDataf("%s:%d: the log has no stopped times", name, j.oldStyle).Hintf("-XX:+PrintGCApplicationStoppedTime -XX:+PrintGCTimeStamps")
	default:
		return nil, fault.NoDataf("%s: the log has no stops", name).Hintf(askSafepoints)
	}
	o, err := chosen.observe(metric, "")
	if err != nil {
		return nil, err
	}
	o.Measures = Pause
	if j.stalls.n > 0 {
		stalls := j.stalls.b.Dist()
		o.Metric += " and stalls"
		o.Dist = dist.Merge(o.Dist, stalls)
		o.add("LP208", finding.Info, j.stalls.line,
			fmt.Sprintf("%s of up to %s: the thread that renews may be the one, so they count as stops", count(j.stalls.n, "stall", "stalls"), dur.Format(stalls.Max().Upper)), "a larger heap")
		mean := o.Dist.Mean().Upper
		o.Mean = &mean
	}
	if metric == "Pause lines" {
		o.add("LP208", finding.Warning, o.Line, "the stops are assumed to be the Pause lines, which leave out reaching and leaving the safepoint", askSafepoints)
	}
	if window := j.last.at - j.first.at; j.first.known && window > 0 && window < math.MaxInt64 {
		o.Window = &window
	}
	return o, nil
}
