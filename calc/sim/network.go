package sim

import (
	"math/bits"
	"math/rand/v2"
	"time"
)

// Way is a network with the same time for every call.
type Way struct{ Out, Back time.Duration }

// Call is that time.
func (w Way) Call(*rand.PCG) Call { return Call{Out: w.Out, Back: w.Back} }

// Within is a network at its bound: a call waits for its scheduler for up to
// Sched and travels for up to RTT. The corners of that range, where plans
// break, come up as often as its middle.
type Within struct {
	Sched, RTT time.Duration
	// Even splits the way in two halves; without it one direction may take
	// all of it.
	Even bool
}

// Call is one call.
func (w Within) Call(r *rand.PCG) Call {
	u := r.Uint64()
	sched, out, back := w.Sched, w.RTT, time.Duration(0)
	switch u & 3 {
	case 0:
		return Call{}
	case 1: // all of it on the way out
	case 2: // the round trip on the way back
		out, back = 0, w.RTT
	case 3:
		sched = part(w.Sched, u>>4)
		rtt := part(w.RTT, u>>24)
		out = part(rtt, u>>44)
		back = rtt - out
	}
	if w.Even {
		out, back = (out+back)/2, out+back-(out+back)/2
	}
	return Call{Out: sched + out, Back: back}
}

// part is some of d, by 20 random bits.
func part(d time.Duration, u uint64) time.Duration {
	hi, _ := bits.Mul64(u<<44, uint64(d))
	return time.Duration(hi)
}

// Measured draws round trips from a source, half of each way, and adds a wait
// for the scheduler; calls are lost at random.
type Measured struct {
	RTT, Sched Source
	Lost       float64 // probability that a call or its reply is lost
}

// Call is one call.
func (m Measured) Call(r *rand.PCG) Call {
	rtt := m.RTT.Draw(r)
	c := Call{Out: m.Sched.Draw(r) + rtt/2, Back: rtt - rtt/2}
	if m.Lost > 0 && chance(r, threshold(m.Lost)) {
		c.Dropped = r.Uint64()&1 == 0
		c.Forgotten = !c.Dropped
	}
	return c
}
