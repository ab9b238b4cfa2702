package source

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tight leaves memory for two blocks until the function that it gives is
// called.
func tight() (loose func()) {
	b, s := inMemory, spillBlock
	inMemory, spillBlock = 128, 64
	return func() { inMemory, spillBlock = b, s }
}

func TestSpillGivesBackWhatItTook(t *testing.T) {
	defer tight()()
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		t.Setenv("TMPDIR", dir)
		var s spill
		var all []byte
		for i := range 100 {
			part := bytes.Repeat([]byte{byte(i)}, i%70)
			s.append(part)
			all = append(all, part...)
		}
		if s.size() != int64(len(all)) {
			t.Errorf("%d bytes of %d", s.size(), len(all))
		}
		for _, at := range []int{0, 1, 63, 64, len(all) / 2, len(all) - 1} {
			s.at = int64(at)
			got := make([]byte, len(all)-at)
			if _, err := io.ReadFull(&s, got); err != nil || !bytes.Equal(got, all[at:]) {
				t.Errorf("from %d: %v", at, err)
			}
		}
		others := 0
		if s.file != nil && !s.left { // the name is free: another process takes it
			others = 1
			if err := os.WriteFile(s.file.Name(), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.close()
		if left, _ := os.ReadDir(dir); len(left) != others {
			t.Errorf("%v is left, %d are others'", left, others)
		}
	}
}

// Pods that restart, are born late, miss scrapes, with buckets in any order:
// what is read does not depend on where the counters waited.
func TestSpilledRangesReadAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		page, q := randomMatrix(rt), Query{Metric: "h_seconds"}
		held, heldErr := text("x", page, q)
		loose := tight()
		spilled, err := text("x", page, q)
		loose()
		if fmt.Sprint(heldErr) != fmt.Sprint(err) || !reflect.DeepEqual(held, spilled) {
			rt.Fatalf("%v, %v\n%+v\n%+v\n%s", heldErr, err, held, spilled, page)
		}
	})
}

func randomMatrix(t *rapid.T) string {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var results []string
	for pod := range rapid.IntRange(1, 6).Draw(t, "pods") {
		const buckets = 4
		var points [buckets][]string
		var counts [buckets]int
		for p := range rapid.IntRange(1, 40).Draw(t, "points") {
			grew := 0
			if r.IntN(15) == 0 {
				counts = [buckets]int{}
			}
			for b := range buckets {
				grew += r.IntN(20)
				counts[b] += grew
				if r.IntN(50) > 0 { // a scrape that this bucket missed
					points[b] = append(points[b], fmt.Sprintf(`[%d.%d,"%d"]`, 100+15*p, pod%2, counts[b]))
				}
			}
		}
		for b, le := range []string{"0.1", "1", "10", "+Inf"} {
			results = append(results, fmt.Sprintf(`{"metric":{"__name__":"h_seconds_bucket","pod":"%d","le":"%s"},"values":[%s]}`, pod, le, strings.Join(points[b], ",")))
		}
	}
	if rapid.Bool().Draw(t, "scattered") {
		r.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	}
	return `{"resultType":"matrix","result":[` + strings.Join(results, ",") + "]}"
}
