package source

import (
	"bytes"
	"math"
	"time"
)

// mtrTimeout is how long mtr keeps a probe before it counts as lost.
const mtrTimeout = 10 * time.Second

// mtr is a report of mtr, as CSV (-C) or text (-r). Only the last hop is the
// target; loss on the way is how routers treat probes.
var mtr = format{
	name:  "mtr",
	about: "mtr -C or mtr -r",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("Mtr_Version,")) || bytes.Contains(head, []byte("Loss%   Snt"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		var last mtrHop
		csv := false
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			var cells [][]byte
			switch {
			case bytes.HasPrefix(line, []byte("Mtr_Version,")):
				csv = true
				continue
			case csv:
				if cells, ok = cutCells(line, ',', nil, allCells); !ok || len(cells) < 14 {
					continue
				}
				last = mtrHop{cells[6], cells[7], cells[11], cells[12], l.n}
			case bytes.Contains(line, []byte(".|-- ")):
				if cells = bytes.Fields(line); len(cells) < 9 {
					continue
				}
				last = mtrHop{cells[2], cells[3], cells[6], cells[7], l.n}
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		return last.observe(in)
	},
}

// mtrHop is one row: share lost in percent, probes sent, shortest, longest.
type mtrHop struct {
	loss, sent, best, worst []byte
	line                    int
}

func (h mtrHop) observe(in *input) (*Observation, error) {
	s := &samples{in: in}
	if h.line == 0 {
		return s.roundTrips("mtr", "ms", mtrTimeout)
	}
	loss, ok1 := number(bytes.TrimSuffix(h.loss, []byte("%")))
	sent, ok2 := whole(h.sent)
	var least, most [2]time.Duration
	var ok3, ok4 bool
	least[0], least[1], ok3 = printed(h.best, time.Millisecond)
	most[0], most[1], ok4 = printed(h.worst, time.Millisecond)
	if !ok1 || !ok2 || !ok3 || !ok4 || !(loss >= 0 && loss <= 100) {
		return nil, in.usagef(h.line, "a hop that cannot be read")
	}
	s.lost = uint64(math.Ceil(loss / 100 * float64(sent)))
	if err := s.spread(sent-min(s.lost, sent), least, most, h.line); err != nil {
		return nil, err
	}
	return s.roundTrips("mtr", "ms", mtrTimeout)
}
