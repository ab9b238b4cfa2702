package library

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rootReadings are the files of TestRedissonRoot, also seeds of FuzzParse. The
// settings are those that the same lines say in Redisson's own file.
var rootReadings = map[string]reading{
	"any name":                   {"redisson", "application.yaml", "app:\n  lock:\n    redis:\n      lockWatchdogTimeout: 9000\n      singleServerConfig: {timeout: 500}\n", "@4 lockWatchdogTimeout=9000 mode=single timeout=500"},
	"the watchdog alone":         {"redisson", "a.yaml", "app: {lock: {lockWatchdogTimeout: 9000}}\n", "@1 lockWatchdogTimeout=9000"},
	"the block alone":            {"redisson", "a.yaml", "app:\n  clusterServersConfig:\n    nodeAddresses: [a]\n  slavesSyncTimeout: 100\n", "@3 mode=cluster slavesSyncTimeout=100"},
	"in dashes":                  {"redisson", "a.yaml", "app:\n  lock-watchdog-timeout: 9000\n  sentinel-servers-config:\n    retry-attempts: 2\n", "@2 lockWatchdogTimeout=9000 mode=sentinel retryAttempts=2"},
	"properties":                 {"redisson", "a.properties", "app.x.lockWatchdogTimeout=9000\napp.x.singleServerConfig.timeout=500\napp.timeout=3\n", "@1 lockWatchdogTimeout=9000 mode=single timeout=500"},
	"JSON":                       {"redisson", "a.json", "{\"a\": {\"b\": {\"lockWatchdogTimeout\": 9000}}}\n", "@1 lockWatchdogTimeout=9000"},
	"a text in a ConfigMap":      {"redisson", "m.yaml", "kind: ConfigMap\ndata:\n  application.yaml: |\n    app:\n      lock:\n        lockWatchdogTimeout: 9000\n        singleServerConfig:\n          timeout: 500\n", "@6 lockWatchdogTimeout=9000 mode=single timeout=500"},
	"the application's timeout":  {"redisson", "a.yaml", "app:\n  timeout: 60000\n  waitTime: 100\n  lockWatchdogTimeout: 9000\n  singleServerConfig: {timeout: 500}\nhttp: {timeout: 7}\n", "@3 lockWatchdogTimeout=9000 mode=single timeout=500 waitTime=100"},
	"no block, a flat mapping":   {"redisson", "a.yaml", "app:\n  lockWatchdogTimeout: 9000\n  timeout: 500\n", "@2 lockWatchdogTimeout=9000 timeout=500"},
	"two":                        {"redisson", "a.yaml", "a:\n  lockWatchdogTimeout: 9000\n  singleServerConfig: {timeout: 500}\nb:\n  lockWatchdogTimeout: 12000\n", "a@2 lockWatchdogTimeout=9000 mode=single timeout=500\nb@5 lockWatchdogTimeout=12000"},
	"beside Redisson's own":      {"redisson", "a.yaml", "lockWatchdogTimeout: 9000\nsingleServerConfig: {timeout: 500}\nb:\n  lockWatchdogTimeout: 12000\n", "@1 lockWatchdogTimeout=9000 mode=single timeout=500\nb@4 lockWatchdogTimeout=12000"},
	"beside Spring's text":       {"redisson", "a.yaml", "spring:\n  redis:\n    redisson:\n      config: |\n        lockWatchdogTimeout: 9000\n        singleServerConfig: {timeout: 500}\napp: {lockWatchdogTimeout: 12000}\n", "spring@5 lockWatchdogTimeout=9000 mode=single timeout=500\napp@7 lockWatchdogTimeout=12000"},
	"items":                      {"redisson", "a.yaml", "locks:\n- {lockWatchdogTimeout: 9000}\n- singleServerConfig: {timeout: 500}\n", "locks[1]@2 lockWatchdogTimeout=9000\nlocks[2]@3 mode=single timeout=500"},
	"a half each":                {"redisson", "a.yaml", "a:\n  lockWatchdogTimeout: 9000\nb:\n  singleServerConfig: {timeout: 500}\n", "error: a.yaml:2: lockWatchdogTimeout stands in one mapping and the block of line 4 in another: one lock, or two?"},
	"a half each, one in a text": {"redisson", "a.yaml", "b: |\n  singleServerConfig:\n    timeout: 500\na:\n  lockWatchdogTimeout: 9000\n", "error: a.yaml:5: lockWatchdogTimeout stands in one mapping and the block of line 2 in another: one lock, or two?"},
	"tagged":                     {"redisson", "a.yaml", "a: !x {lockWatchdogTimeout: 9000}\nb:\n- !y {lockWatchdogTimeout: 9000}\n- [1]\n", "a@1 lockWatchdogTimeout=9000\nb@3 lockWatchdogTimeout=9000"},
	"by the name of redisson":    {"redisson", "a.yaml", "redisson:\n  lockWatchdogTimeout: 9000\n  singleServerConfig: {timeout: 500}\n", "@2 lockWatchdogTimeout=9000 mode=single timeout=500"},
	"a profile lays over":        {"redisson", "application.yaml", "app:\n  lock:\n    lockWatchdogTimeout: 9000\n    singleServerConfig: {timeout: 500}\n---\nspring: {config: {activate: {on-profile: prod}}}\napp: {lock: {lockWatchdogTimeout: 12000}}\n", "@3 lockWatchdogTimeout=9000 mode=single timeout=500\nprod@4 lockWatchdogTimeout=12000 mode=single timeout=500"},
}

