package source

import (
	"bytes"
	"cmp"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// chrony is chronyc tracking, with -c too: the bound of its manual page is the
// offset plus the root dispersion plus half of the root delay, all in seconds.
// What chronyc sources and sourcestats print is held against a clock that
// chronyd has corrected in its books only, and is refused.
var chrony = format{
	name:  "chrony",
	about: "chronyc tracking, also -c",
	sniff: func(head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.Contains(head, []byte("Root dispersion ")) || chronyFields(first) != nil || isChronySources(head)
	},
	read: func(in *input, q *Query) (*Observation, error) {
		c := clockError{in: in, unit: time.Second, ask: "chronyc tracking"}
		return c.observe("chrony", func(line []byte, n int) (bool, error) {
			if f := chronyFields(line); f != nil {
				c.offset(f[4], n)
				c.delay(f[10], n)
				c.dispersion(f[11], n)
				if string(f[13]) == "Not synchronised" {
					return false, c.wild(n)
				}
				return true, nil
			}
			if isChronySources(line) {
				c.partial(n)
				return true, nil
			}
			name, text, _ := bytes.Cut(line, []byte(":"))
			text = bytes.TrimSpace(text)
			first, _, _ := bytes.Cut(text, []byte(" "))
			switch string(bytes.TrimSpace(name)) {
			case "System time":
				c.offset(first, n)
			case "Root dispersion":
				c.dispersion(first, n)
			case "Root delay":
				c.delay(first, n)
			case "Leap status":
				if string(text) == "Not synchronised" {
					return false, c.wild(n)
				}
			default:
				return len(name) == chronyNames, nil
			}
			return true, nil
		})
	},
}

// chronyNames is how wide chronyc prints the names of its figures.
const chronyNames = 16

// chronyFields cuts an answer of chronyc -c tracking; nil where it is none.
func chronyFields(line []byte) [][]byte {
	f := bytes.Split(bytes.TrimRight(line, "\r"), []byte(","))
	if len(f) != 14 || len(f[0]) != 8 {
		return nil
	}
	switch string(f[13]) {
	case "Normal", "Insert second", "Delete second", "Not synchronised":
		return f
	}
	return nil
}

// isChronySources knows the headings of chronyc sources and sourcestats.
func isChronySources(text []byte) bool {
	return bytes.Contains(text, []byte("MS Name/IP address ")) || bytes.Contains(text, []byte("Name/IP Address ")) && bytes.Contains(text, []byte(" Std Dev"))
}

// ntpq is ntpq -c rv: the same three figures, in milliseconds. What it prints
// of a peer lacks the dispersion of the clock itself, and is refused.
var ntpq = format{
	name:  "ntpq",
	about: "ntpq -c rv",
	sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("rootdisp=")) || isPeers(head)
	},
	read: func(in *input, q *Query) (*Observation, error) {
		c := clockError{in: in, unit: time.Millisecond, ask: "ntpq -c rv"}
		return c.observe("ntpq", func(line []byte, n int) (bool, error) {
			took := isPeers(line)
			if took {
				c.partial(n)
			}
			for _, pair := range bytes.Split(line, []byte(",")) {
				name, text, _ := bytes.Cut(bytes.TrimSpace(pair), []byte("="))
				switch string(name) {
				case "offset":
					c.offset(text, n)
				case "rootdisp":
					c.dispersion(text, n)
				case "rootdelay":
					c.delay(text, n)
				case "leap":
					if string(text) == "11" {
						return false, c.wild(n)
					}
				case "associd":
					if id, _, _ := bytes.Cut(text, []byte(" ")); string(id) != "0" {
						return false, c.peersOnly(n)
					}
				default:
					continue
				}
				took = true
			}
			return took, nil
		})
	},
}

// isPeers knows the heading of ntpq -p.
func isPeers(text []byte) bool {
	return bytes.Contains(text, []byte(" remote ")) && bytes.Contains(text, []byte(" refid ")) && bytes.Contains(text, []byte(" jitter"))
}

// clockError adds up how far a clock may be off. Each answer in the file is
// one sample: it begins where a part comes that the last one had already.
type clockError struct {
	in    *input
	unit  time.Duration
	ask   string // the command whose answer tells all
	all   samples
	bound time.Duration
	seen  int // one bit for each part
	line  int // where the answer begins
	peers int // where an answer about sources begins
	bad   error
}

func (c *clockError) offset(text []byte, line int) {
	c.part(bytes.TrimLeft(text, "+-"), 1, 1, line)
}

func (c *clockError) dispersion(text []byte, line int) { c.part(text, 2, 1, line) }

func (c *clockError) delay(text []byte, line int) { c.part(text, 4, 2, line) }

func (c *clockError) part(text []byte, bit int, share time.Duration, line int) {
	_, up, ok := printed(text, c.unit)
	if !ok || up > math.MaxInt64/4 {
		c.bad = firstOf(c.bad, c.in.usagef(line, "%s is not a number", show(text)))
		return
	}
	if c.seen&bit != 0 {
		c.finish()
	}
	if c.seen == 0 {
		c.line = line
	}
	c.bound += (up + share - 1) / share
	c.seen |= bit
}

func (c *clockError) finish() {
	if c.seen != 7 {
		c.bad = firstOf(c.bad, fault.NoDataf("%s:%d: the offset, the root dispersion or the root delay is missing", show(c.in.name), c.line).
			Hintf("%s", c.ask))
	}
	c.all.add(0, c.bound, c.line)
	c.bound, c.seen = 0, 0
}

// partial notes an answer that tells of the sources, not of this clock.
func (c *clockError) partial(line int) { c.peers = cmp.Or(c.peers, line) }

func (c *clockError) peersOnly(line int) error {
	return c.in.usagef(line, "this tells of the sources: how far this clock is off them is not in it").Hintf("%s", c.ask)
}

// wild is the error of a clock that follows nothing.
func (c *clockError) wild(line int) error {
	return fault.NoDataf("%s:%d: the clock is not synchronised: its offset says nothing", show(c.in.name), line)
}

func (c *clockError) observe(tool string, take func(line []byte, n int) (bool, error)) (*Observation, error) {
	if err := c.in.each(take); err != nil {
		return nil, err
	}
	if c.peers > 0 && c.all.n == 0 && c.seen == 0 {
		return nil, c.peersOnly(c.peers)
	}
	c.finish()
	if err := c.bad; err != nil {
		return nil, err
	}
	c.all.in = c.in
	o, err := c.all.observe(tool, unitName(c.unit))
	if err != nil {
		return nil, err
	}
	o.Measures = Clock
	return o, nil
}
