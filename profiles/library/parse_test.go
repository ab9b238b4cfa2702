package library

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// reading is a file and what it says: a line a configuration, "what@line
// key=text key=text", or the error.
type reading struct{ lib, file, text, want string }

// readings are the files of TestParse, also the seeds of FuzzParse.
var readings = map[string]reading{
	"documents": {"client-go", "x.yaml", "leaderElection: {leaseDuration: 30s}\n---\nkind: Deployment\nmetadata: {name: b}\nleaderElection: {leaseDuration: 60s}\n",
		"document 1@1 leaseDuration=30s\nDeployment/b@5 leaseDuration=60s"},
	"containers": {"client-go", "pod.yaml", "spec:\n  containers:\n  - name: a\n    command: [x, --leader-elect-lease-duration=60s, --leader-elect-renew-deadline=40s]\n  - name: b\n    args: [--leader-elect-retry-period=5s]\n",
		"spec.containers[a]@4 leaseDuration=60s renewDeadline=40s\nspec.containers[b]@6 retryPeriod=5s"},
	"lists apart": {"client-go", "pod.yaml", "spec:\n  initContainers:\n  - args: [--leader-elect-lease-duration=60s]\n  containers:\n  - args: [--leader-elect-retry-period=5s]\n",
		"spec.initContainers@3 leaseDuration=60s\nspec.containers@5 retryPeriod=5s"},
	"jobs": {"shedlock", "x.properties", "jobs.x.lockAtMostFor=PT1M\njobs.y.lockAtMostFor=PT10M\njobs.y.lockAtLeastFor=PT2M\n",
		"jobs.x@1 lockAtMostFor=PT1M\njobs.y@2 lockAtLeastFor=PT2M lockAtMostFor=PT10M"},
	"whose": {"shedlock", "x.properties", "jobs.x.lockAtMostFor=PT1M\njobs.y.lockAtMostFor=PT10M\njobs.z.lockAtLeastFor=PT2M\n",
		"error: x.properties:3: lockAtLeastFor may belong to the lock of line 1 or to that of line 2"},
	"defaults": {"shedlock", "x.yaml", "shedlock: {defaults: {lock-at-most-for: 10m, lock-at-least-for: 1m}}\njobs:\n  a: {lockAtMostFor: 5m}\n  b: {lockAtMostFor: 6m}\n",
		"jobs.a@1 lockAtLeastFor=1m lockAtMostFor=5m\njobs.b@1 lockAtLeastFor=1m lockAtMostFor=6m\ndefaults@1 lockAtLeastFor=1m lockAtMostFor=10m"},
	"twice":         {"client-go", "x.yaml", "leaseDuration: 30s\nx: 1\nleaseDuration: 60s\n", "error: x.yaml:3: leaseDuration is set twice, on lines 1 and 3"},
	"block twice":   {"client-go", "x.yaml", "leaderElection:\n  leaseDuration: 30s\nleaderElection:\n  retryPeriod: 1s\n", "error: x.yaml:4: leaderElection is set twice, on lines 2 and 4"},
	"two spellings": {"client-go", "x.env", "LEASE_DURATION=30s\nleaseDuration=60s\n", "error: x.env:2: leaseDuration is set twice, on lines 1 and 2"},
	"flag twice":    {"client-go", "x.flags", "kube-scheduler --leader-elect-lease-duration=30s \\\n --leader-elect-lease-duration=60s\n", "error: x.flags:2: leaseDuration is set twice, on lines 1 and 2"},
	"another's":     {"redis-py", "x.yaml", "timeout: 10\nhttp: {timeout: 3}\n", "@1 timeout=10"},
	"profiles": {"spring-integration", "application.yaml", "expireAfter: 60000\nspring: {data: {redis: {timeout: 2s}}}\n---\nspring:\n  config: {activate: {on-profile: prod}}\n  data: {redis: {timeout: 30s}}\n",
		"@1 expireAfter=60000 spring.data.redis.timeout=2s\nprod@1 expireAfter=60000 spring.data.redis.timeout=30s"},
	"profiles of properties": {"spring-integration", "application.properties", "expireAfter=60000\n#---\nspring.config.activate.on-profile=prod\nexpireAfter=10000\n",
		"@1 expireAfter=60000\nprod@4 expireAfter=10000"},
	"alias": {"client-go", "x.yaml", "a: &a {leaseDuration: 30s}\nb: *a\n", "@1 leaseDuration=30s"},

	"merge: explicit wins": {"redisson", "x.yaml", "b: &b {timeout: 200, retryAttempts: 1}\nsingleServerConfig:\n  timeout: 100\n  <<: *b\n", "@1 mode=single retryAttempts=1 timeout=100 unknownKeys=b:1"},
	"merge: the first":     {"redisson", "x.yaml", "a: &a {timeout: 100}\nb: &b {timeout: 900}\nsingleServerConfig:\n  <<: [*a, *b]\n", "@1 mode=single timeout=100 unknownKeys=a:1, b:2"},
	"merge of a merge":     {"redisson", "x.yaml", "a: &a {timeout: 100}\nb: &b {timeout: 900, <<: *a}\nsingleServerConfig:\n  <<: *b\n", "@1 mode=single timeout=900 unknownKeys=a:1, b:2"},

	"unit in the name":        {"etcd", "x.json", `{"ttl_ms": 30000}`, "@1 ttl=30"},
	"unit of a decimal":       {"redis-py", "x.json", `{"timeout_ms": 1500}`, "@1 timeout=1.5"},
	"units mixed":             {"zookeeper", "x.json", `{"sessionTimeout_s": 30, "tickTime_ms": 2000}`, "@1 sessionTimeout=30000 tickTime=2000"},
	"unit in words":           {"client-go", "x.env", "LEASE_DURATION_SECONDS=15\nretry-period-millis=1500\n", "@1 leaseDuration=15s retryPeriod=1.5s"},
	"unit of a block":         {"redisson", "x.json", `{"singleServerConfig": {"timeout_s": 3}}`, "@1 mode=single timeout=3000 unknownKeys=singleServerConfig.timeout_s:1"},
	"unit not whole":          {"etcd", "x.json", `{"ttl_ms": 1500}`, "error: x.json:1: ttl_ms: 1500 ms is no whole number of seconds"},
	"unit said twice":         {"client-go", "x.yaml", "leaseDuration_ms: 15s\n", `error: x.yaml:1: leaseDuration_ms: the name says "ms" and the value is "15s"`},
	"unit or minimum":         {"generic", "x.yaml", "ttl_min: 15\n", `error: x.yaml:1: ttl_min: is the "min" in its name a unit`},
	"s inside of names":       {"zookeeper", "x.toml", "min_session_timeout = 20000\nsession_timeout = 10000\n", "@1 minSessionTimeout=20000 sessionTimeout=10000"},
	"a minimum that is a key": {"consul", "x.yaml", "session_ttl_min: 20s\n", "@1 session_ttl_min=20s"},

	"unknown":           {"client-go", "x.yaml", "leaseDuration: ${LD}\nretryPeriod: ${RP:-3s}\n", "@1 leaseDuration?comes from the environment and has no default retryPeriod=3s"},
	"nested default":    {"redisson", "x.yaml", "timeout: ${A:-${B:-200}}\nconnectTimeout: ${redis-timeout:500}\n", "@1 connectTimeout=500 timeout=200"},
	"kubernetes":        {"client-go", "x.yaml", "args: [--leader-elect-lease-duration=$(LD)]\n", "@1 leaseDuration?is filled in by Kubernetes or a shell, out of a variable"},
	"template in text":  {"client-go", "x.yaml", "leaseDuration: \"{{ .Values.ld }}\"\n", "@1 leaseDuration?is filled in by a template such as Helm's"},
	"template":          {"client-go", "x.yaml", "x: 1\nleaseDuration: {{ .Values.ld }}\n", "error: x.yaml:2: {{ is a template"},
	"from a config map": {"etcd", "x.yaml", "env:\n- {name: ETCD_HEARTBEAT_INTERVAL, valueFrom: {configMapKeyRef: {name: a, key: b}}}\n", "@2 heartbeat-interval?comes from a ConfigMap, a Secret or the pod"},

	"etcd's variables": {"etcd", "e.env", "ETCD_HEARTBEAT_INTERVAL=100\nexport ETCD_ELECTION_TIMEOUT='400'\n", "@1 election-timeout=400 heartbeat-interval=100"},
	"env of a pod":     {"etcd", "x.yaml", "containers:\n- env:\n  - name: ETCD_HEARTBEAT_INTERVAL\n    value: \"100\"\n", "@4 heartbeat-interval=100"},
	"compose": {"etcd", "x.yaml", "services:\n  a:\n    image: e\n    command: etcd --heartbeat-interval 100\n  b:\n    image: e\n    environment: [ETCD_ELECTION_TIMEOUT=900]\n",
		"services.a@4 heartbeat-interval=100\nservices.b@7 election-timeout=900"},
	"systemd":    {"etcd", "x.service", "[Service]\nEnvironment=\"ETCD_HEARTBEAT_INTERVAL=100\" A=b\nExecStart=/usr/bin/etcd \\\n  -election-timeout 400\n", "@2 election-timeout=400 heartbeat-interval=100"},
	"one dash":   {"client-go", "x", "kube-scheduler -leader-elect-lease-duration=15s -leader-elect-retry-period 2s\n", "@1 leaseDuration=15s retryPeriod=2s"},
	"config map": {"zookeeper", "x.yaml", "data:\n  zoo.cfg: |\n    tickTime=2000\n    minSessionTimeout=4000\n", "@3 minSessionTimeout=4000 tickTime=2000"},
	"shell":      {"client-go", "x.yaml", "command: [sh, -c, \"exec kcm --leader-elect-lease-duration='20s'\"]\n", "@1 leaseDuration=20s"},

	"properties": {"zookeeper", "x.properties", "maxSession\\u0054imeout=60000\n! no = 1\ntickTime 2000\nsessionTi\\\n   meout : 30\\u00300\\\n  0\n", "@1 maxSessionTimeout=60000 sessionTimeout=30000 tickTime=2000"},
	"malformed":  {"zookeeper", "x.properties", "tickTime=\\u20\n", `error: x.properties:1: "tickTime=\\u20" has a malformed \uXXXX`},
	"boot 2":     {"spring-integration", "x.properties", "spring.redis.timeout=2S\n", "@1 spring.data.redis.timeout=2S"},
	"toml":       {"zookeeper", "x.toml", "title = \"a # b\"\n[server]\ntickTime = 2_000 # ms\nlimits = {syncLimit = 5}\n", "@3 syncLimit=5 tickTime=2_000"},
	"no toml":    {"generic", "x.toml", "a = 1\nttl = 30s\n", "error: x.toml:2: not TOML"},
	"octal":      {"redisson", "x.yaml", "lockWatchdogTimeout: 01750\n", "error: x.yaml:1: lockWatchdogTimeout: 01750 is octal"},

	"text in properties": {"redisson", "x.properties", `spring.redis.redisson.config=singleServerConfig:\n  timeout: 200\nlockWatchdogTimeout: 20000\n`, "@1 lockWatchdogTimeout=20000 mode=single timeout=200"},
	"text in quotes":     {"redisson", "x.yaml", "spring.redis.redisson.config: \"singleServerConfig:\\n  timeout: 200\\n\"\n", "@1 mode=single timeout=200"},
	"text of JSON":       {"redisson", "x.yaml", "spring.redis.redisson.config: '{\"singleServerConfig\": {\"timeout\": 200}}'\n", "@1 mode=single timeout=200"},
	"broken text":        {"redisson", "x.yaml", "spring.redis.redisson.config: |\n  singleServerConfig:\n    timeout: 200\n   retryAttempts: 3\n", "error: x.yaml:3: not YAML"},

	"go":              {"client-go", "x.go", "const lease = 15 * time.Second\nvar c = Config{\n\tLeaseDuration: lease, // not 20s\n\tRenewDeadline: 2*5*time.Second,\n}\n", "@3 leaseDuration=15s renewDeadline=10s"},
	"go, twice":       {"client-go", "x.go", "var a = C{\n\tLeaseDuration: 15 * time.Second,\n}\nvar b = C{\n\tLeaseDuration: time.Minute,\n}\n", "line 1@2 leaseDuration=15s\nline 4@5 leaseDuration=1m0s"},
	"go, no constant": {"client-go", "x.go", "var a = C{\n\tLeaseDuration: cfg.Lease,\n}\n", `error: x.go:2: leaseDuration is set to "cfg.Lease", which is no constant of this file`},
	"go, options":     {"redsync", "x.go", "rs.NewMutex(\"a\", redsync.WithExpiry(8*time.Second), redsync.WithTries(3))\n", "@1 WithExpiry=8s WithTries=3"},
	"java": {"redisson", "X.java", "c.setLockWatchdogTimeout(30_000L);\ns.setRetryDelay(new EqualJitterDelay(Duration.ofMillis(100), Duration.ofSeconds(1)));\n/* setTimeout(1) */ s.setTimeout(TIMEOUT);\nint TIMEOUT = 700;\nlock.tryLock(1, 30, TimeUnit.SECONDS);\n",
		"@1 leaseTime=30000 lockWatchdogTimeout=30000 retryDelay=!<org.redisson.config.EqualJitterDelay> {baseDelay: PT0.1S, maxDelay: PT1S} timeout=700 waitTime=1000"},
	"java, annotations": {"shedlock", "X.java", "@SchedulerLock(lockAtMostFor = \"PT1M\")\nvoid a() {}\n@SchedulerLock(lockAtMostFor = \"2m\", lockAtLeastFor = \"PT30S\")\nvoid b() {}\n",
		"line 1@1 lockAtMostFor=PT1M\nline 3@3 lockAtLeastFor=PT30S lockAtMostFor=2m"},
	"python":    {"redis-py", "x.py", "# timeout=1\nlock = r.lock(\"timeout: 5\", timeout=60*0.5, blocking_timeout=None)\n", "@2 blocking_timeout=None timeout=30"},
	"node":      {"node-redlock", "x.js", "new Redlock([c], { retryCount: 3, retryDelay: 0.2 * 1000 });\nredlock.using([`a`], 5000, async () => {});\n", "@1 duration=5000 retryCount=3 retryDelay=200 using=true"},
	"remark":    {"redis-py", "x.py", "# lockplan: timeout = 2.5\n# lockplan: extend_replaces_ttl = true\nLOCK = {\n    \"timeout\": 0.5,\n}\n", "@2 extend_replaces_ttl=true timeout=0.5"},
	"only said": {"redis-py", "x.py", "# lockplan: timeout = 2.5\nLOCK = {\n}\n", "error: x.py:1: timeout: the comment says 2.5, and the code does not say it"},
}

