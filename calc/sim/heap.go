package sim

// event is something that happens at a time. Events of one time are ordered
// by what they are, so that the order never depends on how they got here.
type event struct {
	at   int64
	what uint64 // kind, generation, client
}

// calendar is a four-way heap of events by value: nothing is allocated once
// it has grown.
type calendar []event

func (e event) before(o event) bool { return e.at < o.at || (e.at == o.at && e.what < o.what) }

func (c *calendar) push(e event) {
	h := append(*c, e)
	*c = h
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(h[up]) {
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
		down := 4*i + 1
		if down >= last {
			break
		}
		least := down
		for k := down + 1; k < min(down+4, last); k++ {
			if h[k].before(h[least]) {
				least = k
			}
		}
		if !h[least].before(e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return first
}
