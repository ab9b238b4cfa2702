package source

import (
	"bytes"
	"time"
)

// gctrace is what GODEBUG=gctrace=1 prints on stderr, among a program's own
// lines. The first and the last of the three clock times stop the world; the
// one between them runs beside the program.
var gctrace = format{
	name:  "gctrace",
	about: "Go's GODEBUG=gctrace=1",
	sniff: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, _, text, ok := cutGCTrace(line); ok && bytes.Contains(text, []byte(" ms clock")) {
				return true
			}
		}
		return false
	},
	read: func(in *input, q *Query) (*Observation, error) {
		g := &gcLog{samples: samples{in: in}, cut: cutGCTrace, take: takeGCTrace}
		return g.read("gctrace")
	},
}

// cutGCTrace finds the next "gc 7 @0.058s 0%: ".
func cutGCTrace(line []byte) (before []byte, at time.Duration, text []byte, ok bool) {
	for from := 0; ; from += len("gc ") {
		begin := bytes.Index(line[from:], []byte("gc "))
		if begin < 0 {
			return line, 0, nil, false
		}
		from += begin
		cycle, rest, ok1 := bytes.Cut(line[from+len("gc "):], []byte(" @"))
		seconds, rest, ok2 := bytes.Cut(rest, []byte("s "))
		share, rest, ok3 := bytes.Cut(rest, []byte("%: "))
		_, isCycle := whole(cycle)
		_, isShare := whole(share)
		at, _, isTime := scaled(seconds, time.Second)
		if ok1 && ok2 && ok3 && isCycle && isShare && isTime {
			return line[:from], at, rest, true
		}
	}
}

// takeGCTrace reads "a+b+c ms clock, ".
func takeGCTrace(g *gcLog, text []byte, line int) (bool, error) {
	clock, _, ok := bytes.Cut(text, []byte(" ms clock"))
	if !ok || len(bytes.Trim(clock, "0123456789.+e-")) > 0 {
		return false, nil
	}
	phases := bytes.Split(clock, []byte("+"))
	if len(phases) != 3 {
		return false, g.in.usagef(line, "a trace line without three phases: %s", show(clock))
	}
	for _, i := range []int{0, 2} {
		down, up, ok := printed(phases[i], time.Millisecond)
		if !ok {
			return false, g.in.usagef(line, "a phase that is no number: %s", show(phases[i]))
		}
		g.add(down, up, line)
	}
	return true, nil
}
