package library

import (
	"strings"
	"testing"
)

// Where several places hold the key of a lease each is a lock, at the root or
// not; what its name tells to be something else is none. Variables of
// containers are read by their names, and an election that is off is no lock.
func TestParseSeveral(t *testing.T) {
	for name, r := range map[string]reading{
		"generic":      {"generic", "x.yaml", "ttl: 5.2s\nrenewInterval: 1.7s\na:\n  ttl: 30s\nb:\n  ttl: 40s\n", "@1 renewInterval=1.7s ttl=5.2s\na@4 ttl=30s\nb@6 ttl=40s"},
		"go-redis":     {"go-redis", "x.yaml", "ttl: 5s\na: {ttl: 30s}\nb: {ttl: 40s}\n", "@1 ttl=5s\na@2 ttl=30s\nb@3 ttl=40s"},
		"redislock":    {"redislock", "x.json", `{"ttl": "5s", "a": {"ttl": "30s"}, "b": {"ttl": "40s"}}`, "@1 ttl=5s\na@1 ttl=30s\nb@1 ttl=40s"},
		"redis-py":     {"redis-py", "x.toml", "timeout = 5\n[a]\ntimeout = 30\n[b]\ntimeout = 40\n", "@1 timeout=5\na@3 timeout=30\nb@5 timeout=40"},
		"etcd":         {"etcd", "x.properties", "ttl=10\na.ttl=30\nb.ttl=40\n", "@1 ttl=10\na@2 ttl=30\nb@3 ttl=40"},
		"node-redlock": {"node-redlock", "x.ini", "duration=5000\n[a]\nduration=30000\n[b]\nduration=40000\n", "@1 duration=5000\na@3 duration=30000\nb@5 duration=40000"},

		"another's":           {"redis-py", "x.yaml", "timeout: 10\nhttp-client: {timeout: 3}\nkafka: {timeout: 4}\n", "@1 timeout=10"},
		"another's, no lease": {"generic", "x.yaml", "ttl: 10s\nretries: 2\norders: {retries: 3}\n", "@1 retries=2 ttl=10s"},

		"Compose, Redisson": {"redisson", "compose.yaml", "services:\n  shop:\n    image: s\n    environment:\n      LOCK_WATCHDOG_TIMEOUT: 20000\n", "@5 lockWatchdogTimeout=20000"},
		"a list of them":    {"redisson", "compose.yaml", "services:\n  shop:\n    image: s\n    environment:\n    - LOCK_WATCHDOG_TIMEOUT=20000\n", "@5 lockWatchdogTimeout=20000"},
		"a pod's":           {"redisson", "pod.yaml", "spec:\n  containers:\n  - name: a\n    env:\n    - {name: LOCK_WATCHDOG_TIMEOUT, value: \"20000\"}\n", "@5 lockWatchdogTimeout=20000"},

		"off":         {"client-go", "x.yaml", "leaderElection:\n  leaderElect: false\n  leaseDuration: 15s\n", "error: x.yaml:2: leaderElection.leaderElect is false: no lock is taken"},
		"off by flag": {"client-go", "x.flags", "kube-scheduler --leader-elect=false --leader-elect-lease-duration=15s\n", "error: x.flags:1: leader-elect is false: no lock is taken"},
		"one of two":  {"client-go", "x.yaml", "a:\n  leaderElection: {leaderElect: false, leaseDuration: 15s}\nb:\n  leaderElection: {leaseDuration: 20s}\n", "b@4 leaseDuration=20s"},
	} {
		t.Run(name, func(t *testing.T) {
			lib, err := Get(r.lib)
			if err != nil {
				t.Fatal(err)
			}
			all, err := ParseAll(lib, r.file, []byte(r.text))
			got := told(all)
			if err != nil {
				usage(t, err)
				got = "error: " + err.Error()
			}
			if got != r.want && !(strings.HasPrefix(r.want, "error: ") && strings.HasPrefix(got, r.want)) {
				t.Errorf("%s\nread as\n%s\nwant\n%s", r.text, got, r.want)
			}
		})
	}
}
