package library

import (
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/lockplan/lockplan/calc"
)

// fitted is a plan for a library, hold 20 s renewed.
func fitted(t interface {
	Helper()
	Fatal(...any)
}, name string, given Values) (Fitted, calc.Inputs) {
	t.Helper()
	lib, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	in := calc.Inputs{Library: Configured(lib, given), Hold: calc.Claim(20*time.Second, "--p999"), HoldP99: calc.Claim(12*time.Second, "--p99"),
		Pause: calc.Claim(1500*time.Millisecond, "--pause"), RTT: calc.Claim(5*time.Millisecond, "--rtt"), RTO: calc.Claim(time.Minute, "--rto"), Fencing: calc.FencingYes}
	if !lib.Traits().NoRenewed {
		in.Mode = calc.Renewed
	}
	if _, scheduled := in.Library.(calc.Scheduled); scheduled { // the recovery target rests on its period
		in.Detect = calc.Claim(10*time.Second, "--detect")
	}
	in, err = in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	s := calc.Solve(in)
	got, err := Fit(in.Library.(Library), Wanted{In: in, Lease: s.Lease, MaxHold: calc.MaxHold(in, s), Given: given})
	if err != nil {
		t.Fatal(err)
	}
	return got, in
}

// lost are the lines of before that after has not, in their order.
func lost(before, after string) []string {
	var out []string
	now := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		i := 0
		for i < len(now) && now[i] != line {
			i++
		}
		if i == len(now) {
			out = append(out, line)
			continue
		}
		now = now[i+1:]
	}
	return out
}

const springFile = `# my header
spring:
  application:
    name: shop   # the app
  redis:
    redisson:
      config: |
        # redisson of ours
        singleServerConfig:
          # do not touch
          address: "redis://${REDIS_HOST:localhost}:6379"
          timeout: 20000   # long
        lockWatchdogTimeout: 30000
        codec: !<org.redisson.codec.Kryo5Codec> {}
server: {port: 8080}
list:
- a
-   b
x: &x {a: 1}
y:
  <<: *x
`

