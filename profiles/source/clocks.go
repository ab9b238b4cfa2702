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
		c := clockError{in: in, unit: time.Second}
		return c.observe("chrony", func(line []byte, n int) (bool, error) {
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
				return false, nil
			}
			return true, nil
		})
	},
}

// ntpq is ntpq -c rv: the same three figures, in milliseconds.
var ntpq = format{
	name:  "ntpq",
	about: "ntpq -c rv",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte("rootdisp=")) },
	read: func(in *input, q *Query) (*Observation, error) {
		c := clockError{in: in, unit: time.Millisecond}
		return c.observe("ntpq", func(line []byte, n int) (bool, error) {
			took := false
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
				default:
					continue
				}
				took = true
			}
			return took, nil
		})
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

// wild is the error of a clock that follows nothing.
func (c *clockError) wild(line int) error {
	return fault.NoDataf("%s:%d: the clock is not synchronised: its offset says nothing", show(c.in.name), line)
}

func (c *clockError) observe(tool string, take func(line []byte, n int) (bool, error)) (*Observation, error) {
	if err := c.in.each(take); err != nil {
		return nil, err
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
