package cmd

import "testing"

// A plan file takes keys, not flags, and hold: as a mapping.
func TestFileKeys(t *testing.T) {
	for hint, want := range map[string]string{
		"raise --rto to 5s":                               "raise rto: to 5s",
		"--p999 800ms, or --hold FILE":                    "p999: 800ms, or hold: {file: FILE}",
		"--pause 1.5s, or --pauses gc.log":                "pause: 1.5s, or pauses: {file: gc.log}",
		"plan a lower --percentile, or --allow-thin-data": "plan a lower percentile, or allow-thin-data: true",
		"a wait of at least 25s (--wait) or 26s":          "a wait of at least 25s (--wait) or 26s", // of check, no key of a plan
	} {
		if got := fileKeys(hint); got != want {
			t.Errorf("%q: %q, want %q", hint, got, want)
		}
	}
	path := t.TempDir() + "/lockplan.yaml"
	write(t, path, "apiVersion: lockplan/v1\nservices:\n  a: {p999: 2.8s, mode: fixed, rto: 3s, pause: 0s, margin: 100ms}\n") // as LP103 advises for 10 s
	if code, _, stderr := run("", "plan", "-f", path); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
