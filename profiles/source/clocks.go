package source

import (
	"bytes"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
)

// chrony is chronyc tracking: the bound of its manual page is the offset plus
// the root dispersion plus half of the root delay, all in seconds.
var chrony = format{
	name:  "chrony",
	about: "chronyc tracking",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("Root dispersion ")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		c := clockError{in: in, unit: time.Second}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			name, text, _ := bytes.Cut(line, []byte(":"))
			text = bytes.TrimSpace(text)
			first, _, _ := bytes.Cut(text, []byte(" "))
			switch string(bytes.TrimSpace(name)) {
			case "System time":
				c.offset(first, l.n)
			case "Root dispersion":
				c.dispersion(first, l.n)
			case "Root delay":
				c.delay(first, l.n)
			case "Leap status":
				if string(text) == "Not synchronised" {
					return nil, fault.NoDataf("%s:%d: the clock is not synchronised: its offset says nothing", show(in.name), l.n)
				}
			}
		}
		return c.observe("chrony", l)
	},
}

// ntpq is ntpq -c rv: the same three figures, in milliseconds.
var ntpq = format{
	name:  "ntpq",
	about: "ntpq -c rv",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("rootdisp=")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		c := clockError{in: in, unit: time.Millisecond}
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			for _, pair := range bytes.Split(line, []byte(",")) {
				name, text, _ := bytes.Cut(bytes.TrimSpace(pair), []byte("="))
				switch string(name) {
				case "offset":
					c.offset(text, l.n)
				case "rootdisp":
					c.dispersion(text, l.n)
				case "rootdelay":
					c.delay(text, l.n)
				case "leap":
					if string(text) == "11" {
						return nil, fault.NoDataf("%s:%d: the clock is not synchronised: its offset says nothing", show(in.name), l.n)
					}
				}
			}
		}
		return c.observe("ntpq", l)
	},
}

// clockError adds up how far a clock may be off. Each answer in the file is
// one sample: it begins where a part comes that the last one had already.
type clockError struct {
	in    *input
	unit  time.Duration
	all   samples
	bound time.Duration
	seen  int // one bit for each part
	line  int // where the answer begins
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
			Hintf("chronyc tracking, or ntpq -c rv"))
	}
	c.all.add(0, c.bound, c.line)
	c.bound, c.seen = 0, 0
}

func (c *clockError) observe(tool string, l *lines) (*Observation, error) {
	c.finish()
	if err := firstOf(l.err, c.bad); err != nil {
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
