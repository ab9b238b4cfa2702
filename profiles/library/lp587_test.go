package library

import "testing"

// research/cases.md Z13: a retry after 10 s in a session of 1 s, which the
// server raises to 4.
func TestLP587(t *testing.T) {
	at := func(session string, more ...string) []string {
		return append([]string{"tickTime=2000", "connectionTimeoutMs=1000", "sessionTimeoutMs=" + session}, more...)
	}
	ruleEdges(t, "LP587", []ruleEdge{
		{"error", "curator", at("1000", "retries=1", "retrySleepMs=10000")},
		{"error", "curator", at("1000", "retries=1", "retrySleepMs=4000")},
		{"", "curator", at("1000", "retries=1", "retrySleepMs=3999")},
		{"", "curator", at("1000", "retries=0", "retrySleepMs=10000")}, // never slept
		{"", "curator", at("8000", "retryPolicy=ExponentialBackoffRetry(1000, 3)")},
		{"error", "curator", at("7000", "retryPolicy=ExponentialBackoffRetry(1000, 3)")}, // 1, 3, 7 s
		{"", "curator", at("7000", "retryPolicy=ExponentialBackoffRetry(1000, 3, 6999)")},
		{"error", "curator", at("4000", "retryPolicy=RetryForever(4000)")},
		{"error", "curator", at("4000", "retryPolicy=RetryUntilElapsed(100, 4000)")},
	})
}
