package source

import (
	"bytes"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/finding"
)

// clockDigit is where digits are those of a clock: a microsecond and finer is
// printed in full, coarser digits were cut off or rounded by what printed them.
const clockDigit = time.Microsecond

// lastDigit watches how finely the bare numbers of a column are printed. 16
// beside 0.034677 is printed without its zeros; where all are whole, nobody knows
// what followed. A duration with its own unit, 1.5s or PT1.5S, is what it says,
// as on the command line: who prints those prints all digits.
type lastDigit struct {
	finest   time.Duration // the smallest unit of a last digit, 0 before the first value
	fraction bool          // some have digits behind the point
	full     bool          // some have all of them
}

// note takes one value as it is written; unit is that of bare numbers.
func (d *lastDigit) note(text []byte, unit time.Duration) {
	if d.full {
		return
	}
	end := len(text)
	switch {
	case end > 0 && (text[end-1] < '0' || text[end-1] > '9') && text[end-1] != '.':
		return
	case bytes.IndexByte(text, ':') > 0:
		unit = time.Second
	}
	at := end
	for at > 0 && text[at-1] >= '0' && text[at-1] <= '9' {
		at--
	}
	if at > 0 {
		switch text[at-1] {
		case '.':
			d.fraction = true
			for range end - at {
				unit = (unit + 9) / 10
			}
		case 'e', 'E', '-', '+': // an exponent
			d.full = true
			return
		}
	}
	if d.finest == 0 || unit < d.finest {
		d.finest = unit
	}
	d.full = d.fraction && d.finest <= clockDigit
}

// merge adds what was seen of other parts of the column.
func (d *lastDigit) merge(o lastDigit) {
	if d.finest == 0 || o.finest > 0 && o.finest < d.finest {
		d.finest = o.finest
	}
	d.fraction = d.fraction || o.fraction
	d.full = d.full || o.full || d.fraction && d.finest > 0 && d.finest <= clockDigit
}

// more is how much longer than printed a value may be.
func (d *lastDigit) more() time.Duration {
	if d.full || d.finest <= 1 {
		return 0
	}
	return d.finest
}

// widen lets each sample be as long as its last digit leaves open.
func (o *Observation) widen() {
	if o.digit == 0 || o.Dist == nil || o.Dist.Count() == 0 {
		return
	}
	o.Dist = o.Dist.Longer(o.digit)
	o.meanOfDist()
	o.add("LP208", finding.Info, o.Line, "the values are printed to "+dur.Format(o.digit)+": each counts as up to that much longer", "")
}
