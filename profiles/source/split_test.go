package source

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// splitAlike reads a text on one processor in one piece, and on several in
// blocks of some bytes: what is said, also of what is wrong, is the same.
func splitAlike(t *rapid.T, content string, q Query) {
	t.Helper()
	processors, size := runtime.GOMAXPROCS(1), blockSize
	defer func() { runtime.GOMAXPROCS(processors); blockSize = size }()
	want, wantErr := text("x", content, q)
	runtime.GOMAXPROCS(rapid.IntRange(1, 4).Draw(t, "processors"))
	blockSize = rapid.IntRange(1, 400).Draw(t, "block")
	got, err := text("x", content, q)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v\n%+v\nas one:\n%v\n%+v\nof\n%s", err, got, wantErr, want, content)
	}
}

// gate lets the first block of each worker wait for that of the other.
type gate struct {
	arrived *atomic.Int64
	both    chan struct{}
	passed  *[]int
	first   bool
	last    int
}

func (g *gate) read(l *lines) error {
	if !g.first {
		g.first = true
		if g.arrived.Add(1) == 2 {
			close(g.both)
		}
		<-g.both
	}
	for {
		if _, ok := l.next(); !ok {
			g.last = l.n
			return nil
		}
	}
}

func (g *gate) pass() { *g.passed = append(*g.passed, g.last) }

// Two blocks are read at the same time, or this ends in a deadlock; they are
// passed on in order.
func TestSplitReadsAtTheSameTime(t *testing.T) {
	processors, size := runtime.GOMAXPROCS(2), blockSize
	defer func() { runtime.GOMAXPROCS(processors); blockSize = size }()
	blockSize = 64
	synctest.Test(t, func(t *testing.T) {
		in, err := open("x", strings.NewReader(strings.Repeat("12345\n", 500)))
		if err != nil {
			t.Fatal(err)
		}
		var arrived atomic.Int64
		var passed []int
		both := make(chan struct{})
		if _, err := split(newLines(in), func() *gate { return &gate{arrived: &arrived, both: both, passed: &passed} }); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(passed) || passed[len(passed)-1] != 500 || len(passed) < 40 {
			t.Errorf("blocks end on lines %v", passed)
		}
	})
}

// rows are some lines: usual ones, odd ones among them, and in half of all
// cases one that is wrong.
func rows(t *rapid.T, usual func(r *rand.Rand) string, odd, wrong []string) string {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var lines []string
	for range rapid.IntRange(0, 80).Draw(t, "rows") {
		line := usual(r)
		if r.IntN(4) == 0 {
			line = odd[r.IntN(len(odd))]
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 && len(wrong) > 0 && rapid.Bool().Draw(t, "wrong") {
		lines[r.IntN(len(lines))] = rapid.SampledFrom(wrong).Draw(t, "line")
	}
	return strings.Join(lines, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")) + rapid.SampledFrom([]string{"", "\n", "\r", " "}).Draw(t, "last")
}

func TestSplitDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usual := func(r *rand.Rand) string { return strconv.Itoa(r.IntN(50)) + "ms" }
		page := rows(t, usual, []string{"", "# 5", "1m2s", strings.Repeat("0", 300) + "1s"}, []string{"7", "-1s", "hold", "1.5"})
		splitAlike(t, page, Query{Format: "durations", Unit: rapid.SampledFrom([]string{"", "s"}).Draw(t, "unit")})
	})
}

func TestSplitTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "delimiter")
		row := strings.NewReplacer("|", d).Replace
		usual := func(r *rand.Rand) string { return row("a|" + strconv.Itoa(r.IntN(50)) + "|b") }
		odd := []string{"", row("a||"), row(`5" disk|6|"x""y"`), row("x|7|\"\n\nlong\n\""), row("x|8|\"\n|\"\"9\n\"\"|9\"|\"a\nb\""), row(`"x|y"|1|`)}
		wrong := []string{row("\"a\nb\"|5|"), row(`"a"b|1`), "a", row("a|x"), row(`a|"`), row(`a|1|"`), row("a|1,5"), row("a|1.5")}
		splitAlike(t, row("name|hold_ms|more\n")+rows(t, usual, odd, wrong), Query{Format: "csv"})
	})
}

