package library

import (
	"strings"
	"testing"
)

// research/libs-redis.md 2.1, 2.6 and RS1; TestRealRedisson asks the loaders of
// 3.43.0, 3.47.0, 3.52.0 and 4.2.0 on both sides of each edge.
func TestLP500(t *testing.T) {
	constant, equal := constantDelay("PT0.5S"), "!<org.redisson.config.EqualJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}"
	ruleEdges(t, "LP500", []ruleEdge{
		{"", "redisson@3.52", []string{"retryInterval=1500"}},
		{"error", "redisson@4.0", []string{"retryInterval=1500"}},
		{"error", "redisson@3.47", []string{"retryDelay=" + equal}},
		{"", "redisson@3.48", []string{"retryDelay=" + equal}},
		{"error", "redisson@3.52", []string{"retryDelay=" + constant}},
		{"", "redisson@4.0", []string{"retryDelay=" + constant}},
		{"error", "redisson@3.45.1", []string{"fairLockWaitTimeout=1000"}},
		{"", "redisson@3.46", []string{"fairLockWaitTimeout=1000"}},
		{"error", "redisson@3.43", []string{"lockWatchdogBatchSize=10"}},
		{"", "redisson@3.44", []string{"lockWatchdogBatchSize=10"}},
		{"error", "redisson@3.23", []string{"subscriptionTimeout=1000"}},
		{"", "redisson@3.24", []string{"subscriptionTimeout=1000"}},
		{"error", "redisson@3.21", []string{"slavesSyncTimeout=1000"}},
		{"", "redisson@3.22", []string{"slavesSyncTimeout=1000"}},
		{"error", "redisson@3.18", []string{"lockType=fenced"}}, // 2.5: RFencedLock from 3.19 on
		{"", "redisson@3.19", []string{"lockType=fenced"}},
	})
}

// What a loader makes of the arguments and the class of a delay (2.6: "a
// missing key => exception"); TestRealRedisson asks them.
func TestLP500Delays(t *testing.T) {
	for text, refused := range redissonDelays {
		for version, want := range refused {
			want := map[bool]string{true: "error"}[want]
			if got := severityOf(judged(t, "redisson@"+version, "retryDelay="+text), "LP500"); got != want {
				t.Errorf("%s %s: %q, want %q", version, text, got, want)
			}
		}
	}
}

// redissonDelays say whether the loaders of 3.52 and 4.2 refuse a delay.
var redissonDelays = map[string]map[string]bool{
	"!<org.redisson.config.EqualJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}":            {"3.52": false, "4.2": false},
	"!<org.redisson.config.FullJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}":             {"3.52": false, "4.2": false},
	"!<org.redisson.config.DecorrelatedJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}":     {"3.52": false, "4.2": false},
	"!<org.redisson.config.DecorrelatedJitterDelay> {minDelay: PT1S, maxDelay: PT2S}":      {"3.52": true, "4.2": true},
	"!<org.redisson.config.EqualJitterDelay> {baseDelay: PT1S}":                            {"3.52": true, "4.2": true},
	"!<org.redisson.config.EqualJitterDelay> {delay: PT1S}":                                {"3.52": true, "4.2": true},
	"!<org.redisson.config.EqualJitterDelay> {}":                                           {"3.52": true, "4.2": false},
	"!<org.redisson.config.EqualJitterDelay> {baseDelay: PT1S, maxDelay: PT2S, foo: PT1S}": {"3.52": true, "4.2": false},
	"!<org.redisson.config.EqualJitterDelay> {baseDelay: 1, maxDelay: 2}":                  {"3.52": false, "4.2": true},
	"!<org.redisson.config.EqualJitterDelay> {baseDelay: 1s, maxDelay: 2s}":                {"3.52": true, "4.2": true},
	"!<org.redisson.config.ConstantDelay> {baseDelay: PT1S}":                               {"3.52": true, "4.2": true},
	"!<org.redisson.config.ConstantDelay> {}":                                              {"3.52": true, "4.2": false},
	"!<org.redisson.config.ConstantDelay> {delay: 1000}":                                   {"3.52": true, "4.2": true},
	"!<org.redisson.config.FooJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}":              {"3.52": true, "4.2": true},
	"!<EqualJitterDelay> {baseDelay: PT1S, maxDelay: PT2S}":                                {"3.52": true, "4.2": true},
	"!!org.redisson.config.ConstantDelay {delay: PT1S}":                                    {"3.52": true, "4.2": false},
	"{delay: PT1S}": {"3.52": true, "4.2": true},
	"{class: org.redisson.config.EqualJitterDelay, baseDelay: PT1S, maxDelay: PT2S}": {"3.52": false, "4.2": true},
	"PT1S": {"3.52": true, "4.2": true},
	"1000": {"3.52": true, "4.2": true},
}

