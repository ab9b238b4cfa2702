package source

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc/dist"
)

func gz(content string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(content))
	w.Close()
	return out.String()
}

// Every one of these ends in a fault, or in a finding without a number.
func TestBadInputs(t *testing.T) {
	const result = `{"status":"success","data":{"resultType":"vector","result":[`
	bucket := func(le, value string) string {
		return `{"metric":{"__name__":"h_seconds_bucket","le":` + le + `},"value":` + value + `}`
	}
	for name, content := range map[string]string{
		"empty":                    "",
		"blank":                    " \n\t\n",
		"binary":                   "\x00\x01\x02\xff\xfe\x00\x00",
		"ELF":                      "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00",
		"UTF-16":                   "\xff\xfeh\x00_\x00b\x00",
		"HTML":                     "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
		"prose":                    "the quick brown fox\n",
		"gzip cut off":             gz(strings.Repeat("h_bucket{le=\"1\"} 1\n", 1000))[:40],
		"gzip damaged":             "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff",
		"gzip of nothing":          gz(""),
		"gzip in gzip":             gz(gz("h_bucket{le=\"1\"} 1\n")),
		"zstd damaged":             "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff",
		"10 MB line":               "h_seconds_bucket{le=\"" + strings.Repeat("1", 10<<20) + "\"} 1\n",
		"10 MB line, no newline":   strings.Repeat("a", 10<<20),
		"brace open":               "h_seconds_bucket{le=\"1\" 1\n",
		"quote open":               "h_seconds_bucket{le=\"1} 1\n",
		"no value":                 "h_seconds_bucket{le=\"1\"}\n",
		"value words":              "h_seconds_bucket{le=\"1\"} many\n",
		"value hex":                "h_seconds_bucket{le=\"1\"} 0x10\n",
		"trailing words":           "h_seconds_bucket{le=\"1\"} 1 now\n",
		"two timestamps":           "h_seconds_bucket{le=\"1\"} 1 2 3\n",
		"NUL in a label":           "h_seconds_bucket{a=\"\x00\",le=\"1\"} 1\n",
		"le control characters":    "h_seconds_bucket{le=\"\x1b[31m\"} 1\nh_seconds_bucket{le=\"+Inf\"} 1\n",
		"name control characters":  "# TYPE x histogram\nh\x1b[2J{le=\"1\"} zz\n",
		"only comments":            "# HELP h x\n# TYPE h histogram\n",
		"only gauges":              "# TYPE up gauge\nup 1\n",
		"summary of NaN":           "h_seconds{quantile=\"0.99\"} NaN\n",
		"summary negative":         "h_seconds{quantile=\"0.99\"} -1\n",
		"summary endless":          "h_seconds{quantile=\"0.99\"} +Inf\n",
		"gauge histogram":          "# TYPE h_seconds gaugehistogram\nh_seconds_bucket{le=\"1\"} 1\nh_seconds_bucket{le=\"+Inf\"} 1\n",
		"bounds too long":          "h_seconds_bucket{le=\"1e300\"} 1\nh_seconds_bucket{le=\"+Inf\"} 1\n",
		"counts overflow":          "h_seconds_bucket{le=\"+Inf\"} 9007199254740993\n",
		"no samples":               "h_seconds_bucket{le=\"1\"} 0\nh_seconds_bucket{le=\"+Inf\"} 0\n",
		"JSON cut off":             `{"status":"success","data":{"resultType":"vector","result":[{"metric":`,
		"JSON cut in a string":     `{"status":"success","data":{"resultType":"vec`,
		"JSON cut in an escape":    `{"status":"success","data":{"resultType":"v\`,
		"JSON bad escape":          `{"status":"success","data":{"resultType":"\q"}}`,
		"JSON bad \\u":             `{"status":"success","data":{"resultType":"\u12"}}`,
		"JSON deep":                `{"status":"success","data":` + strings.Repeat(`[`, 100_000),
		"JSON deep objects":        `{"status":"success","data":` + strings.Repeat(`{"data":`, 100_000),
		"JSON long string":         `{"status":"success","data":{"x":"` + strings.Repeat("a", 10<<20) + `"}}`,
		"JSON long number":         `{"status":"success","data":{"x":` + strings.Repeat("1", 10<<20) + `}}`,
		"JSON two documents":       result + bucket(`"1"`, `[1,"2"]`) + `]}}{}`,
		"JSON wrong type: metric":  result + `{"metric":[],"value":[1,"2"]}]}}`,
		"JSON wrong type: label":   result + bucket(`1`, `[1,"2"]`) + `]}}`,
		"JSON wrong type: value":   result + bucket(`"1"`, `{"a":1}`) + `]}}`,
		"JSON wrong type: count":   result + bucket(`"1"`, `[1,true]`) + `]}}`,
		"JSON wrong type: values":  result + `{"metric":{"le":"1"},"values":[[1]]}]}}`,
		"JSON wrong type: buckets": result + `{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"1","buckets":[[0,"b","c","1"]]}]}]}}`,
		"JSON bucket upside down":  result + `{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"1","buckets":[[0,"2","1","1"]]}]}]}}`,
		"JSON negative count":      result + `{"metric":{"__name__":"h_seconds"},"histogram":[1,{"count":"-1","buckets":[]}]}]}}`,
		"JSON duplicate series":    result + bucket(`"1"`, `[1,"2"]`) + `,` + bucket(`"1"`, `[1,"2"]`) + `,` + bucket(`"+Inf"`, `[1,"2"]`) + `]}}`,
		"JSON words":               `{"status":"success","data":{"resultType":vector}}`,
		"JSON commas":              `{"status":"success",,}`,
		"JSON no colon":            `{"status" "success","data":1}`,
		"JSON times fall":          `[{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[2,"1"],[1,"2"]]}]`,
		"JSON buckets never meet":  `[{"metric":{"__name__":"h_seconds_bucket","le":"1"},"values":[[1,"1"]]},{"metric":{"__name__":"h_seconds_bucket","le":"+Inf"},"values":[[2,"1"]]}]`,
		"JSON nothing":             `{"status":"success","data":null}`,
	} {
		o, err := text("bad", content, Query{})
		consistent(t, o, err)
		if err == nil && o.Dist != nil {
			t.Errorf("%s: read as %d samples", name, o.Dist.Count())
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// Lines that end in CRLF take the careful path for each bucket: both paths
// read the same.
func TestBurstReadsWhatTheCarefulPathReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var page strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "series") {
			labels := rapid.SampledFrom([]string{"", `a="b",`, `a="c",`, `a="\"}",le2="x",`, `z="1",`}).Draw(t, "labels")
			after := rapid.SampledFrom([]string{"", `,p="q"`}).Draw(t, "after")
			total := 0
			for _, le := range rapid.SampledFrom([][]string{{"0.5", "1", "+Inf"}, {"1", "+Inf"}, {"+Inf", "1", "2"}, {"1", "1", "+Inf"}, {"1", "2"}}).Draw(t, "layout") {
				total += rapid.IntRange(-1, 9).Draw(t, "n")
				page.WriteString("h_seconds_bucket{" + labels + `le="` + le + `"` + after + "} ")
				page.WriteString(rapid.SampledFrom([]string{"", "", "", "0"}).Draw(t, "zero"))
				page.WriteString(strings.TrimSpace(strings.Join([]string{string(rune('0' + max(total, 0)%10)), rapid.SampledFrom([]string{"", "", " 5", "0", ".5"}).Draw(t, "more")}, "")) + "\n")
			}
			if rapid.Bool().Draw(t, "sum") {
				page.WriteString("h_seconds_sum{" + strings.TrimSuffix(labels, ",") + "} 3\nh_seconds_count{" + strings.TrimSuffix(labels, ",") + "} 9\n")
			}
		}
		a, errA := text("x", page.String(), Query{SinceStart: true})
		b, errB := text("x", strings.ReplaceAll(page.String(), "\n", "\r\n"), Query{SinceStart: true})
		if (errA == nil) != (errB == nil) || errA != nil && errA.Error() != errB.Error() {
			t.Fatalf("%v and %v\n%s", errA, errB, page.String())
		}
		if errA != nil {
			return
		}
		if (a.Dist == nil) != (b.Dist == nil) || !slices.Equal(messages(a), messages(b)) {
			t.Fatalf("%v and %v\n%s", messages(a), messages(b), page.String())
		}
		if a.Dist != nil && !slices.Equal(buckets(a.Dist), buckets(b.Dist)) {
			t.Fatalf("%v and %v\n%s", buckets(a.Dist), buckets(b.Dist), page.String())
		}
	})
}

func messages(o *Observation) (all []string) {
	for _, f := range o.Findings {
		all = append(all, f.Message)
	}
	return all
}

func buckets(d *dist.Dist) []dist.Bucket { return slices.Collect(d.All()) }
