package source

import "bytes"

// unreadable are outputs that people have of tools whose other output is read:
// what they are, how their content tells, and the way to one that is read.
var unreadable = []struct {
	what, way string
	is        func(head []byte) bool
}{
	{"vegeta's binary results", "vegeta encode results.bin | lockplan observe -", func(head []byte) bool {
		start := head[:min(len(head), 512)]
		return bytes.Contains(start, []byte("\x06Result\x01")) && bytes.Contains(start, []byte("\x06Attack\x01"))
	}},
	{"vegeta's results as CSV", "vegeta encode results.bin | lockplan observe -, which writes JSON", func(head []byte) bool {
		cells := firstCells(head)
		return len(cells) >= 11 && isDigits(cells[0], 19) && isDigits(cells[1], len(cells[1]))
	}},
	{"vegeta's report as text", "vegeta report -type=json, or vegeta encode for every sample", holds("Requests      [total, rate, throughput]")},
	{"wrk's summary without percentiles", "wrk --latency", holds("  Thread Stats   Avg")},
	{"ApacheBench's summary", "ab -g requests.tsv, read with --column ttime --unit ms", holds("This is ApacheBench")},
	{"oha's summary as text", "oha --output-format json", holds("Response time distribution:")},
	{"ghz's summary as text", "ghz --format=json", holds("Latency distribution:")},
	{"k6's summary as text", "k6 run --out json=points.json, read with --metric and the trend", holds("http_req_duration..")},
	{"fortio's log as text", "fortio load -json result.json", holds("Aggregated Function Time : count")},
	{"JMeter's results without a header", "jmeter -Jjmeter.save.saveservice.print_field_names=true", func(head []byte) bool {
		cells := firstCells(head)
		return len(cells) >= 12 && isDigits(cells[0], 13) && isDigits(cells[1], len(cells[1]))
	}},
}

func holds(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.Contains(head, []byte(text)) }
}

// firstCells are those of the first line, at commas.
func firstCells(head []byte) [][]byte {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.Split(first, []byte(","))
}

// isDigits says that a text is n digits, and not empty.
func isDigits(text []byte, n int) bool {
	return n > 0 && len(text) == n && len(bytes.Trim(text, "0123456789")) == 0
}