func TestSplitJTL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usual := func(r *rand.Rand) string { return "17," + strconv.Itoa(r.IntN(50)) + ",pay,true" }
		odd := []string{"", "17,5,\"pay,\n\"\"now\"\"\",true", "17,6,pay,false", "17,7,cart,true", "17,8", "17,9,pay,true,\"\n17,1,\n\""}
		q := rapid.SampledFrom([]Query{{}, {Metric: "pay"}, {Match: must(ParseMatch(`label=~".*"`))}, {Match: must(ParseMatch(`success="true"`))}}).Draw(t, "query")
		splitAlike(t, "timeStamp,elapsed,label,success\n"+rows(t, usual, odd, []string{"17,x,pay,true", "17"}), q)
	})
}

// More labels than are told apart: the same ones are left out.
func TestSplitManyLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var b strings.Builder
		b.WriteString("timeStamp,elapsed,label,success\n")
		for range 2500 {
			fmt.Fprintf(&b, "17,5,l%d,true\n", r.IntN(1400))
		}
		splitAlike(t, b.String(), Query{})
	})
}

// Pause lines inside safepoints, inside each other and on their own, stalls,
// old stopped times and a log that ends inside a line.
func TestSplitJVMLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := 0
		usual := func(r *rand.Rand) string {
			at += r.IntN(200)
			stamp := fmt.Sprintf("[%d.%03ds][info]", at/1000, at%1000)
			ms := r.IntN(90)
			switch r.IntN(4) {
			case 0:
				return fmt.Sprintf(`%s[safepoint] Safepoint "G1", Reaching safepoint: 9 ns, Total: %d ns`, stamp, ms*1_000_000)
			case 1:
				return stamp + "[gc,start] GC(1) Pause Young (Normal)"
			default:
				return fmt.Sprintf("%s[gc] GC(1) Pause Full 15M->14M(96M) %d.897ms", stamp, ms)
			}
		}
		odd := []string{"", "[1.5s][gc] GC(2) Allocation Stall (main) 12.5ms", "1.234: Total time for which application threads were stopped: 0,5 seconds, Stopping",
			"[2s][gc,init] Using The Z Garbage Collector", "5 messages dropped due to async logging", "2.5: [GC pause]", "[3s][gc] GC(3) Concurrent reset"}
		wrong := []string{`[9s][safepoint] Safepoint "G1", Total: x ns`, "threads were stopped: x seconds", "[9s][gc] GC(2) Allocation Stall (main) xms"}
		page := rows(t, usual, odd, wrong)
		splitAlike(t, page[:len(page)-min(len(page), rapid.IntRange(0, 9).Draw(t, "cut"))], Query{Format: "jvm", Measures: Pause})
	})
}

// Pages with series that come apart, twice, in other layouts, with times,
// exemplars, ranges, summaries and other metrics between them.
func TestSplitExpositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		behind := rapid.SampledFrom([]string{"", " 1700", ` # {trace_id="x"} 0.4`, ` 1700 # {a="b"} 3 1700`}).Draw(t, "behind")
		odd := []string{"", "# HELP h_seconds Text.", "# TYPE h_seconds histogram", "# UNIT h_seconds seconds", "# TYPE o_seconds summary", "up 1", ` {"h_seconds_count",pod="1"} 9`,
			`h_seconds_bucket{pod="9",vmrange="1.0e-01...2.0e-01"} 4`, `s_seconds{quantile="0.9"} 0.4`, `h_seconds_count{pod="2"} 99`, `nodejs_eventloop_lag_p99_seconds 0.1`,
			`h_seconds_bucket{le="1",pod="1"} 5`, `h_seconds_bucket{pod="3",le="5"} 7.5`, `{"h_seconds_bucket",le="1",pod="2"} 7`, `h_seconds_bucket{pod="1",le="1"} 5 1800`}
		wrong := []string{`h_seconds_bucket{pod="1",le="1"} x`, `h_seconds_bucket{pod="1",le="1"} 1 2 3`, "h_seconds_bucket{", `h_seconds_sum{pod="1"} 0x1`}
		oddly := rapid.SampledFrom([]int{3, 30, 1000}).Draw(t, "oddly")
		var lines []string
		for range rapid.IntRange(1, 9).Draw(t, "series") {
			name, pod := []string{"h_seconds", "h_seconds", "h_seconds", "o_seconds"}[r.IntN(4)], r.IntN(9)
			bounds := []string{"0.1", "1", "10", "+Inf"}[r.IntN(20)/19:]
			if r.IntN(9) == 0 {
				bounds = []string{"+Inf", "1", "10"}
			}
			total := 0
			for _, le := range bounds {
				total += r.IntN(5)
				lines = append(lines, fmt.Sprintf(`%s_bucket{pod="%d",le="%s"} %d%s`, name, pod, le, total, behind))
				if r.IntN(oddly) == 0 {
					lines = append(lines, odd[r.IntN(len(odd))])
				}
			}
			lines = append(lines, fmt.Sprintf(`%s_sum{pod="%d"} %d`, name, pod, total), fmt.Sprintf(`%s_count{pod="%d"} %d`, name, pod, total+r.IntN(20)/19))
		}
		if rapid.IntRange(0, 3).Draw(t, "wrong") == 0 {
			lines[r.IntN(len(lines))] = wrong[r.IntN(len(wrong))]
		}
		if rapid.IntRange(0, 3).Draw(t, "mixed") == 0 {
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
		q := rapid.SampledFrom([]Query{{}, {Metric: "h_seconds"}, {Metric: "h_seconds", Match: must(ParseMatch(`pod!="1"`))}, {Metric: "s_seconds"}, {Metric: "none"}}).Draw(t, "query")
		q.Format = "prometheus"
		page := strings.Join(lines, "\n")
		if rapid.Bool().Draw(t, "end") {
			page += "\n# EOF\n"
		}
		splitAlike(t, page, q)
	})
}

