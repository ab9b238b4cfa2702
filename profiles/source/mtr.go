package source

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"time"
)

// mtrTimeout is how long mtr keeps a probe before it counts as lost.
const mtrTimeout = 10 * time.Second

// mtr is a report of mtr, as CSV (-C) or text (-r), or several of them. Only
// the last hop is the target; loss on the way is how routers treat probes.
var mtr = format{
	name:  "mtr",
	about: "mtr -C or mtr -r",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("Mtr_Version,")) || bytes.Contains(head, []byte("HOST:")) && bytes.Contains(head, []byte("Loss%"))
	},
	read: func(in *input, q *Query) (*Observation, error) {
		r := mtrReader{samples: samples{in: in}}
		if err := firstOf(in.each(r.take), r.finish()); err != nil {
			return nil, err
		}
		return r.roundTrips("mtr", "ms", mtrTimeout)
	},
}

type mtrReader struct {
	samples
	csv     bool
	columns []string
	hop     mtrHop // the last of the report
}

// mtrHop is one row: its number, the target's name in a CSV, and the figures
// in the order of the columns.
type mtrHop struct {
	number  uint64
	host    string
	figures []string
	line    int
}

func (r *mtrReader) take(line []byte, n int) (bool, error) {
	switch words := strings.Fields(string(line)); {
	case bytes.HasPrefix(line, []byte("Mtr_Version,")):
		r.csv = true
		return true, r.header(strings.Split(string(line), ","), n)
	case bytes.HasPrefix(line, []byte("HOST:")):
		r.csv = false
		return true, r.header(words[min(2, len(words)):], n)
	case r.csv && bytes.HasPrefix(line, []byte("MTR.")):
		return true, r.csvRow(line, n)
	case !r.csv && r.isHop(words):
		return true, r.textRow(words, n)
	}
	return false, nil
}

// isHop says that a row of the text report begins with "2.|--", or with "2."
// before the number of its network (mtr -z, -y).
func (r *mtrReader) isHop(words []string) bool {
	if len(words) == 0 {
		return false
	}
	digits, mark, ok := strings.Cut(words[0], ".")
	_, isNumber := whole([]byte(digits))
	return ok && isNumber && (mark == "|--" || mark == "" && r.columns != nil && len(words) >= len(r.columns)+2)
}

// header begins a report and says what stands where: mtr -o takes any order.
func (r *mtrReader) header(columns []string, line int) error {
	if err := r.finish(); err != nil {
		return err
	}
	r.columns = columns
	for _, name := range []string{"Loss%", "Snt", "Best", "Wrst"} {
		if r.column(name) < 0 {
			return r.in.usagef(line, "the report has no column %s", name).Hintf("mtr -r or mtr -C, without --order")
		}
	}
	return nil
}

// column is where a figure stands, -1 for nowhere.
func (r *mtrReader) column(name string) int {
	for i, c := range r.columns {
		if c == name {
			return i
		}
	}
	return -1
}

func (r *mtrReader) csvRow(line []byte, n int) error {
	cells, ok := cutCells(line, ',', nil, allCells)
	hop, host := r.column("Hop"), r.column("Host")
	if !ok || hop < 0 || host < 0 || len(cells) < len(r.columns)-1 { // the header ends in a comma, a row need not
		return r.in.usagef(n, "a hop that cannot be read: %s", show(line))
	}
	number, ok := whole(cells[hop])
	if !ok {
		return r.in.usagef(n, "a hop that cannot be read: %s", show(line))
	}
	h := mtrHop{number: number, host: string(cells[host]), line: n}
	for _, cell := range cells {
		h.figures = append(h.figures, string(cell))
	}
	return r.keep(h)
}

// textRow reads "2.|-- name 0.0% 10 …": the name may hold blanks, so the
// figures go from the right.
func (r *mtrReader) textRow(words []string, n int) error {
	digits, _, _ := strings.Cut(words[0], ".")
	number, ok := whole([]byte(digits))
	if !ok || r.columns == nil || len(words) < len(r.columns)+2 {
		return r.in.usagef(n, "a hop that cannot be read: %s", show(strings.Join(words, " ")))
	}
	return r.keep(mtrHop{number: number, figures: words[len(words)-len(r.columns):], line: n})
}

// keep holds a hop until the next; one that does not come after it belongs to
// another report.
func (r *mtrReader) keep(h mtrHop) error {
	if h.number <= r.hop.number || h.host != r.hop.host {
		if err := r.finish(); err != nil {
			return err
		}
	}
	r.hop = h
	return nil
}

// finish adds the last hop of a report up.
func (r *mtrReader) finish() error {
	h := r.hop
	r.hop = mtrHop{}
	if h.line == 0 {
		return nil
	}
	figure := func(name string) []byte { return []byte(h.figures[r.column(name)]) }
	loss, ok1 := number(bytes.TrimSuffix(figure("Loss%"), []byte("%")))
	sent, ok2 := whole(figure("Snt"))
	var least, most [2]time.Duration
	var ok3, ok4 bool
	least[0], least[1], ok3 = printed(figure("Best"), time.Millisecond)
	most[0], most[1], ok4 = printed(figure("Wrst"), time.Millisecond)
	if !ok1 || !ok2 || !ok3 || !ok4 || !(loss >= 0 && loss <= 100) || sent > 1<<40 {
		return r.in.usagef(h.line, "a hop that cannot be read")
	}
	lost := min(uint64(math.Ceil(loss/100*float64(sent))), sent)
	r.lost += lost
	r.line = cmp.Or(r.line, h.line)
	return r.spread(sent-lost, least, most, h.line)
}
