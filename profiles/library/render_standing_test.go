package library

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// merged is a file after emit, checked as it is written, and after a second
// emit, which changes nothing.
func merged(t *testing.T, library, form, path, file string) (string, error) {
	t.Helper()
	fit, in := fitted(t, library, around(t, library, path, file))
	text, err := Render(fit, "", form, file)
	if err != nil {
		return "", err
	}
	if err := Merged(fit, in, path, file, text); err != nil {
		return text, err
	}
	if again, err := Render(fit, "", form, text); err != nil || again != text {
		t.Errorf("%s: a second emit changes it: %v\n%s\n---\n%s", path, err, text, again)
	}
	return text, nil
}

// around is what a file that exists fixes of a plan, as emit reads it.
func around(t *testing.T, library, path, file string) Values {
	t.Helper()
	lib, err := Get(library)
	if err != nil {
		t.Fatal(err)
	}
	given, err := Surrounding(lib, Values{}, path, file)
	if err != nil {
		t.Fatal(err)
	}
	return given
}

// A value is changed where it stands, and new keys stand beside it: at no time
// are there two places of one lock.
func TestEmitChangesWhatStands(t *testing.T) {
	for _, c := range []struct {
		name, library, form, path, file string
		gone, now                       []string // lines
	}{
		{"nested", "generic", "yaml", "f.yaml", "app: x\nlock:\n  ttl: 30s # lease\nz: 1\n", []string{"  ttl: 30s # lease"}, []string{"  ttl: 5.2s # lease", "  renewInterval: 1.733s"}},
		{"nested JSON", "generic", "json", "f.json", "{\n  \"lock\": {\n    \"ttl\": \"30s\"\n  },\n  \"z\": 1\n}\n", []string{`    "ttl": "30s"`, `  "z": 1`}, []string{`    "ttl": "5.2s",`, `    "renewInterval": "1.733s",`}},
		{"dotted properties", "generic", "properties", "f.properties", "lock.ttl=30s\nz=2\n", []string{"lock.ttl=30s"}, []string{"lock.ttl=5.2s", "lock.renewInterval=1.733s"}},
		{"a table", "generic", "toml", "f.toml", "[lock]\nttl = \"30s\"\n[z]\na = 1\n", []string{`ttl = "30s"`}, []string{`ttl = "5.2s"`, `renewInterval = "1.733s"`}},
		{"a section", "generic", "properties", "f.ini", "a = 1\n[lock]\nttl = 30s\n", []string{"ttl = 30s"}, []string{"ttl = 5.2s", "renewInterval=1.733s"}},
		{"go-redis", "go-redis", "yaml", "f.yaml", "lock: {ttl: 30s}\n", []string{"lock: {ttl: 30s}"}, nil},
		{"redislock", "redislock", "yaml", "f.yaml", "lock:\n  ttl: 30s\n", []string{"  ttl: 30s"}, nil},
		{"redis-py", "redis-py", "json", "f.json", "{\"lock\": {\"timeout\": 30}}\n", []string{"{\"lock\": {\"timeout\": 30}}"}, nil},
		{"etcd", "etcd", "yaml", "f.yaml", "lock:\n  ttl: 60\n", []string{"  ttl: 60"}, nil},
		{"node-redlock", "node-redlock", "yaml", "f.yaml", "lock:\n  duration: 30000\n", []string{"  duration: 30000"}, nil},
		{"helm's values", "client-go", "yaml", "f.yaml", "controller:\n  leaderElection:\n    leaseDuration: \"15s\"\n  z: 1\n", []string{`    leaseDuration: "15s"`}, []string{`    leaseDuration: "6s"`, "    retryPeriod: 1s"}},
		{"Redisson below another key", "redisson@4", "yaml", "f.yaml", "redisson:\n  singleServerConfig:\n    timeout: 3000\n", []string{"    timeout: 3000"}, []string{"  lockWatchdogTimeout: <lockWatchdogTimeout>", "    timeout: <timeout>"}},
		{"Quarkus", "redisson@4", "properties", "f.properties", "quarkus.redisson.single-server-config.timeout=3000\n", []string{"quarkus.redisson.single-server-config.timeout=3000"}, []string{"quarkus.redisson.single-server-config.timeout=<timeout>", "quarkus.redisson.single-server-config.retry-attempts=1"}},
		{"dots in one key", "spring-integration", "yaml", "f.yaml", "lock.expire-after: 60000\n", []string{"lock.expire-after: 60000"}, nil},
		{"a unit in the name", "generic", "yaml", "f.yaml", "lock:\n  ttl_ms: 30000\n", []string{"  ttl_ms: 30000"}, []string{"  ttl_ms: 5200"}},
		{"a unit that makes fractions", "generic", "json", "f.json", "{\"ttl_s\": 30}\n", []string{"{\"ttl_s\": 30}"}, []string{"{\"ttl_s\": \"5.2\",\"renewInterval\": \"1.733s\",\"renewTimeout\": \"105ms\",\"application.stopWork\": \"3.595s\",\"application.maxHold\": \"1m12s\",\"lockplan_why\": {"}},
		{"an item of a list", "generic", "yaml", "f.yaml", "locks:\n- name: a\n  ttl: 30s\n", []string{"  ttl: 30s"}, []string{"  ttl: 5.2s"}},
		{"a file in a ConfigMap", "zookeeper", "yaml", "f.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  zoo.cfg: |\n    sessionTimeout=30000\n    dataDir=/d\n", []string{"    sessionTimeout=30000"}, nil},
		{"a placeholder", "redisson@4", "yaml", "f.yaml", "lockWatchdogTimeout: ${WD:-30000}\n", []string{"lockWatchdogTimeout: ${WD:-30000}"}, []string{"lockWatchdogTimeout: ${WD:-<lockWatchdogTimeout>}"}},
		{"placeholders in each other", "generic", "properties", "f.properties", "ttl=${A:${B:30s}}\n", []string{"ttl=${A:${B:30s}}"}, []string{"ttl=${A:${B:5.2s}}"}},
		{"variables", "redisson@3.52", "env", ".env", "HTTP=3\nexport LOCK_WATCHDOG_TIMEOUT=\"${WD:-30000}\" # ours\n", []string{"export LOCK_WATCHDOG_TIMEOUT=\"${WD:-30000}\" # ours"}, []string{"export LOCK_WATCHDOG_TIMEOUT=\"${WD:-<lockWatchdogTimeout>}\" # ours", "export RETRY_ATTEMPTS=1"}},
		{"variables of the lock's", "redisson@3.52", "env", ".env", "# ms; the lock's\nTIMEOUT='30'\n", []string{"# ms; the lock's", "TIMEOUT='30'"}, []string{"TIMEOUT='<timeout>'"}},
		{"another's timeout", "redis-py", "yaml", "f.yaml", "http: {timeout: 3}\nsocket_timeout: 2\n", nil, []string{"http: {timeout: 3}"}},
	} {
		text, err := merged(t, c.library, c.form, c.path, c.file)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
			continue
		}
		if gone := lost(c.file, text); strings.Join(gone, "\n") != strings.Join(c.gone, "\n") && c.gone != nil {
			t.Errorf("%s: changed lines %q\n%s", c.name, gone, text)
		}
		fit, _ := fitted(t, c.library, nil)
		for _, line := range c.now {
			for _, s := range fit.Settings {
				line = strings.ReplaceAll(line, "<"+s.Key+">", s.Text)
			}
			if !strings.Contains("\n"+text, "\n"+line+"\n") {
				t.Errorf("%s: no line %q in\n%s", c.name, line, text)
			}
		}
	}
}

