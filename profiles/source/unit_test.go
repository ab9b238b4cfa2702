package source

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// Minutes read as seconds are 60 times too short.
func TestLongUnitsAreRefused(t *testing.T) {
	page := "# TYPE NAME histogram\nNAME_bucket{le=\"1\"} 1\nNAME_bucket{le=\"+Inf\"} 1\n"
	for name, unit := range map[string]string{
		"lock_hold_minutes": "", "lock_hold_hours": "", "lock_hold_days": "", "lockHoldMinutes": "",
		"h": "minutes", "h_seconds": "min", "h_minutes": "minutes", "h_ms": "fortnights",
	} {
		content := strings.ReplaceAll(page, "NAME", name)
		if unit != "" {
			content = "# UNIT " + name + " " + unit + "\n" + content + "# EOF\n"
		}
		_, err := text("x", content, Query{SinceStart: true})
		refused(t, err, fault.Usage, "x:", "none of s, ms, us, ns")
		if unit == "" {
			// Who names the unit is told that the name says otherwise.
			o := mustText(t, content, Query{SinceStart: true, Unit: "s"})
			if _, ok := has(o, "LP204"); !ok {
				t.Errorf("%s: %v", name, o.Findings)
			}
		}
	}
	_, err := text("x", "took_minutes\n1\n2\n", Query{})
	refused(t, err, fault.Usage, "minutes")
}

// A unit that is declared and another in the name cannot both be right.
func TestDeclaredUnitContradictsTheName(t *testing.T) {
	page := "# TYPE h_seconds histogram\n# UNIT h_seconds milliseconds\nh_seconds_bucket{le=\"1\"} 1\nh_seconds_bucket{le=\"+Inf\"} 1\n# EOF\n"
	o := mustText(t, page, Query{SinceStart: true})
	if f, ok := has(o, "LP204"); !ok || f.Severity != finding.Error || !strings.Contains(f.Message, "declares") {
		t.Errorf("%v", o.Findings)
	}
	o = mustText(t, strings.Replace(page, "milliseconds", "seconds", 1), Query{SinceStart: true})
	if f, ok := has(o, "LP204"); ok {
		t.Errorf("%v", f)
	}
}

// A trend that does not hold times has no unit that k6 knows of.
func TestK6TrendWithoutUnit(t *testing.T) {
	points := `{"type":"Metric","data":{"name":"hold","type":"trend","contains":"default"},"metric":"hold"}
{"metric":"hold","type":"Point","data":{"time":"2024-01-01T00:00:00Z","value":1.5,"tags":{}}}
`
	summary := `{"root_group":{},"metrics":{"hold":{"type":"trend","contains":"default","values":{"min":1,"avg":1,"med":1,"max":1.5,"p(95)":1.5,"count":10}}}}`
	for _, page := range []string{points, summary} {
		_, err := text("x", page, Query{Metric: "hold"})
		refused(t, err, fault.Usage, "x:", "--unit")
		o := mustText(t, page, Query{Metric: "hold", Unit: "s"})
		if o.Dist.Max().Upper != 1500*time.Millisecond {
			t.Errorf("longest %v", o.Dist.Max())
		}
		o = mustText(t, strings.Replace(page, "default", "time", 1), Query{Metric: "hold"})
		if f, ok := has(o, "LP208"); ok && strings.Contains(f.Message, "assumed") {
			t.Errorf("%v", f)
		}
	}
	// A CSV never says.
	for metric, want := range map[string]bool{"hold": true, "http_req_duration": false} {
		o := mustText(t, "metric_name,timestamp,metric_value,check\n"+metric+",1,12.500000,\n", Query{Metric: metric})
		told := false
		for _, f := range o.Findings {
			told = told || f.ID == "LP208" && strings.Contains(f.Message, "assumed")
		}
		if told != want {
			t.Errorf("%s: %v", metric, o.Findings)
		}
	}
}

// A unit that makes every hold shorter than the name says is an error, unless
// the input speaks for it as well: what it declares, or bounds that were made
// for milliseconds. A longer unit is on the safe side.
func TestGivenUnitContradictsTheName(t *testing.T) {
	page := "# TYPE h_seconds histogram\nh_seconds_bucket{le=\"1\"} 9000\nh_seconds_bucket{le=\"+Inf\"} 9000\n"
	var milli strings.Builder
	for _, le := range []string{"0", "5", "10", "25", "50", "75", "100", "250", "500", "750", "1000", "2500", "5000", "7500", "10000", "+Inf"} {
		n := "9000"
		if le == "0" {
			n = "0"
		}
		milli.WriteString("h_seconds_bucket{le=\"" + le + "\"} " + n + "\n")
	}
	for name, c := range map[string]struct {
		page, unit string
		want       finding.Severity
	}{
		"shorter":              {page, "ms", finding.Error},
		"much shorter":         {page, "us", finding.Error},
		"longer":               {strings.ReplaceAll(page, "h_seconds", "h_ms"), "s", finding.Warning},
		"declared":             {"# UNIT h_seconds milliseconds\n" + page + "# EOF\n", "ms", finding.Warning},
		"declared, another":    {"# UNIT h_seconds milliseconds\n" + page + "# EOF\n", "us", finding.Error},
		"bounds in ms":         {milli.String(), "ms", finding.Warning},
		"bounds in ms, not us": {milli.String(), "us", finding.Error},
	} {
		o := mustText(t, c.page, Query{SinceStart: true, Unit: c.unit})
		if f, ok := has(o, "LP204"); !ok || f.Severity != c.want {
			t.Errorf("%s: %v", name, o.Findings)
		}
	}
	if o := mustText(t, page, Query{SinceStart: true, Unit: "s"}); len(o.Findings) != 0 {
		t.Errorf("%v", o.Findings)
	}
}
