package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// synthetic is a page of histograms with five labels and 20 bounds, about
// size bytes of it, spread over 38 metrics.
func synthetic(size int) []byte {
	var page bytes.Buffer
	for i := 0; page.Len() < size; i++ {
		name := fmt.Sprintf("service_%02d_duration_seconds", page.Len()/(size/38+1))
		labels := fmt.Sprintf(`cluster="eu-west-1",instance="10.0.%d.%d:9090",job="checkout",method="POST",route="/api/v1/orders/%d"`, i/250%250, i%250, i)
		total := 0
		for b := range 20 {
			total += i % (b + 7)
			fmt.Fprintf(&page, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, 0.001*float64(int(1)<<b), total)
		}
		fmt.Fprintf(&page, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %d.5\n%s_count{%s} %d\n", name, labels, total, name, labels, total, name, labels, total)
	}
	return page.Bytes()
}

var (
	page   = sync.OnceValue(func() []byte { return synthetic(64 << 20) })
	answer = sync.OnceValue(func() []byte { return matrix(64 << 20) })
)

// cpu reports the rate by processor time: other work on the machine slows the
// wall clock, not the reader.
func cpu(b *testing.B, bytes int, read func()) {
	used := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	b.ReportAllocs()
	b.SetBytes(int64(bytes))
	before := used()
	n := 0
	for b.Loop() {
		read()
		n++
	}
	b.ReportMetric(float64(bytes)*float64(n)/1e6/(used()-before).Seconds(), "cpu-MB/s")
}

func BenchmarkTextEveryHistogram(b *testing.B) {
	page := page()
	cpu(b, len(page), func() {
		if _, err := Read("x", bytes.NewReader(page), Query{}); err == nil {
			b.Fatal("many metrics were expected")
		}
	})
}

func BenchmarkTextOneMetric(b *testing.B) {
	page := page()
	cpu(b, len(page), func() {
		if _, err := Read("x", bytes.NewReader(page), Query{Metric: "service_07_duration_seconds"}); err != nil {
			b.Fatal(err)
		}
	})
}

func matrix(size int) []byte {
	var page bytes.Buffer
	page.WriteString(`{"status":"success","data":{"resultType":"matrix","result":[`)
	for i := 0; page.Len() < size; i++ {
		for b := range 21 {
			le := fmt.Sprintf("%g", 0.001*float64(int(1)<<b))
			if b == 20 {
				le = "+Inf"
			}
			if i+b > 0 {
				page.WriteByte(',')
			}
			fmt.Fprintf(&page, `{"metric":{"__name__":"h_seconds_bucket","instance":"10.0.%d.%d:9090","le":"%s"},"values":[`, i/250, i%250, le)
			for p := range 720 {
				if p > 0 {
					page.WriteByte(',')
				}
				fmt.Fprintf(&page, `[%d,"%d"]`, 1764500000+60*p, (b+1)*(1000+p))
			}
			page.WriteString("]}")
		}
	}
	page.WriteString("]}}")
	return page.Bytes()
}

func BenchmarkRangeJSON(b *testing.B) {
	page := answer()
	cpu(b, len(page), func() {
		if _, err := Read("x", bytes.NewReader(page), Query{}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkScannerForComparison(b *testing.B) {
	page := page()
	cpu(b, len(page), func() {
		s := bufio.NewScanner(bytes.NewReader(page))
		s.Buffer(make([]byte, 1<<18), 1<<20)
		for s.Scan() {
		}
	})
}

func BenchmarkTextGzip(b *testing.B) {
	page := page()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(page)
	w.Close()
	cpu(b, len(page), func() {
		if _, err := Read("x", bytes.NewReader(packed.Bytes()), Query{Metric: "service_07_duration_seconds"}); err != nil {
			b.Fatal(err)
		}
	})
}

// The list has few unlike values, or hardly two alike.
func BenchmarkDurations(b *testing.B) {
	for name, places := range map[string]int{"few": 1, "many": 6} {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var list []byte
			for len(list) < 64<<20 {
				list = append(strconv.AppendFloat(list, 50*r.ExpFloat64(), 'f', places, 64), "ms\n"...)
			}
			cpu(b, len(list), func() {
				if _, err := Read("x", bytes.NewReader(list), Query{}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func BenchmarkRecords(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var list []byte
	for i := 0; len(list) < 64<<20; i++ {
		list = fmt.Appendf(list, `{"time":"2026-01-05T10:%02d:%02d.123Z","level":"info","msg":"order done","id":%d,"took":{"hold_ms":%.1f,"wait_ms":%d}}`+"\n", i/60%60, i%60, i, 50*r.ExpFloat64(), i%7)
	}
	cpu(b, len(list), func() {
		if _, err := Read("x", bytes.NewReader(list), Query{Field: "took.hold_ms"}); err != nil {
			b.Fatal(err)
		}
	})
}