// lp500File is what LP500 says about a file.
func lp500File(t *testing.T, version, name, text string) (severity, said string) {
	t.Helper()
	lib, err := Get("redisson@" + version)
	if err != nil {
		t.Fatal(err)
	}
	values, err := Parse(lib, name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Findings {
		if f.ID == "LP500" {
			said += place(Value{File: f.File, Line: f.Line}) + f.Message + " -> " + f.Fix + "\n"
		}
	}
	return severityOf(v, "LP500"), said
}

// The keys of a file of Redisson's own: every version that was looked at
// refuses what it does not know, and names it by its line.
func TestLP500Keys(t *testing.T) {
	const block = "singleServerConfig:\n  address: \"redis://a:6379\"\n"
	for name, row := range map[string]struct{ version, file, text, want, says string }{
		"a slip at the root":         {"4.2", "r.yaml", "lockWatchdogTimout: 10000\n" + block, "error", "r.yaml:1: Redisson 4.2 has no key lockWatchdogTimout at the root: the file is refused -> lockWatchdogTimeout"},
		"of an old version":          {"3.16", "r.yaml", "lockWatchdogTimout: 10000\n" + block, "error", "-> lockWatchdogTimeout"},
		"a slip in the block":        {"3.43", "r.yaml", block + "  timout: 300\n", "error", "r.yaml:3: Redisson 3.43 has no key timout in singleServerConfig: the file is refused -> timeout"},
		"a slip before a list":       {"4.2", "r.yaml", "sentinelServersConfig:\n  sentinelAddreses: [a, b]\n  masterName: m\n", "error", "-> sentinelAddresses"},
		"a slip in the block's name": {"4.2", "r.yaml", "singleserverconfig:\n  address: a\n", "error", "-> did you mean singleServerConfig"},
		"two":                        {"4.2", "r.yaml", "bogus: 1\n" + block + "  timout: 3\n", "error", "r.yaml:4: "},
		"out of its block":           {"4.2", "r.yaml", "timeout: 3000\n" + block, "error", "in the block of the mode"},
		"out of the root":            {"4.2", "r.yaml", block + "  threads: 4\n", "error", "at the root of the file"},
		"a key of another mode":      {"4.2", "r.yaml", block + "  masterName: m\n", "error", "masterName in singleServerConfig"},
		"a key of later versions":    {"3.52", "r.yaml", "password: x\n" + block, "error", "password at the root"},
		"now it is one":              {"4.2", "r.yaml", "password: x\n" + block, "", ""},
		"between them it may be":     {"3.53", "r.yaml", "password: x\n" + block, "", ""},
		"foreign":                    {"4.2", "r.yaml", "bogus: 1\n" + block, "error", "-> without it"},
		"nobody asked this version":  {"4.7", "r.yaml", "bogus: 1\n" + block, "warning", "neither do 3.43 to 4.2"},
		"nor this one":               {"3.16", "r.yaml", "bogus: 1\n" + block, "warning", ""},
		"an odd name":                {"4.2", "r.yaml", "\"a:b\\e[1m\": 1\n" + block, "error", `r.yaml:1: Redisson 4.2 has no key a:b\x1b[1m at the root`},
		"a name to be filled in":     {"4.2", "r.yaml", "${NAME}: 1\n" + block, "", ""},
		"objects":                    {"4.2", "r.yaml", "codec: !<org.redisson.codec.Kryo5Codec> {}\nthreads: 4\n" + block, "", ""},
		"nested":                     {"3.52", "a.yaml", "spring:\n  redis:\n    redisson:\n      config: |\n        threds: 1\n        singleServerConfig:\n          address: a\n  other: 1\nbogus: 2\n", "error", "a.yaml:5: Redisson 3.52 has no key threds at the root"},
		"beside the nested text":     {"3.52", "a.yaml", "bogus: 1\nspring:\n  redis:\n    redisson:\n      config: |\n        threads: 1\n        singleServerConfig:\n          address: a\n  timout: 1\n", "", ""},
		"another's sections":         {"4.2", "a.yaml", block + "server:\n  port: 80\n", "error", "a.yaml:3: Redisson 4.2 has no key server at the root"},
		"a mapping":                  {"3.52", "r.yaml", "defaults: {x: 1}\n" + block, "error", "r.yaml:1: Redisson 3.52 has no key defaults at the root: the file is refused -> without it"},
		"an empty mapping":           {"4.2", "r.yaml", "defaults: {}\n" + block, "error", "r.yaml:1: Redisson 4.2 has no key defaults"},
		"Spring's beside the block":  {"4.2", "r.yaml", "spring: {x: 1}\n" + block, "error", "has no key spring"},
		"Spring's beside a key":      {"4.2", "r.yaml", "spring: {x: 1}\nlockWatchdogTimeout: 9000\n", "error", "has no key spring"},
		"JSON":                       {"4.2", "r.json", `{"singleServerConfig": {"address": "a"}, "defaults": {"x": 1}}`, "error", "has no key defaults"},
		"a mistyped block":           {"3.52", "r.yaml", "clusterServerConfig:\n  nodeAddresses: [a]\nlockWatchdogTimeout: 9000\n", "error", "r.yaml:1: Redisson 3.52 has no key clusterServerConfig at the root: the file is refused -> did you mean clusterServersConfig"},
		"a mistyped block alone":     {"4.2", "r.json", `{"singleServerConfigs": {"timeout": 500}}`, "error", "-> did you mean singleServerConfig"},
		"a mapping in the text":      {"4.2", "a.yaml", "spring:\n  redis:\n    redisson:\n      config: |\n        defaults: {x: 1}\n        singleServerConfigs:\n          timeout: 500\n        lockWatchdogTimeout: 9000\nserver: {port: 80}\n", "error", "a.yaml:6: Redisson 4.2 has no key singleServerConfigs at the root: the file is refused -> did you mean singleServerConfig"},
		"an application's mapping":   {"4.2", "a.yaml", "app:\n  lockWatchdogTimeout: 9000\n  other: {x: 1}\nserver: {port: 80}\n", "", ""},
		"another's file":             {"4.2", "a.yaml", "redisson:\n  singleServerConfig:\n    address: a\n    timout: 1\n", "", ""},
		"not the loader's":           {"4.2", "a.properties", "singleServerConfig.address=a\nsingleServerConfig.timout=1\nbogus=1\n", "", ""},
		"a manifest":                 {"4.2", "m.yaml", "kind: ConfigMap\nmetadata: {name: x}\nbogus: 1\ndata:\n  redisson.yaml: |\n    threads: 1\n    singleServerConfig: {address: a}\n", "", ""},
	} {
		severity, said := lp500File(t, row.version, row.file, row.text)
		if severity != row.want || !strings.Contains(said, row.says) {
			t.Errorf("%s: %q %s, want %q %s", name, severity, said, row.want, row.says)
		}
	}
}

// A loader reads no Java: 3.52.0 and 4.2.0 take both setters (TestRealRedisson).
func TestLP500Java(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"c.useSingleServer().setTimeout(500).setRetryInterval(200);":                                    {"3.52": "", "4.2": ""},
		"c.useSingleServer().setTimeout(500).setRetryDelay(new ConstantDelay(Duration.ofMillis(200)));": {"3.47": "error", "3.52": "", "4.2": ""},
		"c.setFairLockWaitTimeout(3000);":                                                               {"3.43": "error", "4.2": ""},
	} {
		for version, want := range want {
			if got, said := lp500File(t, version, "R.java", text); got != want {
				t.Errorf("%s %s: %q %s, want %q", version, text, got, said, want)
			}
		}
	}
}