// The text nested in a Spring file is what Redisson loads: the keys go into it,
// and nothing else of the file changes.
func TestEmitIntoNestedText(t *testing.T) {
	fit, in := fitted(t, "redisson@4", nil)
	text, err := Render(fit, "shop", "yaml", springFile)
	if err != nil {
		t.Fatal(err)
	}
	gone := lost(springFile, text)
	if want := []string{"          timeout: 20000   # long", "        lockWatchdogTimeout: 30000"}; strings.Join(gone, "\n") != strings.Join(want, "\n") {
		t.Errorf("changed lines: %q", gone)
	}
	var doc struct {
		Spring struct {
			Redis struct {
				Redisson struct{ Config string }
			}
		}
		Root int `yaml:"lockWatchdogTimeout"`
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Root != 0 || strings.Contains(text, "\nsingleServerConfig") {
		t.Errorf("keys stand at the root:\n%s", text)
	}
	var inner struct {
		Watchdog int `yaml:"lockWatchdogTimeout"`
		Single   struct {
			Address string
			Timeout int
		} `yaml:"singleServerConfig"`
	}
	if err := yaml.Unmarshal([]byte(doc.Spring.Redis.Redisson.Config), &inner); err != nil {
		t.Fatal(err)
	}
	if inner.Watchdog != int(fit.Verdict.Consequences.TTL.Milliseconds()) || inner.Single.Timeout >= 20000 || !strings.Contains(inner.Single.Address, "${REDIS_HOST:localhost}") {
		t.Errorf("the text says %+v:\n%s", inner, text)
	}
	if err := Merged(fit, in, "application.yaml", springFile, text); err != nil {
		t.Error(err)
	}
	if again, err := Render(fit, "shop", "yaml", text); err != nil || again != text {
		t.Errorf("a second emit changes the file: %v\n%s", err, again)
	}
}

// What cannot be changed without changing something else is refused with the
// line, and with what to do.
func TestEmitRefusesToBreak(t *testing.T) {
	for _, c := range []struct{ name, library, form, file, want string }{
		{"an anchor that is used", "redisson@4", "yaml", "singleServerConfig: {retryAttempts: &r 4}\nother: *r\n", "line 1: retryAttempts stands behind the anchor r, which line 2 uses"},
		{"a mapping that is used", "redisson@4", "yaml", "a: 1\nsingleServerConfig: &b {timeout: 3}\nother: *b\n", "line 2: timeout stands behind the anchor b, which line 3 uses"},
		{"an alias", "redisson@4", "yaml", "b: &b {timeout: 3}\nsingleServerConfig: *b\n", "line 2: timeout stands behind an anchor"},
		{"a Spring file without Redisson", "redisson@4", "yaml", "spring:\n  data: {}\n", "nobody reads Redisson's keys at the root"},
		{"a Spring file that names a file", "redisson@4", "yaml", "spring:\n  redis:\n    redisson:\n      file: classpath:redisson.yaml\n", "line 4: the application loads classpath:redisson.yaml"},
		{"a manifest", "client-go", "yaml", "kind: Deployment\nspec: {args: [--leader-elect-lease-duration=15s]}\n", "line 2: leader-elect-lease-duration is an argument of a command"},
		{"a text in quotes", "redisson@4", "yaml", "spring.redis.redisson.config: \"singleServerConfig:\\n  timeout: 3\\n\"\n", "line 1: spring.redis.redisson.config is a text that cannot be changed in place"},
		{"two texts", "redisson@4", "yaml", "a: |\n  lockWatchdogTimeout: 1\nb: |\n  lockWatchdogTimeout: 2\n", "lines 1 and 3 each hold"},
		{"two documents", "redisson@4", "yaml", "lockWatchdogTimeout: 1\n---\nlockWatchdogTimeout: 2\n", "lines 1 and 3 begin documents"},
		{"a key of another version", "redisson@4", "yaml", "lockWatchdogTimeout: 1\nsingleServerConfig:\n  retryInterval: 1500\n", "f.yaml:3: LP500"},
		{"the same in properties", "redisson@4", "properties", "x=1\nretryInterval=1500\n", "f.properties:2: LP500"},
		{"what is no object", "redis-py", "json", "[1]\n", "not a JSON object"},
	} {
		fit, in := fitted(t, c.library, nil)
		text, err := Render(fit, "", c.form, c.file)
		if err == nil {
			err = Merged(fit, in, "f"+Extension(c.form), c.file, text)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
	}
}

// What is not the library's stays as it stands: documents, comments above and
// behind, lists, merge keys, order, separators, line ends.
func TestEmitKeepsTheRest(t *testing.T) {
	for _, c := range []struct {
		name, library, form, file string
		gone                      []string // lines that may change
	}{
		{"documents", "redisson@4", "yaml", "# a\n---\nsingleServerConfig:\n   # b\n   timeout: 3000 # c\n   retryDelay: !<org.redisson.config.EqualJitterDelay>\n     baseDelay: PT1S\n     maxDelay: PT2S\n   address: x\n\n# d\n---\nsecond: 2\n...\n",
			[]string{"   timeout: 3000 # c", "   retryDelay: !<org.redisson.config.EqualJitterDelay>", "     baseDelay: PT1S", "     maxDelay: PT2S"}},
		{"a flow mapping", "client-go", "yaml", "kind: X\nleaderElection: {leaderElect: true, leaseDuration: \"15s\", # y\n  retryPeriod: 2s}\nother: [a, 'b # c', {d: e}]\n",
			[]string{"leaderElection: {leaderElect: true, leaseDuration: \"15s\", # y", "  retryPeriod: 2s}"}},
		{"a ConfigMap", "client-go", "yaml", "kind: ConfigMap\ndata:\n  c.yaml: |-\n    kind: X\n    leaderElection:\n      leaseDuration: 15s\n    z: 1\n", []string{"      leaseDuration: 15s"}},
		{"an empty value", "client-go", "yaml", "leaderElection: # of ours\nz: 1\n", nil},
		{"properties", "spring-integration", "properties", "! note\n# mine; really\nspring.data.redis.timeout  30s\nother = \\\n   two \\\n   lines\nspring.data.redis.connectTimeout: 1s\n", []string{"spring.data.redis.timeout  30s", "spring.data.redis.connectTimeout: 1s"}},
		{"TOML", "redis-py", "toml", "timeout = 5 # mine\n[http]\ntimeout = 30\n", []string{"timeout = 5 # mine"}},
		{"a command line", "client-go", "flags", "kube-scheduler --v=2 --leader-elect-lease-duration 15s \\\n  --bind-address=0.0.0.0\n", []string{"kube-scheduler --v=2 --leader-elect-lease-duration 15s \\", "  --bind-address=0.0.0.0"}},
		{"flags of a command", "client-go", "flags", "--leader-elect=true \\\n--leader-elect-retry-period=2s \\\n--v=2 \\\n", []string{"--leader-elect-retry-period=2s \\"}},
		{"a script", "client-go", "flags", "cd /x\nexec kcm --leader-elect-lease-duration=15s --v=2\n", []string{"exec kcm --leader-elect-lease-duration=15s --v=2"}},
		{"JSON", "redis-py", "json", "{\n  \"z\": [1,  2],\n  \"timeout_s\": 9,\n  \"a\": {\"b\": 1.50}\n}\n", []string{"  \"timeout_s\": 9,", "  \"a\": {\"b\": 1.50}"}},
		{"line ends", "zookeeper", "properties", "\ufeffdataDir=/d\r\nclientPort=2181", []string{"\ufeffdataDir=/d\r", "clientPort=2181"}},
	} {
		fit, in := fitted(t, c.library, around(t, c.library, "f"+Extension(c.form), c.file))
		text, err := Render(fit, "", c.form, c.file)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if gone := lost(c.file, text); strings.Join(gone, "\n") != strings.Join(c.gone, "\n") {
			t.Errorf("%s: changed lines %q\n%s", c.name, gone, text)
		}
		if err := Merged(fit, in, "f"+Extension(c.form), c.file, text); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
		if again, err := Render(fit, "", c.form, text); err != nil || again != text {
			t.Errorf("%s: a second emit changes the file: %v\n%s\n---\n%s", c.name, err, text, again)
		}
		if strings.Contains(c.file, "# c") && !strings.Contains(text, "# c") || strings.Contains(c.file, "# mine") && !strings.Contains(text, "# mine") {
			t.Errorf("%s: a comment is gone:\n%s", c.name, text)
		}
	}
	fit, _ := fitted(t, "zookeeper", nil)
	text, _ := Render(fit, "", "properties", "\ufeffdataDir=/d\r\nclientPort=2181")
	if !strings.HasPrefix(text, "\ufeff# generated") || strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.HasSuffix(text, "\n") {
		t.Errorf("mark, line ends or the open last line are not kept: %q", text)
	}
}

// A key that an earlier plan wrote and the new one has not is taken away; the
// user's own of the same kind are not.
func TestEmitTakesBackItsOwn(t *testing.T) {
	for _, form := range []string{"yaml", "json", "properties", "toml", "env"} {
		renewed, in := fitted(t, "redis-py", nil)
		text, err := Render(renewed, "", form, map[string]string{"json": "{\"mine\": 1}\n", "yaml": "mine: 1\n"}[form])
		if err != nil || !strings.Contains(strings.ToLower(text), "reacquire_every") {
			t.Fatalf("%s: %v\n%s", form, err, text)
		}
		in.Mode, in.Hold = calc.Fixed, calc.Claim(time.Second, "--p999")
		s := calc.Solve(in)
		fixed, err := Fit(renewed.Library, Wanted{In: in, Lease: s.Lease, MaxHold: calc.MaxHold(in, s)})
		if err != nil {
			t.Fatal(err)
		}
		now, err := Render(fixed, "", form, text)
		if err != nil || strings.Contains(strings.ToLower(now), "reacquire_every") || strings.Contains(text, "mine") != strings.Contains(now, "mine") {
			t.Errorf("%s: %v\n%s", form, err, now)
		}
		if err := Merged(fixed, in, "f"+Extension(form), text, now); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// Variables are those that the users of a library set.
func TestEnvironmentNames(t *testing.T) {
	for name, want := range map[string][]string{
		"etcd":               {"ETCD_HEARTBEAT_INTERVAL=200", "ETCD_ELECTION_TIMEOUT=2000"},
		"zookeeper":          {"ZOO_TICK_TIME="},
		"spring-integration": {"SPRING_DATA_REDIS_TIMEOUT=", "SPRING_DATA_REDIS_CONNECTTIMEOUT="},
	} {
		given := Values{}
		if name == "etcd" {
			given = Values{"heartbeat-interval": {Text: "200"}, "election-timeout": {Text: "2000"}}
		}
		fit, in := fitted(t, name, given)
		text, err := Render(fit, "", "env", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(text, "\n"+line) {
				t.Errorf("%s: no %s in\n%s", name, line, text)
			}
		}
		if err := Merged(fit, in, "f.env", "", text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A command line holds only flags that the program has.
func TestFlagsAreKnown(t *testing.T) {
	for name, flags := range map[string]string{
		"client-go": "--leader-elect-lease-duration --leader-elect-renew-deadline --leader-elect-retry-period",
		"etcd":      "--heartbeat-interval --election-timeout",
	} {
		given := Values{}
		if name == "etcd" {
			given = Values{"heartbeat-interval": {Text: "200"}, "election-timeout": {Text: "2000"}}
		}
		fit, in := fitted(t, name, given)
		text, err := Render(fit, "", "flags", "")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			flag, _, _ := strings.Cut(line, "=")
			if strings.HasPrefix(line, "--") && !strings.Contains(flags, flag) {
				t.Errorf("%s: %s", name, line)
			}
		}
		if err := Merged(fit, in, "f.flags", "", text); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// Whatever YAML stands there: emit keeps every foreign value, or refuses.
func TestEmitIntoAnyYAML(t *testing.T) {
	fit, _ := fitted(t, "redisson@4", nil)
	rapid.Check(t, func(t *rapid.T) {
		text := anyYAML(t, 0, "")
		var before map[string]any
		if yaml.Unmarshal([]byte(text), &before) != nil {
			t.Skip("no YAML")
		}
		after, err := Render(fit, "", "yaml", text)
		if err != nil {
			return
		}
		var now map[string]any
		if err := yaml.Unmarshal([]byte(after), &now); err != nil {
			t.Fatalf("%v\n%s---\n%s", err, text, after)
		}
		for key, v := range before {
			if key == "singleServerConfig" || key == "lockWatchdogTimeout" {
				continue
			}
			x, _ := yaml.Marshal(v)
			y, _ := yaml.Marshal(now[key])
			if string(x) != string(y) {
				t.Fatalf("%s was %s, is %s\n%s---\n%s", key, x, y, text, after)
			}
		}
	})
}

// anyYAML draws a mapping with keys of Redisson's and others, in every style.
func anyYAML(t *rapid.T, depth int, pad string) string {
	var out strings.Builder
	names := []string{"a", "b", "lockWatchdogTimeout", "singleServerConfig"}
	if depth > 0 {
		names = []string{"timeout", "retryAttempts", "address", "retryDelay", "x"}
	}
	for _, name := range rapid.Permutation(names).Draw(t, "keys")[:rapid.IntRange(1, len(names)).Draw(t, "count")] {
		out.WriteString(rapid.SampledFrom([]string{"", "", "\n", pad + "# note\n", pad + "# ms; mine\n"}).Draw(t, "above"))
		out.WriteString(pad + name + ":")
		if depth == 0 && (name == "singleServerConfig" || name == "a" && rapid.Bool().Draw(t, "deep")) {
			out.WriteString(rapid.SampledFrom([]string{"\n", " # behind\n"}).Draw(t, "behind") + anyYAML(t, 1, pad+rapid.SampledFrom([]string{" ", "  ", "    "}).Draw(t, "indent")))
			continue
		}
		out.WriteString(rapid.SampledFrom([]string{
			" 1", " 3000 # c", "", " ~", " 'it''s'", ` "a \" # b"`, " |\n" + pad + "   text\n\n" + pad + "   more", " >-\n" + pad + "  folded", " {timeout: 1, y: [1, '}']}", " [1,\n" + pad + "  2]",
			" &q 1", " plain over\n" + pad + "  two lines", "\n" + pad + "- 1\n" + pad + "- x: 2", " !<org.redisson.config.ConstantDelay> {delay: PT1S}", " !!str 5",
		}).Draw(t, "value") + "\n")
	}
	return out.String()
}
