package library

import (
	"strings"
	"testing"
	"time"
)

// redis/retry.py and redis/backoff.py of 4.6.0, 5.2.1, 6.4.0, 7.0.1 and 8.1.0:
// Retry(backoff, retries), ConstantBackoff(backoff), the others (cap=0.512,
// base=0.008); a pause is never longer than cap. A "?" is not known.
func TestRedisPyRetry(t *testing.T) {
	lib, err := Get("redis-py")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ before, retry, retries, limit string }{
		{"", "Retry(ConstantBackoff(2), 8)", "8", "2"},
		{"", "Retry(backoff=ConstantBackoff(backoff=0.5), retries=8)", "8", "0.5"},
		{"", "Retry(NoBackoff(), 3)", "3", "0"},
		{"", "Retry(ExponentialBackoff(cap=10, base=1), 25)", "25", "10"},
		{"", "Retry(redis.backoff.ExponentialBackoff(10, 1), retries=25)", "25", "10"},
		{"", "Retry(ExponentialBackoff(), 3)", "3", "0.512"},
		{"", "Retry(FullJitterBackoff(base=1), 3)", "3", "0.512"},
		{"", "Retry(EqualJitterBackoff(4), 3)", "3", "4"},
		{"", "Retry(DecorrelatedJitterBackoff(cap=3), 3)", "3", "3"},
		{"", "Retry(ExponentialWithJitterBackoff(base=1, cap=10), 3)", "3", "10"},
		{"", "Retry(default_backoff(), 3)", "3", "0.512"},
		{"N = 8\nB = ConstantBackoff(2)\n", "Retry(B, N)", "8", "2"},
		{"policy = Retry(ConstantBackoff(2), 8)\n", "policy", "8", "2"},
		{"", "Retry(ConstantBackoff(wait()), 8)", "8", "?"},
		{"", "Retry(MyBackoff(2), 8)", "8", "?"},
		{"", "Retry(B, N)", "?", "?"},
		{"B = NoBackoff()\nB = ConstantBackoff(9)\n", "Retry(B, 8)", "8", "?"},
		{"", "Retry(*POLICY)", "?", "?"},
		{"from settings import policy\n", "policy", "?", "?"},
		{"", "None", "", ""},
	} {
		text := "import redis\n" + row.before + "r = redis.Redis(socket_timeout=0.5, retry=" + row.retry + ")\nlock = r.lock(\"x\", timeout=30)\n"
		values, err := Parse(lib, "a.py", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", row.retry, err)
			continue
		}
		for key, want := range map[string]string{"retries": row.retries, "retry_backoff_cap": row.limit} {
			got := values[key].Text
			if values[key].Unknown != "" {
				got = "?"
			}
			if got != want {
				t.Errorf("%s%s: %s is %q, want %q", row.before, row.retry, key, got, want)
			}
		}
	}
	if values, err := Parse(lib, "a.py", []byte("import redis\nhttp = Retry(total=3, backoff_factor=1)\nlock = redis.Redis().lock(\"x\", timeout=30)\n")); err != nil || len(values) != 1 {
		t.Errorf("urllib3's: %v %v", values, err)
	}
}

// Measured with 8.1.0 against a server that answers nothing: Retry(ConstantBackoff(2), 8)
// fails after 16.52 s. Where the policy is not known no time of a call is.
func TestRedisPyRetryCall(t *testing.T) {
	lib, err := Get("redis-py")
	if err != nil {
		t.Fatal(err)
	}
	for retry, least := range map[string]time.Duration{"Retry(ConstantBackoff(2), 8)": 16520 * time.Millisecond, "policy()": 0} {
		values, err := Parse(lib, "a.py", []byte("r = redis.Redis(socket_timeout=0.05, socket_connect_timeout=0.05, retry="+retry+")\nlock = r.lock(\"x\", timeout=30)\n"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		if call := v.Consequences.Call; (call != nil) != (least > 0) || call != nil && *call < least {
			t.Errorf("%s: one call takes up to %v, seen %s", retry, call, least)
		}
		if least == 0 && !strings.Contains(strings.Join(v.NotChecked, "\n"), "retries: a.py:1") {
			t.Errorf("%s: %q", retry, v.NotChecked)
		}
	}
}
