package source

import (
	"bytes"
	"time"
)

// jvmLines takes the lines of some blocks of a log apart. What a stop means
// depends on those before it, so they are passed on in order.
type jvmLines struct {
	*lines
	whole  *jvmReader
	stops  []stop
	told   jvmTold
	noStop int // the last line that is something else, cut off or not
	others unread
}

func (j *jvmLines) read(block *lines) error {
	j.lines, j.noStop = block, 0
	for {
		line, ok := j.next()
		if !ok {
			return j.err
		}
		before := len(j.stops)
		if err := j.line(line); err != nil {
			return err
		}
		if j.cutOff() && before == len(j.stops) && j.noStop != j.n {
			j.told.cut = j.n
		}
	}
}

func (j *jvmLines) pass() {
	for _, s := range j.stops {
		j.whole.take(s)
	}
	j.whole.told.add(j.told)
	j.whole.in.unread.join(j.others)
	j.stops, j.told, j.others = j.stops[:0], jvmTold{}, unread{}
}

// tell notes a stop.
func (j *jvmLines) tell(kind stopKind, down, up time.Duration, at uptime) {
	j.stops = append(j.stops, stop{kind, down, up, at, j.n})
}

func (j *jvmLines) line(line []byte) error {
	message := line
	if end := bytes.Index(line, []byte("] ")); end > 0 && line[0] == '[' { // mostly all decorations at once
		message = line[end+1:]
	}
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
	front, own := line[:len(line)-len(message)], false
	for decorations := line; ; {
		known, rest, err := j.message(decorations, message)
		if err != nil {
			return err
		}
		if known {
			message = rest // where a line break is missing
		}
		own = own || known
		at := messageIn(message)
		if at < 0 {
			if !own && !isTagged(front) {
				j.others.add(line, j.n)
			}
			return j.other(line, message, own)
		}
		own = true
		decorations, message = decorated(message, at), message[at:]
	}
}

// isTagged says that decorations are those of the collector or of safepoints.
func isTagged(decorations []byte) bool {
	return bytes.Contains(decorations, []byte("[gc")) || bytes.Contains(decorations, []byte("[safepoint"))
}

// other takes what is no message of unified logging that tells of a stop, or
// what follows the last one of a line; own says that the line
// has a message of unified logging. A letter that is rare in a log is
// looked for before the words that hold it.
func (j *jvmLines) other(line, message []byte, own bool) error {
	switch {
	case bytes.HasPrefix(message, []byte("Using ")):
		j.told.concurrent = j.told.concurrent || bytes.Contains(message, []byte("Z Garbage")) || bytes.Contains(message, []byte("Shenandoah"))
	case bytes.IndexByte(message, 'w') >= 0 && bytes.Contains(message, []byte("threads were stopped: ")):
		return j.stopped(line, message)
	case bytes.IndexByte(message, 'y') >= 0 && bytes.Contains(message, []byte("messages dropped due to async")):
		n, _, _ := leadingNumber(bytes.TrimSpace(message))
		j.told.dropped += uint64(max(1, n))
		j.told.droppedLine = j.n
	case !own && j.told.oldStyle == 0 && (bytes.Contains(line, []byte("[GC ")) || bytes.Contains(line, []byte("[Full GC "))):
		j.told.oldStyle = j.n
	}
	return nil
}

// message takes a message of unified logging, and gives what stands behind it;
// known is false when it is none that may tell of a stop.
func (j *jvmLines) message(decorations, message []byte) (known bool, rest []byte, err error) {
	switch {
	case bytes.HasPrefix(message, []byte("Safepoint \"")), bytes.HasPrefix(message, []byte("Safepoint \\\"")):
		rest, err = j.safepoint(decorations, message)
	case bytes.HasPrefix(message, []byte("GC(")):
		message = message[len("GC("):]
		if end := bytes.IndexByte(message, ')'); end >= 0 && end+1 < len(message) && message[end+1] == ' ' {
			message = message[end+2:]
		}
		rest, err = j.collector(decorations, message)
	case isStall(message):
		rest, err = j.stall(decorations, message)
	default:
		return false, nil, nil
	}
	return true, rest, err
}

func isStall(message []byte) bool {
	return bytes.HasPrefix(message, []byte("Allocation Stall (")) || bytes.HasPrefix(message, []byte("Relocation Stall ("))
}

