// Command memory reads generated input of a size that no test would keep, and
// prints the time and the most memory that the process held:
//
//	for mb in 10 100 1000; do go run ./memory text $mb; done
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/lockplan/lockplan/profiles/source"
)

// stream is an endless text cut at a size: part makes its i-th piece.
type stream struct {
	part  func(i int) string
	whole int // pieces that belong together
	tail  string
	left  int
	i     int
	rest  string
}

func (s *stream) Read(p []byte) (int, error) {
	for s.rest == "" {
		if s.left <= 0 && s.i%s.whole == 0 {
			if s.tail == "" {
				return 0, io.EOF
			}
			s.rest, s.tail = s.tail, ""
			break
		}
		s.rest = s.part(s.i)
		s.left -= len(s.rest)
		s.i++
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// exposition is one histogram of its own labels.
func exposition(i int) string {
	b := make([]byte, 0, 4096)
	labels := fmt.Sprintf(`{cluster="eu-west-1",instance="10.0.%d.%d:9090",job="checkout",method="POST",route="/api/v1/orders/%d"`, i/250%250, i%250, i)
	total := 0
	for e := range 21 {
		total += i % (e + 7)
		le := strconv.FormatFloat(0.001*float64(int(1)<<e), 'g', -1, 64)
		if e == 20 {
			le = "+Inf"
		}
		b = append(b, "h_seconds_bucket"+labels+`,le="`+le+`"} `+strconv.Itoa(total)+"\n"...)
	}
	b = append(b, "h_seconds_sum"+labels+"} 1.5\nh_seconds_count"+labels+"} "+strconv.Itoa(total)+"\n"...)
	return string(b)
}

// matrix is the answer of a range query, of which every bucket is a part.
// Every tenth pod restarts.
type matrix struct {
	points int
	pods   int // more than 0: le comes before the pod, so a histogram's buckets are that far apart
}

func (m matrix) part(i int) string {
	bucket, pod := i%21, i/21
	if m.pods > 0 {
		bucket, pod = i/m.pods, i%m.pods
	}
	le := strconv.FormatFloat(0.001*float64(int(1)<<bucket), 'g', -1, 64)
	if bucket == 20 {
		le = "+Inf"
	}
	b := make([]byte, 0, 1<<15)
	if i == 0 {
		b = append(b, `{"status":"success","data":{"resultType":"matrix","result":[`...)
	} else {
		b = append(b, ',')
	}
	b = append(b, fmt.Sprintf(`{"metric":{"__name__":"h_seconds_bucket","instance":"10.0.%d.%d:9090","le":"%s"},"values":[`, pod/250, pod%250, le)...)
	total := 0
	for p := range m.points {
		// Every bucket of a pod grows alike, by up to 50, and the higher ones by
		// more: no difference repeats for long.
		total += (p*7919+pod*104729)>>3%50 + (p*31>>2%7)*bucket/4
		if pod%10 == 0 && p == m.points/2 {
			total = 0
		}
		if p > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(1764500000+60*p), 10)
		b = append(b, `,"`...)
		b = strconv.AppendInt(b, int64(total), 10)
		b = append(b, `"]`...)
	}
	return string(append(b, "]}"...))
}

// scattered is a whole answer of about so many bytes.
func scattered(size, points int) *stream {
	m := matrix{points: points}
	m.pods = size / 21 / len(m.part(20))
	return &stream{part: m.part, whole: 21 * m.pods, left: 1, tail: "]}}"}
}

// durations are a thousand values, hardly two alike.
func durations(i int) string {
	b := make([]byte, 0, 1<<14)
	for k := range 1000 {
		b = strconv.AppendUint(b, uint64(1_000_000+(i*1000+k)*7919%999_000_007), 10)
		b = append(b, "ns\n"...)
	}
	return string(b)
}

// gc is one collection of a unified log with safepoints.
func gc(i int) string {
	at := fmt.Sprintf("[%d.%03ds][info]", i/1000, i%1000)
	return at + "[gc,start    ] GC(" + strconv.Itoa(i) + ") Pause Young (Normal) (G1 Evacuation Pause)\n" +
		at + "[gc,phases   ] GC(" + strconv.Itoa(i) + ")   Evacuate Collection Set: 7.79ms\n" +
		at + "[gc          ] GC(" + strconv.Itoa(i) + ") Pause Young (Normal) (G1 Evacuation Pause) 15M->14M(96M) 9.897ms\n" +
		at + `[safepoint   ] Safepoint "G1CollectForAllocation", Time since last: 50780319 ns, Reaching safepoint: 112059 ns, At safepoint: 80120 ns, Total: ` +
		strconv.Itoa(1_000_000+i*7919%90_000_000) + " ns\n"
}

const usage = "memory text|json|scattered|short|long|durations|gc MEGABYTES"

func main() {
	if len(os.Args) != 3 {
		log.Fatal(usage)
	}
	mb, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	s := &stream{left: mb * 1e6, whole: 1}
	switch os.Args[1] {
	case "text":
		s.part = exposition
	case "json":
		s.part, s.whole, s.tail = matrix{points: 720}.part, 21, "]}}"
	case "scattered":
		s = scattered(s.left, 720)
	case "short":
		s = scattered(s.left, 24)
	case "long":
		s = scattered(s.left, 11_000)
	case "durations":
		s.part = durations
	case "gc":
		s.part = gc
	default:
		log.Fatal(usage)
	}
	start := time.Now()
	o, err := source.Read("generated", s, source.Query{SinceStart: true})
	if err != nil {
		log.Fatal(err)
	}
	if o.Dist == nil {
		log.Fatal(o.Findings)
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	// The processor time holds the making of the input too.
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	fmt.Printf("%s %d MB: %v, %v of processor, %d MB of memory, %d samples in %d series\n", os.Args[1], mb,
		time.Since(start).Round(time.Millisecond), cpu.Round(time.Millisecond), used.Maxrss/1024, o.Dist.Count(), o.Series)
}
