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

func TestCountGroupsThousands(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 299: "299", 2995: "2 995", 29956: "29 956", 1000000: "1 000 000"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}