// messageIn is where the first message begins in a line that something else
// stands in front of (kubectl logs --timestamps, journald, the JSON of a
// container, output without a line break), -1 when there is none.
func messageIn(line []byte) int {
	first := messageAt(line, '(', "GC", "Allocation Stall ", "Relocation Stall ")
	if quoted := messageAt(line, '"', "Safepoint ", `Safepoint \`); first < 0 || quoted >= 0 && quoted < first {
		return quoted
	}
	return first
}

// messageAt is where the first message begins whose words end in front of a
// sign: to look for the sign is much quicker than for each of the words.
func messageAt(line []byte, sign byte, words ...string) int {
	for from := 0; ; {
		at := bytes.IndexByte(line[from:], sign)
		if at < 0 {
			return -1
		}
		at += from
		from = at + 1
		for _, word := range words {
			start := at - len(word)
			if start < 0 || string(line[start:at]) != word || word == "GC" && start > 0 && isLetter(line[start-1]) { // runGC(5)
				continue
			}
			return start
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// decorated is the part of a line that begins with the decorations in front of
// the message at a place.
func decorated(line []byte, message int) []byte {
	start := message
	if start > 0 && line[start-1] == ' ' {
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
func (j *jvmLines) safepoint(decorations, message []byte) (rest []byte, err error) {
	_, rest, ok := bytes.Cut(message, []byte(", Total: "))
	digits, rest, ended := bytes.Cut(rest, []byte(" ns"))
	down, up, isNumber := scaled(digits, 1)
	if !ok || !ended || !isNumber {
		if j.cutOff() {
			j.told.cut = j.n
			return nil, nil
		}
		return nil, j.in.usagef(j.n, "a safepoint without its total: %s", show(message))
	}
	j.tell(safepoint, down, up, j.mark(decorations))
	return rest, nil
}

// stopped takes a line of JDK 6 to 12; it may stand inside another one, or
// several in a line.
func (j *jvmLines) stopped(line, message []byte) error {
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
				j.told.cut = j.n
				return nil
			}
			return j.in.usagef(j.n, "a stopped time that is no number: %s", show(rest))
		}
		j.tell(safepoint, down, up, at)
		message = after
	}
}

// collector takes a Pause line; where safepoints are logged too it only tells
// what the collector is.
func (j *jvmLines) collector(decorations, message []byte) (rest []byte, err error) {
	if len(message) > 3 && message[1] == ':' && message[2] == ' ' {
		j.told.concurrent = true // "Y: Pause Mark Start": generational ZGC
		message = message[3:]
	}
	switch {
	case bytes.HasPrefix(message, []byte("Pause ")):
		j.told.concurrent = j.told.concurrent || isConcurrent(message[len("Pause "):])
	case isStall(message):
		return j.stall(decorations, message)
	default:
		if len(message) > len("Relocation Stall (") {
			j.noStop = j.n
		}
		j.told.concurrent = j.told.concurrent || bytes.HasPrefix(message, []byte("Garbage Collection (")) || bytes.HasPrefix(message, []byte("Concurrent reset"))
		return message, nil
	}
	down, up, rest, ok := timeBehind(message, " ")
	if !ok {
		return message, nil // the start of a pause
	}
	j.tell(pause, down, up, j.mark(decorations))
	return rest, nil
}

// timeBehind finds the first time, such as 1.234ms, that stands behind a mark.
func timeBehind(message []byte, mark string) (down, up time.Duration, rest []byte, ok bool) {
	for from := 0; ; {
		at := bytes.Index(message[from:], []byte("ms"))
		if at < 0 {
			return 0, 0, nil, false
		}
		end := from + at
		start := end
		for start > from && (message[start-1] >= '0' && message[start-1] <= '9' || message[start-1] == '.' || message[start-1] == ',') {
			start--
		}
		from = end + len("ms")
		if start < end && bytes.HasSuffix(message[:start], []byte(mark)) {
			if down, up, ok = printed(point(message[start:end]), time.Millisecond); ok {
				return down, up, message[from:], true
			}
		}
	}
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

// stall takes the time that one thread waited for memory. The thread's name
// stands in brackets and may hold anything: the longest time up to the next
// message is the safe one.
func (j *jvmLines) stall(decorations, message []byte) (rest []byte, err error) {
	own := message
	if at := messageIn(message[1:]); at >= 0 {
		own = message[:1+at]
	}
	down, up, _, ok := timeBehind(own, ") ")
	if !ok {
		if j.cutOff() {
			j.told.cut = j.n
			return nil, nil
		}
		return nil, j.in.usagef(j.n, "a stall without its time: %s", show(message))
	}
	for more := own; ok; {
		var d, u time.Duration
		if d, u, more, ok = timeBehind(more, ") "); ok && u > up {
			down, up = d, u
		}
	}
	j.tell(stall, down, up, j.mark(decorations))
	return message[len(own):], nil
}

// cutOff says whether this line is the last one and has no end: a log that
// was copied while it grew.
func (j *jvmLines) cutOff() bool {
	return j.eof && j.start == j.end && j.end > 0 && j.buf[j.end-1] != '\n'
}

// mark notes the moment of a line that counts.
func (j *jvmLines) mark(line []byte) uptime {
	at := uptimeOf(line)
	if at.known {
		if !j.told.first.known {
			j.told.first = at
		}
		j.told.last = at
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
