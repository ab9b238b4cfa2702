package source

import (
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
)

// Seconds in the percentiles, some of them null.
func TestOha(t *testing.T) {
	o := mustText(t, `{"summary":{"successRate":1.0,"slowest":0.9},"latencyPercentiles":{"p50":0.1,"p99.9":0.8,"p99.99":null}}`, Query{})
	claims(t, o, map[float64]string{0.5: "200ms", 0.999: "900ms", 1: "1s"})
	if len(o.Claims) != 3 || told(o, "failed") {
		t.Errorf("claims %v, findings %v", o.Claims, o.Findings)
	}
}

// Of 300 requests 5 ran into the timeout of 2 s. oha prints P99 1.209677428 s
// and P99.9 1.25384145 s of the other 295, which are P97.35 and P98.235 of
// all; nothing bounds the last 5.
func TestOhaTimeouts(t *testing.T) {
	o := mustFile(t, "oha.json", Query{})
	claims(t, o, map[float64]string{0.491666: "5648052ns", 0.9735: "1209677429ns", 0.98235: "1253841460ns", 0.983333: "1253841460ns"})
	if most := o.Claims[len(o.Claims)-1].Q; most != 0.983333 {
		t.Errorf("claims up to P%v", most*100)
	}
	if !told(o, "13 requests failed") || !told(o, "5 calls were given up") {
		t.Errorf("findings %v", o.Findings)
	}
}

// Of 357 requests within 3 s 8 were never answered: oha says successRate 1,
// and P99.9 1.437074597 s.
func TestOhaDeadline(t *testing.T) {
	o := mustFile(t, "oha-deadline.json", Query{})
	claims(t, o, map[float64]string{0.976612: "1437074598ns", 0.977591: "1437074598ns"})
	if most := o.Claims[len(o.Claims)-1].Q; most != 0.977591 {
		t.Errorf("claims up to P%v", most*100)
	}
	if !told(o, "17 requests failed") || !told(o, "8 calls were given up") {
		t.Errorf("findings %v", o.Findings)
	}
	_, err := text("x", `{"summary":{},"latencyPercentiles":{"p50":1},"errorDistribution":{"timeout":-5}}`, Query{})
	refused(t, err, fault.Usage, "x:1", "whole count")
}

func FuzzOha(f *testing.F) {
	fuzz(f, "oha", Query{}, "oha.json", "oha-deadline.json", `{"summary":{"slowest":0.9},"latencyPercentiles":{"p50":0.1,"p99.99":null},"statusCodeDistribution":{"":1}}`)
}
