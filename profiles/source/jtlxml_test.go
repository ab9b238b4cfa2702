package source

import (
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// JMeter 5.6.3 with a transaction of two requests under one parent sample and a
// request alone, each with a response timeout of 2 s. By Python's ElementTree
// over the children of the root: 42 transactions, of which the 41st took 2037
// ms and ran into the timeout, and the last 2430 ms; 3 failed. With the 84
// requests inside them it would be 126 samples and P90 128 ms.
func TestJTLXMLFromJMeter(t *testing.T) {
	const transaction = `hold <stock> & "order"`
	o := mustFile(t, "jmeter-5.6.jtl.xml", Query{Metric: transaction})
	upper(t, o, map[float64]string{0.95: "1224ms", 0.97: "2431ms", 1: "inf"})
	if o.Dist.Count() != 42 || o.Metric != transaction || o.Format != "jtl-xml" {
		t.Errorf("%d samples of %q by %s", o.Dist.Count(), o.Metric, o.Format)
	}
	if !told(o, "3 samples failed") || !told(o, "1 call was given up") {
		t.Errorf("findings %v", o.Findings)
	}
	o = mustFile(t, "jmeter-5.6.jtl.xml", Query{Metric: "renew"})
	upper(t, o, map[float64]string{0.97: "54ms", 1: "inf"}) // 41 of 42, in whole milliseconds
	if o.Dist.Count() != 42 || !told(o, "2 samples failed") {
		t.Errorf("%d samples, findings %v", o.Dist.Count(), o.Findings)
	}
	_, err := file(t, "jmeter-5.6.jtl.xml", Query{})
	refused(t, err, fault.Usage, "several labels", "renew")
	_, err = file(t, "jmeter-5.6.jtl.xml", Query{Metric: "commit"}) // inside the transaction only
	refused(t, err, fault.Usage, "no sample has that label")
}

// The same plan's results as CSV, where the requests inside the transaction have
// rows of their own: by Python's csv 42 of the 168 rows are transactions, the
// 41st takes 1224 ms and the last was given up after 2022 ms; 4 failed.
func TestJTLFromJMeter(t *testing.T) {
	o := mustFile(t, "jmeter-5.6.jtl.csv", Query{Metric: `hold <stock> & "order"`})
	upper(t, o, map[float64]string{0.9: "244ms", 0.97: "1225ms", 1: "inf"})
	if o.Dist.Count() != 42 || o.Format != "jtl" {
		t.Errorf("%d samples by %s", o.Dist.Count(), o.Format)
	}
	if !told(o, "4 samples failed") || !told(o, "1 call was given up") {
		t.Errorf("findings %v", o.Findings)
	}
}

// What JMeter or a gateway gave up took longer than it says, in both forms.
func TestJTLTimeouts(t *testing.T) {
	for code, bounded := range map[string]bool{
		"Non HTTP response code: java.net.SocketTimeoutException":              false,
		"Non HTTP response code: org.apache.http.conn.ConnectTimeoutException": false,
		"504": false,
		"503": true,
		"Non HTTP response code: java.net.SocketException": true,
	} {
		csv := "timeStamp,elapsed,label,responseCode,success\n1,2000,a," + code + ",false\n2,5,a,200,true\n"
		xml := `<testResults><sample t="2000" lb="a" s="false" rc="` + code + `"/><sample t="5" lb="a" s="true" rc="200"/></testResults>`
		for _, content := range []string{csv, xml, strings.Replace(csv, ",success", ",x", 1)} {
			o := mustText(t, content, Query{})
			want := "2001ms"
			if failed := !strings.Contains(content, ",x\n"); !bounded && failed {
				want = "inf"
			}
			upper(t, o, map[float64]string{0.5: "6ms", 1: want})
		}
	}
}
