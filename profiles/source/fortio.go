package source

import (
	"bytes"
	"cmp"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// fortio is fortio's JSON: buckets in seconds; its own percentiles are
// interpolated inside them. Its fast client sends a call that timed out once
// more and counts the two as one good call, so that what took the timeout or
// longer has no bound.
var fortio = format{
	name:  "fortio",
	about: "fortio load -json",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte(`"DurationHistogram"`)) },
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		all, errors := &native{}, &native{}
		refused, line := uint64(0), 0
		timeout := dist.Inf
		j.object(func(key []byte) {
			switch {
			case string(key) == "DurationHistogram" && j.peek() == '{':
				line = j.at()
				j.fortioHistogram(all)
			case string(key) == "ErrorsDurationHistogram" && j.peek() == '{':
				j.fortioHistogram(errors)
			case string(key) == "HTTPReqTimeOut":
				if down, _, ok := scaled(j.number(), time.Nanosecond); ok && down > 0 {
					timeout = down
				}
			case string(key) == "RetCodes" && j.peek() == '{':
				j.object(func(key []byte) {
					if n := j.whole(); !isFortioSuccess(key) {
						refused += n
					}
				})
			default:
				j.skip()
			}
		})
		if err := j.finish(); err != nil {
			return nil, err
		}
		if wrong := cmp.Or(all.parse(), errors.parse()); wrong != "" || all.negative() > 0 {
			return nil, in.usagef(line, "the histogram is broken: %s", wrong)
		}
		if len(all.buckets) == 0 {
			return nil, fault.NoDataf("%s has no buckets", show(in.name))
		}
		s := &samples{in: in, line: line, n: int(math.Ceil(all.count))}
		if errors.beyondAll(all) {
			// Made by another program: fortio counts failures among the calls.
			all.count += errors.count
			all.buckets = append(all.buckets, errors.buckets...)
			all.parse() // puts them in order
			s.n = int(math.Ceil(all.count))
		}
		gaveUp := all.openAbove(timeout)
		if !all.addTo(&s.b, time.Second) {
			return nil, in.usagef(line, "a bucket that is no duration")
		}
		o, err := s.observe("latency", "s")
		if err != nil {
			return nil, err
		}
		o.failed(max(int(errors.count), int(refused)), "call failed", "calls failed")
		o.gaveUp(gaveUp)
		o.closedLoop()
		return o, nil
	},
}

// fortioHistogram reads a count and its buckets.
func (j *jsonReader) fortioHistogram(h *native) {
	j.object(func(key []byte) {
		switch {
		case string(key) == "Count":
			h.count, _ = number(j.number())
		case string(key) == "Data" && j.peek() == '[':
			j.array(func(int) {
				var b nativeBucket
				j.object(func(key []byte) {
					switch string(key) {
					case "Start":
						b.left = string(j.number())
					case "End":
						b.right = string(j.number())
					case "Count":
						b.count, _ = number(j.number())
					default:
						j.skip()
					}
				})
				if b.left == b.right { // one value alone
					b.left = "0"
				}
				h.buckets = append(h.buckets, b)
			})
		default:
			j.skip()
		}
	})
}

// beyondAll says that some of h reach further than all of the other histogram,
// which so cannot hold them.
func (h *native) beyondAll(other *native) bool {
	longest := func(h *native) (r float64) {
		for _, b := range h.buckets {
			if b.count > 0 {
				r = max(r, b.r)
			}
		}
		return r
	}
	return h.count > 0 && longest(h) > longest(other)
}

// openAbove takes the upper bound off the buckets that reach beyond a timeout,
// in seconds, and counts their samples.
func (h *native) openAbove(timeout time.Duration) (n uint64) {
	for i := range h.buckets {
		b := &h.buckets[i]
		if _, up, ok := scaled([]byte(b.right), time.Second); ok && up > timeout {
			b.right, b.r = "+Inf", math.Inf(1)
			n += uint64(b.count)
		}
	}
	return n
}

// isFortioSuccess knows the codes of fortio's runners for HTTP, gRPC, TCP and
// UDP; it counts a teapot as a success.
func isFortioSuccess(code []byte) bool {
	n, ok := whole(code)
	return string(code) == "OK" || string(code) == "SERVING" || ok && (n >= 200 && n < 300 || n == 418)
}
