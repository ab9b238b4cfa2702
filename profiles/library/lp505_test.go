package library

import "testing"

// TestRealSpring measures it with Boot 3.5.5 and the starter 3.52.0.
func TestLP505(t *testing.T) {
	for text, want := range map[string]string{
		"spring.redis.redisson.config: |\n  lockWatchdogTimeout: ${X:-30000}\n": "warning",
		"spring.redis.redisson.config: |\n  lockWatchdogTimeout: ${X:30000}\n":  "",
		"lockWatchdogTimeout: ${X:-30000}\n":                                    "", // Redisson's own file
	} {
		lib, err := Get("redisson@3.52")
		if err != nil {
			t.Fatal(err)
		}
		values, err := Parse(lib, "application.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		if got := severityOf(v, "LP505"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
