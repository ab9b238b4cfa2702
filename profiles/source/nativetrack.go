package source

// nativeTrack is one native histogram over time.
type nativeTrack struct {
	fam  *family
	id   uint64
	line int
	nativeRun
	first  *native
	times  []int64
	resets []int64 // where it began again
}

// next takes the histogram of another time. A sum that fell is a restart too.
func (n *nativeTrack) next(ms int64, h *native) {
	if n.first == nil {
		n.first = h
	}
	n.times = append(n.times, ms)
	fell := n.fell
	n.fell = false
	if n.prev != nil && sumFell(n.prev.sum, h.sum) {
		n.grown = append(n.grown, h.buckets...)
		n.count, n.sum = n.count+h.count, n.sum+h.sum
		n.prev, n.fell = h, true
		n.steps++
	} else {
		n.step(h)
	}
	if n.fell {
		n.resets = append(n.resets, ms)
	}
	n.fell = n.fell || fell
}

// addUpNative turns a native histogram over time into its growth. Like a
// classic one, a series that begins inside the window was born there.
func (t *tracks) addUpNative(n *nativeTrack) {
	if n.fam.aggregated && (n.fell || n.fractions) {
		t.notCounters(n.line)
		return
	}
	t.noteGap(n.fam, n.times, n.resets, n.line)
	if t.born(n.times) {
		n.grown = append(n.grown, n.first.buckets...)
		n.count += n.first.count
		n.sum += n.first.sum
	}
	n.fam.addRun(&n.nativeRun, n.id, n.line)
}