// What cannot be changed where it stands is refused with its line in the
// user's own file, and with what to type.
func TestEmitRefusesByTheUsersLine(t *testing.T) {
	const compose = "services:\n  shop:\n    image: s\n    environment:\n      LOCK_WATCHDOG_TIMEOUT: 30000\n"
	const pod = "apiVersion: v1\nkind: Pod\nspec: {}\n"
	for _, c := range []struct{ name, library, form, file, want, hint string }{
		{"two locks", "generic", "yaml", "a:\n  ttl: 30s\nb:\n  ttl: 40s\n", "line 4: a lock of its own beside that of line 2", "a file each"},
		{"a root and two places", "redis-py", "yaml", "timeout: 5\na:\n  timeout: 30\n", "line 3: a lock of its own beside that of line 1", "a file each"},
		{"two tables", "generic", "toml", "[a]\nttl = \"30s\"\n[b]\nttl = \"40s\"\n", "line 4: a lock of its own", "a file each"},
		{"twice in a place", "client-go", "yaml", "leaderElection:\n  leaseDuration: 15s\n  leaseDuration: 16s\n", "line 3: leaseDuration is set twice, on lines 2 and 3", "one of them"},
		{"Compose's variable", "redisson@3.52", "yaml", compose, "line 5: LOCK_WATCHDOG_TIMEOUT is a variable of a container", "--format env"},
		{"Compose", "generic", "yaml", "services:\n  a:\n    image: s\n", "line 1: this is a file of Compose", "--format env"},
		{"Compose on a line", "redis-py", "yaml", "services: {a: {image: s}}\n", "line 1: this is a file of Compose", "--format env"},
		{"a pod", "generic", "yaml", pod, "line 2: this is a manifest of a Pod, where nobody reads ttl at the root", "--format env"},
		{"a pod, Redisson", "redisson@3.47", "yaml", pod, "line 2: this is a manifest of a Pod", "--format env"},
		{"a pod, ShedLock", "shedlock", "yaml", pod, "line 2: this is a manifest of a Pod", "--format env"},
		{"a pod, client-go", "client-go", "yaml", pod, "line 2: this is a manifest of a Pod", "--format flags without a file"},
		{"kubeadm", "client-go", "yaml", "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nscheduler: {}\n", "line 2: this is a manifest of a ClusterConfiguration", "--format flags"},
		{"a container's arguments", "client-go", "yaml", "kind: Deployment\nspec:\n  args:\n  - --leader-elect-lease-duration=15s\n", "line 4: leader-elect-lease-duration is an argument", "--format flags changes it"},
		{"JSON as YAML", "generic", "yaml", "{\"ttl\": \"30s\"}\n", "line 1: the file is JSON", "--format json"},
		{"Redisson's own JSON", "redisson@3.47", "json", "{\n  \"singleServerConfig\": {\"timeout\": 3000}}\n", "line 2: this is redisson's own file", "YAML"},
		{"an inline table", "generic", "toml", "lock = {ttl = \"30s\"}\n", "line 1: lock.ttl stands inside of lock", "a line of its own"},
		{"a text in quotes", "generic", "yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: \"ttl: 30s\\n\"\n", "line 4: data.a.yaml is a text that cannot be changed in place", "a.yaml: |"},
		{"a variable that may be anybody's", "redisson@3.52", "env", "A=1\nTIMEOUT=30 # http client, seconds\n", "line 2: TIMEOUT may be another's", "# ms; the lock's"},
		{"another one", "redisson@3.52", "env", "RETRY_ATTEMPTS=5\n", "line 1: RETRY_ATTEMPTS may be another's", "# count; the lock's"},
		{"no lock", "client-go", "yaml", "leaderElection:\n  leaderElect: false\n  leaseDuration: 15s\n", "line 2: leaderElection.leaderElect is false: no lock is taken", "true"},
		{"no flags", "etcd", "flags", "", "nothing of this plan is a flag of etcd", "--format go"},
		{"a key behind a merge", "generic", "yaml", "b: &b {ttl: 30s}\nlock:\n  <<: *b\n", "line 1: b.ttl stands behind the anchor b, which line 3 uses", "write the value out in line 3"},
	} {
		fit, _ := fitted(t, c.library, nil)
		text, err := Render(fit, "", c.form, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(fault.HintOf(err), c.hint) {
			t.Errorf("%s: %v; %s\n%s", c.name, err, fault.HintOf(err), text)
		}
	}
}

// A key of the user's that a plan changed outlives the plan; what the plan
// wrote itself goes with it (redis-py's reacquire_every, which only a renewed
// lease has).
func TestEmitLeavesTheUsersKey(t *testing.T) {
	for form, file := range map[string]string{
		"yaml": "reacquire_every: 3 # mine\n", "json": "{\n  \"reacquire_every_s\": 3\n}\n", "properties": "# my own\nreacquire_every=3\n", "toml": "reacquire_every = 3 # mine\n",
	} {
		renewed, in := fitted(t, "redis-py", nil)
		first, err := Render(renewed, "", form, file)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		in.Mode, in.Hold = calc.Fixed, calc.Claim(time.Second, "--p999")
		s := calc.Solve(in)
		fixed, err := Fit(renewed.Library, Wanted{In: in, Lease: s.Lease, MaxHold: calc.MaxHold(in, s)})
		if err != nil {
			t.Fatal(err)
		}
		then, err := Render(fixed, "", form, first)
		if err != nil || !strings.Contains(then, "reacquire_every") || strings.Contains(file, "# mine") != strings.Contains(then, "# mine") {
			t.Errorf("%s: %v\n%s", form, err, then)
		}
		if again, err := Render(fixed, "", form, then); err != nil || again != then {
			t.Errorf("%s: a second emit changes it: %v\n%s\n---\n%s", form, err, then, again)
		}
	}
}

// A placeholder that cannot take the value is told.
func TestReplacedPlaceholders(t *testing.T) {
	fit, _ := fitted(t, "redisson@4", nil)
	const file = "# x\nlockWatchdogTimeout: ${WD}\nsingleServerConfig:\n  timeout: ${T:-3000}\n"
	text, err := Render(fit, "", "yaml", file)
	if err != nil {
		t.Fatal(err)
	}
	got := Replaced(fit, "f.yaml", file, text)
	if want := `line 2: lockWatchdogTimeout was "${WD}", filled in from elsewhere, and is "` + fit.Settings[0].Text + `" now`; len(got) != 1 || got[0] != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// A form that a file is not written in is refused; without --format it is the
// file's own.
func TestFormOfAFile(t *testing.T) {
	lib, err := Get("redisson@4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ asked, path, want string }{
		{"", "a.json", "json"}, {"yaml", "a.json", "a.json is written as json, not as yaml"}, {"", "", "yaml"},
		{"", "a.properties", "properties"}, {"env", "compose.yaml", "compose.yaml is written as yaml, not as env"},
		{"", "a.ini", "a.ini is written as ini, and redisson is not"}, {"properties", "a.ini", "properties"},
		{"", "A.java", "java"}, {"", "zoo.cfg", "properties"}, {"env", "Dockerfile", "env"},
	} {
		got, err := FormIn(lib, c.asked, c.path)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("--format %q, %s: %q, want %q", c.asked, c.path, got, c.want)
		}
	}
}

// Quotes in a file of variables are told, since docker run --env-file keeps
// them.
func TestQuotedVariables(t *testing.T) {
	text, err := merged(t, "redisson@4", "env", ".env", "A=1\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "docker run --env-file would keep the quotes\nRETRY_DELAY='!<"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
