package near

import "testing"

func TestName(t *testing.T) {
	known := []string{"deadline", "max-hold", "pause", "pauses", "p99", "p999", "rto", "queue-sla"}
	for said, want := range map[string]string{
		"deadlin": "deadline", "maxHold": "max-hold", "max_hold": "max-hold", "puase": "pause", "queueSla": "queue-sla",
		"rtt": "rto", "hello": "", "x": "", "": "", "pauss": "pause", "P999": "p999",
	} {
		if got := Name(said, known); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}
