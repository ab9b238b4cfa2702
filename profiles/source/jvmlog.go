package source

import (
	"bytes"
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
	held        []pause // Pause lines since the last safepoint
	concurrent  bool    // ZGC or Shenandoah: their Pause lines are not the stops
	oldStyle    int     // a line of JDK 8's log without stopped times
	dropped     uint64  // messages that the log itself says it left out
	droppedLine int
	noStop      int // the last line that is something else, cut off or not
	cut         int // the last line, when it has no end
}

// pause is a Pause line that is held back until it is known not to be inside
// the next one, or inside a safepoint.
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
		before := j.taken()
		if err := j.line(line); err != nil {
			return nil, err
		}
		if j.cutOff() && before == j.taken() && j.noStop != j.n {
			j.cut = j.n
		}
	}
	if j.err != nil {
		return nil, j.err
	}
	j.settle(0, uptime{})
	return j.observe()
}

// taken is how many lines told of a stop.
func (j *jvmReader) taken() int { return j.total.n + j.stalls.n + j.gc.n + len(j.held) }

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
	if known, err := j.message(line, message); known || err != nil {
		return err
	}
	if at := messageIn(message); at > 0 {
		message = message[at:]
		_, err := j.message(decorated(line, len(line)-len(message)), message)
		return err
	}
	switch {
	case bytes.HasPrefix(message, []byte("Using ")):
		j.concurrent = j.concurrent || bytes.Contains(message, []byte("Z Garbage")) || bytes.Contains(message, []byte("Shenandoah"))
	case bytes.Contains(message, []byte("threads were stopped: ")):
		return j.stopped(line, message)
	case bytes.Contains(message, []byte("messages dropped due to async")):
		n, _, _ := leadingNumber(bytes.TrimSpace(message))
		j.dropped += uint64(max(1, n))
		j.droppedLine = j.n
	case j.oldStyle == 0 && (bytes.Contains(line, []byte("[GC ")) || bytes.Contains(line, []byte("[Full GC "))):
		j.oldStyle = j.n
	}
	return nil
}

// message takes a line of unified logging; known is false when it is none that
// tells of a stop.
func (j *jvmReader) message(line, message []byte) (known bool, err error) {
	switch {
	case bytes.HasPrefix(message, []byte("Safepoint \"")), bytes.HasPrefix(message, []byte("Safepoint \\\"")):
		return true, j.safepoint(line, message)
	case bytes.HasPrefix(message, []byte("GC(")):
		_, message, _ = bytes.Cut(message, []byte(") "))
		return true, j.collector(line, message)
	case isStall(message):
		return true, j.stall(line, message)
	}
	return false, nil
}

func isStall(message []byte) bool {
	return bytes.HasPrefix(message, []byte("Allocation Stall (")) || bytes.HasPrefix(message, []byte("Relocation Stall ("))
}

// messageIn is where a message begins in a line that something else stands in
// front of (kubectl logs --timestamps, journald, the JSON of a container), 0
// when there is none.
func messageIn(line []byte) int {
	for _, mark := range []string{"Safepoint \"", "Safepoint \\\"", "GC(", "Allocation Stall (", "Relocation Stall ("} {
		if at := bytes.Index(line, []byte(mark)); at > 0 && (line[at-1] == ' ' || line[at-1] == ']') {
			return at
		}
	}
	return 0
}

// decorated is the part of a line that begins with the decorations in front of
// the message at a place.
func decorated(line []byte, message int) []byte {
	start := message
	if line[start-1] == ' ' {
		start--
	}
	for start > 0 && line[start-1] == ']' {
		open := bytes.LastIndexByte(line[:start], '[')
		if open < 0 {
			break
		}
		start = open
	}
	return line[start:]
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
	j.stop(down, up, j.mark(line))
	return nil
}

// stopped takes a line of JDK 6 to 12; it may stand inside another one, or
// several in a line.
func (j *jvmReader) stopped(line, message []byte) error {
	at := j.mark(line)
	for {
		_, rest, found := bytes.Cut(message, []byte("threads were stopped: "))
		if !found {
			return nil
		}
		digits, after, ended := bytes.Cut(rest, []byte(" seconds"))
		down, up, ok := printed(point(digits), time.Second)
		if !ended || !ok {
			if j.cutOff() {
				j.cut = j.n
				return nil
			}
			return j.in.usagef(j.n, "a stopped time that is no number: %s", show(rest))
		}
		j.stop(down, up, at)
		message = after
	}
}

// stop takes the whole of a stop, which the Pause lines before it are part of.
func (j *jvmReader) stop(down, up time.Duration, at uptime) {
	j.settle(up, at)
	j.total.add(down, up, j.n)
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
		j.concurrent = j.concurrent || isConcurrent(message[len("Pause "):])
	case isStall(message):
		return j.stall(line, message)
	default:
		if len(message) > len("Relocation Stall (") {
			j.noStop = j.n
		}
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

// isConcurrent knows the pauses of ZGC (first line) and Shenandoah.
func isConcurrent(pause []byte) bool {
	for _, name := range []string{"Mark Start", "Mark End", "Relocate Start",
		"Init Mark", "Final Mark", "Init Update", "Final Update", "Final Roots", "Degenerated GC"} {
		if bytes.HasPrefix(pause, []byte(name)) {
			return true
		}
	}
	return false
}

// hold keeps a Pause back until its safepoint comes. A Pause Full inside a
// Pause Young is printed first, and is part of the one that ends after it.
func (j *jvmReader) hold(p pause) {
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
func (j *jvmReader) cutOff() bool {
	return j.eof && j.start == j.end && j.end > 0 && j.buf[j.end-1] != '\n'
}

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
	apart := j.total.n > 0 && j.gc.n > 0
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
	if apart {
		o.addPauses(j)
	}
	if j.dropped > 0 {
		o.add("LP202", finding.Warning, j.droppedLine, fmt.Sprintf("the JVM dropped %d messages of this log: stops may be missing", j.dropped), "a larger -XX:AsyncLogBufferSize, or no -Xlog:async")
	}
	if j.cut > 0 {
		o.add("LP202", finding.Warning, j.cut, "the log ends inside a line: a stop may be missing", "copy it again, when the JVM has ended")
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
	if window := j.last.at - j.first.at; j.first.known && window > 0 && window < math.MaxInt64 {
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
	if !j.concurrent || pauses.Max().Upper > o.Dist.Max().Upper {
		o.Metric += " and Pause lines"
		o.Dist = dist.Merge(o.Dist, pauses)
		o.meanOfDist()
		taken = "they count as stops, without reaching and leaving the safepoint"
	}
	o.add("LP208", finding.Warning, j.gc.line,
		fmt.Sprintf("%s of up to %s in no safepoint of this log: %s", count(j.gc.n, "Pause line", "Pause lines"), dur.Format(pauses.Max().Upper), taken), askSafepoints)
}

func (o *Observation) meanOfDist() {
	mean := o.Dist.Mean().Upper
	o.Mean = &mean
}