// Records on one line each, on several, several on one, and in arrays.
func TestSplitRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usual := func(r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"%d","took":{"hold":"%dms"},"n":%d}`, r.IntN(99), r.IntN(50), r.IntN(1e6))
		}
		odd := []string{"", `{"took":{"hold":null}}`, `{"took":{"hold":"1s"}} {"took":{"hold":"2s"}}`, `{"other":{"x":5,"y_ms":"a\"b"}}`}
		if rapid.Bool().Draw(t, "odd") {
			odd = append(odd, "{\"took\":\n{\n\"hold\":\"3s\"}\n}", "[{\"took\":{\"hold\":\"4s\"}},\n{}\n]", "{\"a\":\"x\n{\\\"\",\"took\":{\"hold\":\"5s\"}}", "7")
		}
		wrong := []string{`{"took":{"hold":true}}`, `{"took":{"hold":5}}`, `{"took":{"hold":"x"}}`, `{"took":`, "}", `"a`}
		page := rows(t, usual, odd, wrong)
		if rapid.IntRange(0, 5).Draw(t, "list") == 0 {
			page = "[" + strings.ReplaceAll(page, "}\n{", "},\n{") + "]"
		}
		splitAlike(t, page, Query{Format: "ndjson", Field: rapid.SampledFrom([]string{"took.hold", "took.hold", "took.hold", "none", "n", ""}).Draw(t, "field"), Unit: rapid.SampledFrom([]string{"", "ms"}).Draw(t, "unit")})
	})
}

// More fields than are told apart: the same ones are left out.
func TestSplitManyFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usual := func(r *rand.Rand) string { return fmt.Sprintf(`{"f%d":1,"g":{"f%d":2}}`, r.IntN(99), r.IntN(99)) }
		splitAlike(t, rows(t, usual, []string{""}, nil)+rows(t, usual, []string{""}, nil), Query{Format: "ndjson", Field: "none"})
	})
}

// A packed input that ends early is told alike, whatever was read before.
func TestSplitCutOff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		q := rapid.SampledFrom([]Query{{Format: "durations"}, {Format: "ndjson", Field: "took"}, {Format: "csv"}}).Draw(t, "query")
		var b strings.Builder
		b.WriteString(map[string]string{"csv": "id,took\n"}[q.Format])
		for range 400 {
			fmt.Fprintf(&b, map[string]string{"durations": "%dms\n", "ndjson": "{\"took\":\n\"%dms\"}\n", "csv": "a,%dms\n"}[q.Format], r.IntN(1e6))
		}
		packed := new(bytes.Buffer)
		w := gzip.NewWriter(packed)
		w.Write([]byte(b.String()))
		w.Close()
		splitAlike(t, packed.String()[:rapid.IntRange(1, packed.Len()).Draw(t, "cut")], q)
	})
}
