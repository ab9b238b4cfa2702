package source

import (
	"bytes"
	"time"
)

// oha is oha's JSON: percentiles in seconds, some of them null, of the requests
// that were answered. Those that ran into -t, or were under way when the time
// of -z was up, are in none of them, and the latter not even in successRate.
var oha = format{
	name:  "oha",
	about: "oha --output-format json",
	sniff: func(head []byte) bool { return bytes.Contains(head, []byte(`"latencyPercentiles"`)) },
	read: func(in *input, q *Query) (*Observation, error) {
		r := ohaReader{jsonReader: newJSON(in), claimed: claimed{in: in}}
		r.object(func(key []byte) {
			switch {
			case r.peek() != '{':
				r.skip()
			case string(key) == "summary":
				r.summary()
			case string(key) == "latencyPercentiles":
				r.percentiles()
			case string(key) == "statusCodeDistribution":
				r.object(r.status)
			case string(key) == "errorDistribution":
				r.object(r.error)
			default:
				r.skip()
			}
		})
		if err := r.finish(); err != nil {
			return nil, err
		}
		r.among(r.answered, r.answered+r.errors, false)
		r.failed = int(r.refused + r.errors)
		o, err := r.observe("latency", "s", "a load test that keeps every sample")
		if err != nil {
			return nil, err
		}
		o.gaveUp(r.late)
		o.closedLoop()
		return o, nil
	},
}

// ohaReader collects what oha says of the requests that were answered, and
// counts the others.
type ohaReader struct {
	*jsonReader
	claimed
	answered, refused uint64 // by status; those refused were answered too
	errors, late      uint64 // without an answer; of which there was no time left
}

func (r *ohaReader) summary() {
	r.object(func(key []byte) {
		if string(key) != "slowest" {
			r.skip()
			return
		}
		r.percentile(1)
	})
}

func (r *ohaReader) percentiles() {
	r.object(func(key []byte) {
		q, ok := percent(bytes.TrimPrefix(key, []byte("p")))
		if !ok {
			r.skip()
			return
		}
		r.percentile(q)
	})
}

func (r *ohaReader) percentile(q float64) {
	line := r.at()
	if text := r.number(); len(text) > 0 {
		r.take(q, text, time.Second, line)
	}
}

func (r *ohaReader) status(code []byte) {
	n := r.whole()
	r.answered += n
	if len(code) == 0 || code[0] > '3' {
		r.refused += n
	}
}

func (r *ohaReader) error(text []byte) {
	n := r.whole()
	r.errors += n
	if bytes.Contains(text, []byte("timeout")) || bytes.Contains(text, []byte("deadline")) {
		r.late += n
	}
}
