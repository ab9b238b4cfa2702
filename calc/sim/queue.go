package sim

import (
	"math/rand/v2"
	"time"
)

// Queue is callers of one key, served in the order in which they came, each
// giving up after its wait.
type Queue struct {
	Gap  Source        // from one caller to the next
	Hold Source        // how long each has the lock
	Hand Source        // until a waiter notices that the lock is free
	Wait time.Duration // A; 0 waits for ever
	// WarmUp are callers that come before those who are counted: near
	// saturation a queue that begins empty is too short for a long time.
	WarmUp uint64
}

// Waits is what a Queue counted.
type Waits struct {
	Callers  uint64
	TimedOut uint64
	// Wait is how long those waited who got the lock; Spent is how long
	// everybody waited, those who gave up too.
	Wait, Spent Tally
}

// Run plays n callers after those of the warm-up, the first of whom finds the
// lock free.
func (q *Queue) Run(n uint64, r *rand.PCG, out *Waits) {
	var ignored Waits
	busy := q.play(q.WarmUp, 0, r, &ignored)
	q.play(n, busy, r, out)
}

// play goes on from a lock that is busy for so long, and returns for how long
// it is after.
func (q *Queue) play(n uint64, busy time.Duration, r *rand.PCG, out *Waits) time.Duration {
	for range n {
		busy = max(0, busy-q.Gap.Draw(r))
		out.Callers++
		if busy > 0 {
			// Those who wait take over when they notice.
			handed := add(busy, q.Hand.Draw(r))
			if q.Wait > 0 && handed > q.Wait {
				out.TimedOut++
				out.Spent.Add(q.Wait)
				continue
			}
			busy = handed
		}
		out.Wait.Add(busy)
		out.Spent.Add(busy)
		busy = add(busy, q.Hold.Draw(r))
	}
	return busy
}

// Merge adds what other counted.
func (w *Waits) Merge(other *Waits) {
	w.Callers += other.Callers
	w.TimedOut += other.TimedOut
	w.Wait.Merge(&other.Wait)
	w.Spent.Merge(&other.Spent)
}

// Success is the share of callers that got the lock.
func (w *Waits) Success() float64 {
	return float64(w.Callers-w.TimedOut) / float64(w.Callers)
}