// TestRedissonRoot: a mapping that holds the watchdog or a mode's block is
// Redisson's, whatever it is called and however deep it stands.
func TestRedissonRoot(t *testing.T) {
	for name, r := range rootReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

// nest puts a YAML text below keys.
func nest(text string, keys ...string) string {
	indent, out := "", ""
	for _, k := range keys {
		out += indent + k + ":\n"
		indent += "  "
	}
	for line := range strings.Lines(text) {
		out += indent + line
	}
	return out
}

// Redisson's own file says the same below any keys, and emit changes it there
// as it does at the root of a file: same lines, further in.
func TestRedissonRootIsItsOwnFile(t *testing.T) {
	lib, err := Get("redisson")
	if err != nil {
		t.Fatal(err)
	}
	fit, in := fitted(t, "redisson@4", nil)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"app", "lock", "redis", "my-locks", "inventory", "x_1", "redissonLocks"}), 1, 4).Draw(t, "keys")
		own := ""
		if rapid.Bool().Draw(t, "watchdog") {
			own += "lockWatchdogTimeout: 9000\n"
		}
		if own == "" || rapid.Bool().Draw(t, "block") {
			own += "# ours\nsingleServerConfig:\n  address: \"redis://a:6379\" # b\n"
			if rapid.Bool().Draw(t, "timeout") {
				own += "  timeout: 3000\n"
			}
		}
		deep := nest(own, keys...)
		want, err := ParseAll(lib, "a.yaml", []byte(own))
		if err != nil && !strings.Contains(err.Error(), "no setting") {
			t.Fatal(err)
		}
		got, err := ParseAll(lib, "a.yaml", []byte(deep))
		if err != nil && want != nil {
			t.Fatalf("%s\n%v", deep, err)
		}
		for i := range got {
			got[i].Line -= len(keys)
		}
		if told(got) != told(want) {
			t.Fatalf("%s\nread as\n%s\nwant\n%s", deep, told(got), told(want))
		}
		atRoot, err := Render(fit, "", "yaml", own)
		if err != nil {
			t.Fatal(err)
		}
		below, err := Render(fit, "", "yaml", deep)
		if err == nil {
			err = Merged(fit, in, "a.yaml", deep, below)
		}
		if err != nil {
			t.Fatalf("%s\n%v\n%s", deep, err, below)
		}
		head := 1 + len(remarksOf(fit, "yaml", "#"))
		plain, moved := strings.SplitAfter(atRoot, "\n")[head:], strings.SplitAfter(below, "\n")[head:]
		if want := strings.SplitAfter(nest(strings.Join(plain, ""), keys...), "\n"); !slices.Equal(moved, want) {
			t.Fatalf("%s\nwant it as at the root\n%s", below, atRoot)
		}
	})
}

// What is somebody else's, or of two, is refused with its line and what to do.
func TestEmitRefusesTwoRoots(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"two":                  {"a:\n  lockWatchdogTimeout: 9000\nb:\n  lockWatchdogTimeout: 12000\n", "line 4: a lock of its own beside that of line 2"},
		"beside a text":        {"a: |\n  lockWatchdogTimeout: 9000\nb:\n  lockWatchdogTimeout: 12000\n", "line 4: a lock of its own beside that of line 2"},
		"a half each":          {"a:\n  lockWatchdogTimeout: 9000\nb:\n  singleServerConfig: {timeout: 500}\n", "line 2: lockWatchdogTimeout stands in one mapping and the block of line 4"},
		"another mode":         {"a:\n  lockWatchdogTimeout: 9000\n  clusterServersConfig: {timeout: 500}\n", "line 3: the file is for mode cluster, the plan for single"},
		"two without a key":    {"a:\n  singleServerConfig: {address: a}\nb:\n  singleServerConfig: {address: b}\n", "line 4: a lock of its own beside that of line 2"},
		"the second document":  {"x: 1\n---\na:\n  singleServerConfig: {address: a}\nb:\n  singleServerConfig: {address: b}\n", "line 6: a lock of its own beside that of line 4"},
		"none in Spring's own": {"a: {b: 1}\nspring:\n  data: {}\n", "line 2: this is a file of Spring's"},
	} {
		fit, _ := fitted(t, "redisson@4", nil)
		if text, err := Render(fit, "", "yaml", c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// A mapping of Spring's own file is the application's to bind: what stands
// there is changed, placeholders stay.
func TestEmitIntoAMappingOfSpring(t *testing.T) {
	fit, in := fitted(t, "redisson@4", nil)
	const file = "spring:\n  application: {name: x}\napp:\n  lock:\n    lockWatchdogTimeout: ${WATCHDOG:9000}\n    singleServerConfig:\n      timeout: 500\n"
	text, err := Render(fit, "", "yaml", file)
	if err == nil {
		err = Merged(fit, in, "application.yaml", file, text)
	}
	watchdog := fit.Settings[slices.IndexFunc(fit.Settings, func(s Setting) bool { return s.Key == "lockWatchdogTimeout" })].Text
	if err != nil || !strings.Contains(text, "\n    lockWatchdogTimeout: ${WATCHDOG:"+watchdog+"}\n") || strings.Contains(text, "\nsingleServerConfig") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A file that Redisson's loader refuses is none to merge into.
func TestEmitRefusesWhatTheLoaderRefuses(t *testing.T) {
	fit, in := fitted(t, "redisson@4", nil)
	for file, want := range map[string]string{
		"singleServerConfig: {address: a}\ndefaults: {x: 1}\n": "LP500",
		"clusterServerConfig:\n  nodeAddresses: [a]\n":         "LP500",
	} {
		text, err := Render(fit, "", "yaml", file)
		if err == nil {
			err = Merged(fit, in, "redisson.yaml", file, text)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\n%s", err, text)
		}
	}
}
