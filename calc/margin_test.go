package calc

import (
	"testing"
	"time"
)

// A margin that is less than the parts that are given beside it would drop
// them.
func TestMarginCoversItsParts(t *testing.T) {
	given := func(margin time.Duration) error {
		_, err := Inputs{Margin: Claim(margin, "t"), RTT: Claim(5*time.Millisecond, "t"), Jitter: Claim(300*time.Millisecond, "t")}.Resolve()
		return err
	}
	if err := given(304 * time.Millisecond); err == nil {
		t.Error("304 ms for a round trip of 5 ms and a jitter of 300 ms")
	}
	if err := given(305 * time.Millisecond); err != nil {
		t.Error(err)
	}
}
