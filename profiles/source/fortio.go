package source

import (
	"bytes"
	"math"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
)

// fortio is fortio's JSON: buckets in seconds; its own percentiles are
// interpolated inside them.
var fortio = format{
	name:  "fortio",
	about: "fortio load -json",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte(`"DurationHistogram"`)) },
	read: func(in *input, q *Query) (*Observation, error) {
		j := newJSON(in)
		h := &native{}
		line := 0
		j.object(func(key []byte) {
			if string(key) != "DurationHistogram" || j.peek() != '{' {
				j.skip()
				return
			}
			line = j.at()
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
		})
		if err := j.finish(); err != nil {
			return nil, err
		}
		if wrong := h.parse(); wrong != "" || h.negative() > 0 {
			return nil, in.usagef(line, "the histogram is broken: %s", wrong)
		}
		s := &samples{in: in, line: line}
		if !h.addTo(&s.b, time.Second) {
			return nil, in.usagef(line, "a bucket that is no duration")
		}
		if s.n = int(math.Ceil(h.count)); len(h.buckets) == 0 {
			return nil, fault.NoDataf("%s has no buckets", show(in.name))
		}
		o, err := s.observe("latency", "s")
		if err == nil && o.Dist.Max().Upper != dist.Inf {
			o.closedLoop()
		}
		return o, err
	},
}
