package source

import (
	"bytes"
	"time"
)

// nodeGC is node --trace-gc. Every collection blocks the event loop, and with
// it the timer that renews; what was done in steps before blocked it too.
var nodeGC = format{
	name:  "node-gc",
	about: "node --trace-gc",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte(" ms: Scavenge ")) || bytes.Contains(head, []byte(" ms: Mark-Compact ")) || bytes.Contains(head, []byte(" ms: Mark-sweep "))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		g := &gcLog{samples: samples{in: in}, cut: cutNodeGC, take: takeNodeGC}
		return g.read("trace-gc")
	},
}

// cutNodeGC finds the next "[pid:isolate]  13 ms: " of a collection; other
// traces of V8 begin alike.
func cutNodeGC(line []byte) (before []byte, at time.Duration, text []byte, ok bool) {
	for from := 0; ; from++ {
		begin := bytes.IndexByte(line[from:], '[')
		if begin < 0 {
			return line, 0, nil, false
		}
		from += begin
		id, rest, _ := bytes.Cut(line[from+1:], []byte("]"))
		ms, rest, ok := bytes.Cut(rest, []byte(" ms: "))
		at, _, isTime := scaled(bytes.TrimSpace(ms), time.Millisecond)
		if ok && isTime && isNodeID(id) && !bytes.HasPrefix(rest, []byte("[")) {
			return line[:from], at, rest, true
		}
	}
}

// isNodeID says that text is a process and the address of its isolate.
func isNodeID(text []byte) bool {
	pid, isolate, _ := bytes.Cut(text, []byte(":"))
	_, ok := whole(pid)
	return ok && len(bytes.Trim(isolate, "0123456789abcdefABCDEFx:")) == 0
}

// takeNodeGC reads "Mark-Compact 2.4 (3.2) -> 2.0 (4.2) MB, 1.67 / 0.00 ms ".
func takeNodeGC(g *gcLog, text []byte, line int) (bool, error) {
	head, rest, ok := bytes.Cut(text, []byte(" / "))
	at := bytes.LastIndex(head, []byte(" MB, "))
	if !ok || at < 0 {
		return false, nil
	}
	down, up, ok := printed(head[at+len(" MB, "):], time.Millisecond)
	if !ok {
		return false, nil
	}
	g.add(down, up, line)
	return addSteps(&g.samples, rest, line), nil
}

// addSteps takes "(+ 1.9 ms in 2 steps since start of marking, biggest step
// 1.3 ms": of the others is known that they were not longer. It is false for
// steps that cannot be read.
func addSteps(s *samples, text []byte, line int) bool {
	_, rest, ok := bytes.Cut(text, []byte("(+ "))
	if !ok {
		return true
	}
	_, rest, _ = bytes.Cut(rest, []byte(" ms in "))
	steps, rest, _ := bytes.Cut(rest, []byte(" steps"))
	_, rest, _ = bytes.Cut(rest, []byte("biggest step "))
	biggest, _, _ := bytes.Cut(rest, []byte(" ms"))
	n, isNumber := whole(steps)
	down, up, ok := printed(biggest, time.Millisecond)
	if !isNumber || !ok || n >= 1e6 {
		return false
	}
	if n > 0 {
		s.add(down, up, line)
		s.b.AddRange(0, up, n-1)
		s.n += int(n) - 1
	}
	return true
}
