package library

import "testing"

// Tries end a wait after the least of their random delays when every answer is
// quick: research/cases.md N03 and N14. A wait that the caller keeps is one.
func TestSureWaitOfTries(t *testing.T) {
	redlock := func(more ...string) []string {
		return append([]string{"duration=60000", "retryCount=10", "retryDelay=200", "commandTimeout=1000", "automaticExtensionThreshold=40000", "--p999=200ms"}, more...)
	}
	sync := func(more ...string) []string { return append([]string{"expiry=30s", "tries=32"}, more...) }
	ruleEdges(t, "LP305", []ruleEdge{
		// 10 delays of 100 to 300 ms.
		{"error", "node-redlock", redlock("--contenders=50")},
		{"error", "node-redlock", redlock("--contenders=7")}, // behind 1.2 s
		{"", "node-redlock", redlock("--contenders=6")},      // behind 1 s
		{"error", "node-redlock", redlock("--contenders=2", "retryJitter=200")},
		{"error", "node-redlock", redlock("--contenders=2", "retryJitter=300")},
		{"", "node-redlock", redlock("--contenders=50", "--wait=9.8s")},
		{"", "node-redlock", []string{"duration=60000", "retryCount=-1", "--p999=200ms", "--contenders=50"}}, // for ever
		// 31 delays of 50 to 250 ms.
		{"error", "redsync", sync("--contenders=2", "--p999=5s")},
		{"error", "redsync", sync("--contenders=2", "--p999=1551ms")},
		{"", "redsync", sync("--contenders=2", "--p999=1550ms")},
		{"error", "redsync", sync("--contenders=2", "--p999=5s", "retryDelay=150ms")}, // 4.65 s
		{"", "redsync", sync("--contenders=2", "--p999=4650ms", "retryDelay=150ms")},
		{"", "redsync", sync("--contenders=2", "--p999=5s", "--wait=5s")},
		// The back-offs of redislock are not random.
		{"", "redislock", []string{"ttl=30s", "backoff=100ms", "retries=50", "--contenders=2", "--p999=5s"}},
		{"error", "redislock", []string{"ttl=30s", "backoff=100ms", "retries=49", "--contenders=2", "--p999=5s"}},
	})
}
