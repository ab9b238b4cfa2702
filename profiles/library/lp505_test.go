package library

import (
	"strings"
	"testing"
)

// TestRealSpring measures it with Boot 3.5.5 and the starter 3.52.0.
func TestLP505(t *testing.T) {
	const own = "singleServerConfig:\n  address: \"redis://a:6379\"\n"
	const nested = "spring:\n  redis:\n    redisson.config: |\n"
	for text, want := range map[string]string{
		"spring.redis.redisson.config: |\n  lockWatchdogTimeout: ${X:-30000}\n": "warning",
		"spring.redis.redisson.config: |\n  lockWatchdogTimeout: ${X:30000}\n":  "",
		"lockWatchdogTimeout: ${X:-30000}\n":                                    "", // Redisson's own file
		// TestRealRedisson: the loader refuses what it does not fill in as a number.
		own + "lockWatchdogTimeout: ${X:30000}\n":                          "error",
		own + "  timeout: ${X.y:500}\n":                                    "error",
		own + "  clientName: ${X:me}\n  timeout: 500\n":                    "warning",
		own + "  clientName: ${X:me}\n  timeout: ${Y:500}\n":               "error",
		own + "lockWatchdogTimeout: ${X:-30000}\n":                         "",
		own + "lockWatchdogTimeout: ${X}\n":                                "",
		"redisson:\n  singleServerConfig:\n    timeout: ${X:500}\n":        "", // an application's file, which Spring reads
		nested + "      singleServerConfig:\n        timeout: ${X:500}\n":  "",
		nested + "      singleServerConfig:\n        timeout: ${X:-500}\n": "warning",
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
		for _, f := range v.Findings { // what is to be written, not what it comes to
			if f.ID == "LP505" && want == "error" && !strings.HasPrefix(f.Fix, "${X") && !strings.HasPrefix(f.Fix, "${Y:-500}") {
				t.Errorf("%s: %q", text, f.Fix)
			}
		}
	}
}
