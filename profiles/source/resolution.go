package source

import (
	"bytes"
	"time"
)

// printed reads a decimal that a tool rounded when it printed it: the true
// value is within one unit of the last place.
func printed(text []byte, unit time.Duration) (down, up time.Duration, ok bool) {
	down, up, ok = scaled(text, unit)
	if !ok {
		return 0, 0, false
	}
	ulp := lastPlace(text, unit)
	return max(0, down-ulp), up + min(ulp, time.Duration(1<<63-1)-up), true
}

// lastPlace is the unit of the last digit of a decimal.
func lastPlace(text []byte, unit time.Duration) time.Duration {
	ulp := unit
	if dot := bytes.IndexByte(text, '.'); dot >= 0 {
		for range len(text) - dot - 1 {
			ulp = (ulp + 9) / 10
		}
	}
	return ulp
}
