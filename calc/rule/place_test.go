package rule

import "testing"

func TestPlainShowsWhatATerminalWouldObey(t *testing.T) {
	for text, want := range map[string]string{
		"lock_hold_seconds{a=\"é\"}": "lock_hold_seconds{a=\"é\"}",
		"a\x1b[2Jb":                  `a\x1b[2Jb`,
		"a\u202eb":                   `a\u202eb`,
		"a\nb\xff":                   `a\nb` + "\ufffd",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}
