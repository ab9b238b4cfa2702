package sim

import "math/bits"

// event is something that happens at a time. Events of one time are ordered
// by what they are, so that the order never depends on how they got here.
type event struct {
	at   int64  // not negative
	what uint64 // kind, client, turn, attempt
}

// calendar is a four-way heap of events by value: nothing is allocated once
// it has grown.
type calendar []event

// earlier is 1 when a comes before b, else 0, without a branch: which of two
// events is earlier is as good as random, and a wrong guess of the processor
// costs more than the comparison.
func earlier(a, b *event) int {
	_, borrow := bits.Sub64(a.what, b.what, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return int(borrow)
}

func (c *calendar) push(e event) {
	h := append(*c, e)
	*c = h
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if earlier(&e, &h[up]) == 0 {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (c *calendar) pop() event {
	h := *c
	first := h[0]
	last := len(h) - 1
	e := h[last]
	h = h[:last]
	*c = h
	if last == 0 {
		return first
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= last {
			break
		}
		least := child
		if child+4 <= last {
			four := h[child : child+4 : child+4]
			low := earlier(&four[1], &four[0])
			high := 2 + earlier(&four[3], &four[2])
			least += low + (high-low)*earlier(&four[high&3], &four[low&1])
		} else {
			for k := child + 1; k < last; k++ {
				least += (k - least) * earlier(&h[k], &h[least])
			}
		}
		if earlier(&h[least], &e) == 0 {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return first
}
