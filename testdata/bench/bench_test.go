package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/VictoriaMetrics/VictoriaMetrics/lib/protoparser/prometheus"
	jsoniter "github.com/json-iterator/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	_ "github.com/prometheus/client_golang/api/prometheus/v1" // registers jsoniter's decoders

	"github.com/lockplan/lockplan/profiles/source"
)

// rate reports MB/s by processor time beside the wall clock, which other work
// on the machine slows.
func rate(b *testing.B, input []byte, read func() error) {
	used := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	n, before := 0, used()
	for b.Loop() {
		if err := read(); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(len(input))*float64(n)/1e6/(used()-before).Seconds(), "cpu-MB/s")
}

func BenchmarkText(b *testing.B) {
	page := text()
	b.Run("lockplan/every-histogram", func(b *testing.B) {
		rate(b, page, func() error {
			if _, err := source.Read("x", bytes.NewReader(page), source.Query{}); err == nil || !strings.Contains(err.Error(), "several histograms") {
				return errors.New("38 histograms were expected")
			}
			return nil
		})
	})
	b.Run("lockplan/one-metric", func(b *testing.B) {
		rate(b, page, func() error {
			_, err := source.Read("x", bytes.NewReader(page), source.Query{Metric: "service_07_duration_seconds"})
			return err
		})
	})
	b.Run("bufio.Scanner", func(b *testing.B) {
		rate(b, page, func() error {
			s := bufio.NewScanner(bytes.NewReader(page))
			s.Buffer(make([]byte, 1<<18), 1<<20)
			for s.Scan() {
			}
			return s.Err()
		})
	})
	b.Run("VictoriaMetrics", func(b *testing.B) {
		rate(b, page, func() error {
			var rows prometheus.Rows
			for rest := page; len(rest) > 0; {
				end := min(len(rest), 64<<10)
				if at := bytes.LastIndexByte(rest[:end], '\n'); at >= 0 {
					end = at + 1
				}
				rows.UnmarshalWithErrLogger(unsafe.String(&rest[0], end), func(string) {})
				rest = rest[end:]
			}
			return nil
		})
	})
	b.Run("textparse", func(b *testing.B) {
		rate(b, page, func() error {
			p := textparse.NewPromParser(page, labels.NewSymbolTable(), false)
			for {
				entry, err := p.Next()
				if err == io.EOF {
					return nil
				}
				if err != nil {
					return err
				}
				if entry == textparse.EntrySeries {
					p.Series()
				}
			}
		})
	})
	b.Run("textparse+labels", func(b *testing.B) {
		rate(b, page, func() error {
			p := textparse.NewPromParser(page, labels.NewSymbolTable(), false)
			var ls labels.Labels
			for {
				entry, err := p.Next()
				if err == io.EOF {
					return nil
				}
				if err != nil {
					return err
				}
				if entry == textparse.EntrySeries {
					p.Series()
					p.Labels(&ls)
				}
			}
		})
	})
	b.Run("expfmt", func(b *testing.B) {
		rate(b, page, func() error {
			p := expfmt.NewTextParser(model.UTF8Validation)
			_, err := p.TextToMetricFamilies(bytes.NewReader(page))
			return err
		})
	})
}

type answer struct {
	Data struct {
		Result model.Matrix `json:"result"`
	} `json:"data"`
}

func BenchmarkRangeJSON(b *testing.B) {
	page := matrix()
	b.Run("lockplan", func(b *testing.B) {
		rate(b, page, func() error {
			_, err := source.Read("x", bytes.NewReader(page), source.Query{})
			return err
		})
	})
	b.Run("jsoniter", func(b *testing.B) {
		rate(b, page, func() error {
			var a answer
			return jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(page, &a)
		})
	})
	b.Run("encoding/json", func(b *testing.B) {
		rate(b, page, func() error {
			var a answer
			return json.Unmarshal(page, &a)
		})
	})
}

func BenchmarkHDRLog(b *testing.B) {
	one, err := os.ReadFile("../source/jHiccup-2.0.7S.logV2.hlog")
	if err != nil {
		b.Fatal(err)
	}
	page := bytes.Repeat(one, 100)
	b.Run("lockplan", func(b *testing.B) {
		rate(b, page, func() error {
			_, err := source.Read("x", bytes.NewReader(page), source.Query{})
			return err
		})
	})
	b.Run("hdrhistogram-go", func(b *testing.B) {
		rate(b, page, func() error {
			r := hdrhistogram.NewHistogramLogReader(bytes.NewReader(page))
			whole := hdrhistogram.New(1, 3_600_000_000_000, 3)
			for {
				h, err := r.NextIntervalHistogram()
				if err != nil {
					return err
				}
				if h == nil {
					return nil
				}
				whole.Merge(h)
			}
		})
	})
}
