package source

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// What vegeta 12.13, wrk 4.1 and JMeter 5.6 write by default is not read: the
// way to what is read is named, instead of forty formats. The content is theirs.
func TestOutputThatIsNotReadNamesTheWay(t *testing.T) {
	for content, way := range map[string]string{
		"\xff\x96\x7f\x03\x01\x01\x06Result\x01\xff\x80\x00\x01\x0c\x01\x06Attack\x01\x0c\x00\x01\x03Seq\x01\x06\x00":                                                                                                                                                                                                    "vegeta encode",
		"1767225600000000000,200,3077685,0,2,,,,0,GET,http://x,\n1767225600000000000,200,1850182,0,2,,,,1,GET,http://x,\n":                                                                                                                                                                                               "vegeta encode",
		"Requests      [total, rate, throughput]         20000, 20000.00, 20000.00\nDuration      [total, attack, wait]             2.099s, 0s, 2.099s\n":                                                                                                                                                                "vegeta report -type=json",
		"Running 1s test @ http://127.0.0.1:18999/d.txt\n  1 threads and 1 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     1.19ms    1.36ms  10.24ms   83.04%\n    Req/Sec     1.11k   840.43     2.96k    70.00%\n  1110 requests in 1.00s, 732.96KB read\nRequests/sec:   1107.62\n": "wrk --latency",
		"1750000032000,15,lock,200,OK,t 1-1,text,true,,10,0,1,1,null,15,0,0\n":                                                                                                                                                                                                                                           "print_field_names",
	} {
		_, err := text("x", content, Query{})
		refused(t, err, fault.Usage)
		if hint := fault.HintOf(err); !strings.Contains(hint, way) {
			t.Errorf("%.40q: hint %q, want %q", content, hint, way)
		}
	}
	_, err := text("x", "something else\n", Query{})
	refused(t, err, fault.Usage, "no format that is known", "durations")
}