// TestParse: what each form says, by the rules of its format; what may be read
// in two ways is refused.
func TestParse(t *testing.T) {
	for name, r := range readings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

// check holds what a file is read as against what it says.
func (r reading) check(t *testing.T) {
	t.Helper()
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
}

func told(all []Config) string {
	var lines []string
	for _, c := range all {
		line := fmt.Sprintf("%s@%d", c.What, c.Line)
		for _, key := range slices.Sorted(maps.Keys(c.Values)) {
			if v := c.Values[key]; v.Unknown != "" {
				line += " " + key + "?" + v.Unknown
			} else {
				line += " " + key + "=" + v.Text
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestParseIsBounded: texts that grow when they are read are refused, not
// read: the work is counted, not timed.
func TestParseIsBounded(t *testing.T) {
	sequences, merges := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n", "a0: &a0 {timeout: 1}\n"
	for i := 1; i < 12; i++ {
		nine := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ",")
		sequences += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, nine)
		merges += fmt.Sprintf("a%d: &a%d {<<: [%s]}\n", i, i, nine)
	}
	many := strings.Repeat("k: 1\n", maxEntries+1)
	lib, err := Get("redisson")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"sequences": sequences, "merges": merges, "keys": many, "items": strings.Repeat("- k\n", 3*maxEntries),
		"depth": strings.Repeat("[", 5000) + strings.Repeat("]", 5000)} {
		if _, err := ParseAll(lib, "x.yaml", []byte(text)); err == nil {
			t.Errorf("%s are read", name)
		} else {
			usage(t, err)
		}
	}
	if _, err := ParseAll(lib, "x.properties", []byte(strings.ReplaceAll(many, ": ", "="))); err == nil {
		t.Error("properties are read")
	}
}

// TestUnknownValues: what depends on a value that is not known is null, and
// what does not is still said: by comparing with the verdicts on known values.
func TestUnknownValues(t *testing.T) {
	lib, err := Get("client-go")
	if err != nil {
		t.Fatal(err)
	}
	unknown := Value{Text: "${X}", Unknown: "comes from the environment and has no default"}
	judge := func(values Values) Verdict {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := judge(Values{"leaseDuration": unknown})
	if v.Consequences.TTL != nil || v.Run.HasLease || len(v.Unknown) != 1 {
		t.Errorf("an unknown lease is %v, unknown %q", v.Consequences.TTL, v.Unknown)
	}
	v = judge(Values{"leaseDuration": {Text: "60s"}, "renewDeadline": {Text: "40s"}, "retryPeriod": unknown})
	if v.Consequences.TTL == nil || *v.Consequences.TTL != time.Minute || v.Consequences.Outage != nil {
		t.Errorf("with an unknown retry period: lease %v, outage %v", v.Consequences.TTL, v.Consequences.Outage)
	}
	v = judge(Values{"leaseDuration": {Text: "10s"}, "renewDeadline": {Text: "10s"}, "clientTimeout": unknown})
	if !slices.Contains(ids(v), "LP640") {
		t.Errorf("a lease at its renew deadline is an error whatever the client's timeout: %q", ids(v))
	}
	if lib, err = Get("redisson"); err != nil {
		t.Fatal(err)
	}
	if v = judge(Values{"connectTimeout": unknown}); len(v.Unknown) != 0 || v.Consequences.TTL == nil {
		t.Errorf("an unknown connect timeout changes the verdict: %q", v.Unknown)
	}
}

func ids(v Verdict) (out []string) {
	for _, f := range v.Findings {
		out = append(out, f.ID)
	}
	return out
}

// TestRanges: what the library's type cannot hold, and counts below 0.
func TestRanges(t *testing.T) {
	for _, r := range []struct{ lib, key, text, want string }{
		{"redisson", "timeout", "2147483648", "does not fit into the 32 bits"},
		{"redisson", "timeout", "2147483647", ""},
		{"redisson", "lockWatchdogTimeout", "2147483648", ""}, // a long
		{"zookeeper", "sessionTimeout", "3000000000", "does not fit into the 32 bits"},
		{"redisson", "connectionPoolSize", "-1", "is negative"},
		{"generic", "retries", "-1", "is negative"},
		{"go-redis", "MaxRetries", "-1", ""}, // none
		{"redis-py", "socket_timeout", "None", ""},
		{"redis-py", "timeout", "None", ""},
	} {
		lib, err := Get(r.lib)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{r.key: {Text: r.text}}})
		if (err == nil) != (r.want == "") || err != nil && !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s %s=%s: %v, want %q", r.lib, r.key, r.text, err, r.want)
		}
	}
}
