package library

import (
	"testing"
	"time"
)

// Measured with 8.1.0 (TestRealRedisPy) and servers that vanished: 300 ms a
// reply, 500 ms to connect, 2 retries 100 ms apart: 3916 ms where a connection
// stood, 1708 ms without one; with the default of 5 s to connect 15.23 s. On a
// frozen server 1137 ms, where connecting takes no time.
func TestRedisPyConnects(t *testing.T) {
	for _, row := range []struct {
		library string
		retries string
		more    []string
		want    time.Duration
		seen    time.Duration
	}{
		{"redis-py", "2", nil, 31500 * time.Millisecond, 15230 * time.Millisecond},                                      // 0.9 + 0.2 + 2 x (3 x 5 + 0.2) s
		{"redis-py@7.0", "2", nil, 3300 * time.Millisecond, 1137 * time.Millisecond},                                    // the socket_timeout
		{"redis-py@7.0", "2", []string{"socket_connect_timeout=0.5"}, 4500 * time.Millisecond, 3916 * time.Millisecond}, // 1.1 + 2 x 1.7 s
		{"redis-py", "2", []string{"socket_connect_timeout=0.5"}, 4500 * time.Millisecond, 3916 * time.Millisecond},
		{"redis-py", "2", []string{"socket_connect_timeout=None"}, 3300 * time.Millisecond, 1137 * time.Millisecond},
		{"redis-py", "0", []string{"socket_connect_timeout=0.5"}, 800 * time.Millisecond, 305 * time.Millisecond}, // connect, then no reply
	} {
		v := judged(t, row.library, append([]string{"timeout=10", "socket_timeout=0.3", "retries=" + row.retries, "retry_backoff_cap=0.1", "blocking_timeout=2"}, row.more...)...)
		if got := *v.Consequences.Call; got != row.want || got < row.seen {
			t.Errorf("%s %v: one call takes up to %s, want %s; seen %s", row.library, row.more, got, row.want, row.seen)
		}
		if got := severityOf(v, "LP303"); (got == "error") != (row.want > 2*time.Second) {
			t.Errorf("%s %v: LP303 is %q", row.library, row.more, got)
		}
	}
	if v := judged(t, "redis-py@7.0", "timeout=10", "socket_connect_timeout=1"); v.Consequences.Call != nil || severityOf(v, "LP561") == "" {
		t.Errorf("without a socket_timeout one call takes up to %s", v.Consequences.Call)
	}
}
