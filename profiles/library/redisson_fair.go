package library

import (
	"strconv"
	"time"
)

// fairWait is how long a place in a fair lock outlives its waiter before 3.46,
// and by default.
const fairWait = 5 * time.Minute

// deadWaiter is how long a waiter that died with the holder keeps the next one
// off after the lease: fairLockWaitTimeout if it was in lock(), its own wait if
// it was in tryLock(waitTime). A wait that the application names otherwise may
// be either.
func (l redisson) deadWaiter(run *Running) time.Duration {
	if wait := run.Bound("waitTime"); wait.Known && wait.Value > 0 {
		return wait.Value
	}
	place := fairWait
	if !l.before(3, 46) {
		place = run.Dur("fairLockWaitTimeout")
	}
	return max(place, run.Setup.Wait.Value)
}

// configured is the library with the fair or fenced lock that the surroundings
// ask for.
func (l redisson) configured(given Values) Library {
	l.dead, l.fenced = 0, given["lockType"].Text == "fenced" && !l.before(3, 19)
	if given["lockType"].Text == "fair" {
		l.dead = fairWait
		if n, err := strconv.Atoi(given["fairLockWaitTimeout"].Text); err == nil && n >= 0 && !l.before(3, 46) {
			l.dead = time.Duration(n) * time.Millisecond
		}
	}
	return l
}

// variants of the place of a dead waiter, where nobody fixed it. The longer it
// is, the surer a live waiter keeps its own during a long hold.
func (l redisson) variants(given Values) (out []Library) {
	if _, fixed := given["fairLockWaitTimeout"]; fixed || l.dead == 0 || l.before(3, 46) {
		return nil
	}
	l.chosen = true
	for _, place := range []time.Duration{time.Minute, 30 * time.Second, 10 * time.Second, 5 * time.Second, 2 * time.Second, time.Second} {
		l.dead = place
		out = append(out, l)
	}
	return out
}
