package cmd

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// Nothing is told in the first second; then a few times a second, and the
// line is cleared at the end.
func TestReading(t *testing.T) {
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var told bytes.Buffer
	p := newReading(io.NopCloser(strings.NewReader(strings.Repeat("x", 40))), &told, func() time.Time { return clock }, "gc.log", 2e9)
	one := make([]byte, 1)
	for range 10 { // 10 reads in 0.9 s
		p.Read(one)
		clock = clock.Add(90 * time.Millisecond)
	}
	if told.Len() != 0 {
		t.Errorf("%q is told after %s", told.String(), clock)
	}
	for range 20 {
		clock = clock.Add(100 * time.Millisecond)
		p.Read(one)
	}
	if n := strings.Count(told.String(), "gc.log: 0 MB of 2000 MB read"); n < 5 || n > 8 {
		t.Errorf("told %d times in two seconds: %q", n, told.String())
	}
	if p.Close(); !strings.HasSuffix(told.String(), "\r\x1b[K") {
		t.Error("the line stays")
	}
	told.Reset()
	if newReading(io.NopCloser(strings.NewReader("")), &told, func() time.Time { return clock }, "", 0).Close(); told.Len() != 0 {
		t.Errorf("%q for a short input", told.String())
	}
}
