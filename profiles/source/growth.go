package source

import "slices"

// growth is how much each bucket grew, restarts of the whole counted in.
// steady says that there was none. told are the times from which restarts are
// known; resets those of all that were found.
func growth(tracks []track, times, told []int64, born, steady bool) (grew []float64, resets []int64) {
	grown := make([]float64, len(tracks))
	values := make([][]float64, len(tracks))
	for i, tr := range tracks {
		if steady {
			grown[i] = tr.growth
		} else {
			values[i] = tr.at(times)
		}
	}
	if steady {
		return grown, nil
	}
	for i := range times {
		known := false
		for len(told) > 0 && told[0] <= times[i] {
			known, told = i > 0 && told[0] > times[i-1], told[1:]
		}
		fell := i == 0 && born || known || i > 0 && slices.ContainsFunc(values, func(v []float64) bool { return v[i] < v[i-1]*(1-slack) })
		if fell {
			resets = append(resets, times[i])
		}
		for b, v := range values {
			switch {
			case fell:
				grown[b] += v[i]
			case i > 0:
				grown[b] += v[i] - v[i-1]
			}
		}
	}
	return grown, resets
}

// common are the times that all buckets have: a scrape that some of them
// missed would look like a restart. all says that no bucket has any other.
func common(tracks []track) (times []int64, all bool) {
	times, all = tracks[0].times, true
	for _, tr := range tracks[1:] {
		if len(times) == 0 || len(tr.times) == len(times) && &tr.times[0] == &times[0] {
			continue
		}
		all = false
		var both []int64
		for _, ms := range times {
			if _, ok := slices.BinarySearch(tr.times, ms); ok {
				both = append(both, ms)
			}
		}
		times = both
	}
	return times, all
}
