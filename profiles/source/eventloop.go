package source

import "bytes"

// eventLoop is the name under which prom-client's gauges of one delay are read
// as one metric.
const eventLoop = "nodejs_eventloop_lag_seconds"

// lagQuantiles are those gauges. They are set back by every scrape, so they
// speak of the time since the last one only.
var lagQuantiles = map[string]string{
	"nodejs_eventloop_lag_p50_seconds": "0.5",
	"nodejs_eventloop_lag_p90_seconds": "0.9",
	"nodejs_eventloop_lag_p99_seconds": "0.99",
	"nodejs_eventloop_lag_max_seconds": "1",
}

// lag takes a gauge of the event loop's delay as a percentile that is claimed.
func (t *textLines) lag(s *sample, value float64) {
	if !bytes.HasPrefix(s.name, []byte("nodejs_eventloop_lag_")) {
		return
	}
	q, ok := lagQuantiles[string(s.name)]
	if !ok || !t.whole.families.wanted([]byte(eventLoop)) || !s.matches(t.whole.families.q.Match) {
		return
	}
	t.tell(textStep{kind: textQuantile, name: []byte(eventLoop), text: []byte(q), value: value})
}
