package dist

import "math"

// Contention is one key's queue in the long run, between what the lower and
// the upper law of the hold say; of claimed percentiles the upper one is the
// interpolation between them, for a tail without an end has no mean.
type Contention struct {
	// Utilisation is the share of time the key is held, lambda E[H]; 1 and
	// above has no long run.
	UtilisationLower, UtilisationUpper float64
	// WaitLower and WaitUpper are the mean wait in seconds by
	// Pollaczek-Khinchine, lambda E[H²] / (2 (1 - utilisation)); +Inf where
	// there is no long run or the hold has no finite second moment.
	WaitLower, WaitUpper float64
}

// Contend is section 6's A4 for callers that arrive at random, rate per
// second over all keys, equally over the keys given.
func Contend(rate float64, keys int, hold Band) Contention {
	each := rate / float64(keys)
	var c Contention
	c.UtilisationLower, c.WaitLower = pollaczekKhinchine(each, hold.Lo)
	c.UtilisationUpper, c.WaitUpper = pollaczekKhinchine(each, hold.estimate())
	return c
}

func pollaczekKhinchine(rate float64, hold Steps) (utilisation, wait float64) {
	utilisation = float64(rate * hold.Mean())
	if utilisation >= 1 {
		return utilisation, math.Inf(1)
	}
	return utilisation, float64(rate*hold.Square()) / float64(2*(1-utilisation))
}
