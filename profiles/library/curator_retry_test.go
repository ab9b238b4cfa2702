package library

import (
	"testing"
	"time"
)

// The sleeps of curator-client's classes, by hand from their source.
func TestRetryPolicies(t *testing.T) {
	const first, again = 10 * time.Second, 20 * time.Second
	for text, want := range map[string]struct {
		tries         int
		longest, call time.Duration // worst of a first try of 10 s and further ones of 20 s
	}{
		"RetryNTimes(0, 1000)":                            {0, 0, first},
		"RetryNTimes(5, 1000)":                            {5, time.Second, 115 * time.Second},
		"RetryOneTime(100)":                               {1, 100 * time.Millisecond, 30100 * time.Millisecond},
		"ExponentialBackoffRetry(1000, 3)":                {3, 7 * time.Second, 81 * time.Second},
		"new ExponentialBackoffRetry(1_000, 3, 2000)":     {3, 2 * time.Second, 75 * time.Second},
		"ExponentialBackoffRetry(0, 2)":                   {2, 0, 50 * time.Second},
		"ExponentialBackoffRetry(1, 1000)":                {29, (1<<29 - 1) * time.Millisecond, first + 29*again + (1<<30-2-29)*time.Millisecond},
		"ExponentialBackoffRetry(2147483647, 2)":          {2, mostZooKeeper, first + 2*again + 2*mostZooKeeper},
		"BoundedExponentialBackoffRetry(1000, 4000, 3)":   {3, 4 * time.Second, 78 * time.Second},
		"org.x.BoundedExponentialBackoffRetry(100,100,2)": {2, 100 * time.Millisecond, 50200 * time.Millisecond},
		"RetryUntilElapsed(10000, 100)":                   {1, 100 * time.Millisecond, 30200 * time.Millisecond},
		"RetryUntilElapsed(0, 100)":                       {1, 100 * time.Millisecond, first + 10*time.Second + 200*time.Millisecond + 1},
	} {
		r, err := retryPolicyOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.call(first, again); r.tries != want.tries || r.longest() != want.longest || got != want.call || r.forever {
			t.Errorf("%s: %d tries, at most %s apart, a call of %s; want %v", text, r.tries, r.longest(), got, want)
		}
	}
	if r, err := retryPolicyOf("RetryForever(500)"); err != nil || !r.forever {
		t.Errorf("RetryForever: %v, %v", r, err)
	}
	for _, text := range []string{"", "3", "RetryNTimes", "RetryNTimes()", "RetryNTimes(3)", "RetryNTimes(3, 1s)", "RetryNTimes(-1, 5)", "RetryNTimes(1, 2, 3)",
		"RetryNTimes(2147483648, 1)", "MyRetry(3)", "RetryForever(0)", "ExponentialBackoffRetry(1000, 3", "RetryNTimes(1,, 2)"} {
		if r, err := retryPolicyOf(text); err == nil {
			t.Errorf("%q is read as %v", text, r)
		} else {
			usage(t, err)
		}
	}
	if _, err := judgement("curator", "retryPolicy=RetryForever(1)", "retries=1"); err == nil {
		t.Error("two policies are read")
	}
}
