package dur

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc/fault"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "00s": 0,
		"1.5s": 1500 * time.Millisecond, "800ms": 800 * time.Millisecond, ".5s": 500 * time.Millisecond,
		"1h30m": 90 * time.Minute, "1h30m1.5s": 90*time.Minute + 1500*time.Millisecond,
		"250us": 250 * time.Microsecond, "250µs": 250 * time.Microsecond, "250μs": 250 * time.Microsecond,
		"1ns": 1, "0.000000001s": 1, "1.000000000s": time.Second, "1d": 24 * time.Hour, "1w": 168 * time.Hour,
		"2d12h": 60 * time.Hour, "0.5d": 12 * time.Hour, "106751d": 106751 * Day,
		"9223372036854775807ns": Max, "9223372036.854775807s": Max,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

// Each refusal says what is wrong in words that fit that mistake.
func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"": "empty", "3": "no unit", "3.5": "no unit", "1h30": "without a unit",
		"-800ms": "negative", "-0s": "negative", "-3": "negative",
		"NaN": "not a finite number", "nan": "not a finite number", "Inf": "not a finite number", "+Inf": "not a finite number",
		"1e400s": "exponent", "1e3s": "exponent", "1E3s": "exponent",
		" 3 s": "space", "3 s": "space", "3s ": "space", "3\u00a0s": "space", "3\ts": "space", "3s\n": "space",
		"３s": "not 0-9", "٣s": "not 0-9", "3,5s": "comma",
		"+3s": "cannot be read", "1_000ms": "cannot be read", "3sec": "cannot be read", "s": "cannot be read", ".s": "cannot be read",
		"1.2.3s": "cannot be read", "1.s": "cannot be read", "3S": "cannot be read", "3Ms": "cannot be read", "3s\x1b[2J": "cannot be read",
		"106752d": "longer than", "9223372036854775808ns": "longer than", "99999999999999999999s": "longer than", "106751d1w": "longer than",
		"9223372036.854775808s": "longer than",
		"1.5ns":                 "finer", "0.0000000001s": "finer", "0.0000000000000000001s": "finer",
		"3s\xff": "UTF-8",
	} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error with %q", text, got, says)
			continue
		}
		if !strings.Contains(err.Error(), says) {
			t.Errorf("Parse(%q): %v, want %q in it", text, err, says)
		}
		if fault.ClassOf(err) != fault.Usage {
			t.Errorf("Parse(%q): class %v, want a usage error", text, fault.ClassOf(err))
		}
		if strings.ContainsAny(err.Error()+fault.HintOf(err), "\x1b\n") {
			t.Errorf("Parse(%q): the message would reach a terminal: %q", text, err)
		}
	}
	_, err := Parse("3")
	if hint := err.Error() + fault.HintOf(err); !strings.Contains(hint, "3s") || !strings.Contains(hint, "3ms") {
		t.Errorf("a bare 3 shows both readings: %q", hint)
	}
}

func TestFormat(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 1: "1ns", 999: "999ns", 1500: "1.5us", 800 * time.Millisecond: "800ms", 1500 * time.Millisecond: "1.5s",
		2425 * time.Millisecond: "2.425s", 60 * time.Second: "1m", 90 * time.Second: "90s", 119 * time.Second: "119s",
		120 * time.Second: "2m", 121 * time.Second: "2m1s", 90 * time.Minute: "1h30m", 24 * time.Hour: "1d", 14 * 24 * time.Hour: "2w",
		time.Second + 1: "1.000000001s", -1500 * time.Millisecond: "-1.5s", Max: "106751d23h47m16.854775807s",
	} {
		if got := Format(d); got != want {
			t.Errorf("Format(%d) = %q, want %q", d, got, want)
		}
	}
	if got := Format(math.MinInt64); !strings.HasPrefix(got, "-106751d") {
		t.Errorf("Format of the lowest int64 = %q", got)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", time.Second: "1", 2425 * time.Millisecond: "2.425", 1: "0.000000001", 90 * time.Minute: "5400",
		-1500 * time.Millisecond: "-1.5", Max: "9223372036.854775807",
	} {
		if got := Seconds(d); got != want {
			t.Errorf("Seconds(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestFormatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Both any bits and the round values that people write.
		d := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "d"))
		if unit := rapid.SampledFrom([]time.Duration{0, time.Microsecond, time.Millisecond, time.Second, time.Minute, time.Hour, Day, Week}).Draw(t, "unit"); unit != 0 {
			d = time.Duration(rapid.Int64Range(0, 3000).Draw(t, "n")) * unit
		}
		got, err := Parse(Format(d))
		if err != nil || got != d {
			t.Fatalf("Parse(Format(%d)) = Parse(%q) = %d, %v", d, Format(d), got, err)
		}
	})
}

// Where Go's own parser reads the text too, the two agree.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"1.5s", "1h30m", "2d", "0", "3", "-1s", "1e400s", " 3 s", "３s", "9223372036854775807ns", "0.000000000000000001h", "3,5s", "1µs"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			if d != 0 {
				t.Errorf("Parse(%q) = %v beside %v", text, d, err)
			}
			return
		}
		if d < 0 {
			t.Errorf("Parse(%q) = %v", text, d)
		}
		if again, err := Parse(Format(d)); err != nil || again != d {
			t.Errorf("Parse(%q) = %v, printed and read again %v, %v", text, d, again, err)
		}
		if theirs, err := time.ParseDuration(text); err == nil && theirs != d {
			t.Errorf("Parse(%q) = %d, time.ParseDuration %d", text, d, theirs)
		}
	})
}
