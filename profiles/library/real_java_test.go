package library

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// classpath are the jars of the pom for a version of Redisson.
func classpath(t *testing.T, redisson string) string {
	t.Helper()
	return jarsOf(t, "java", "-Dredisson.version="+redisson)
}

// jarsOf are the jars of the pom of a folder.
func jarsOf(t *testing.T, folder string, options ...string) string {
	t.Helper()
	need(t, "java", "javac", "mvn")
	file := filepath.Join(t.TempDir(), "classpath")
	build := func(extra ...string) error {
		args := append([]string{"-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=" + file}, append(options, extra...)...)
		cmd := exec.Command("mvn", args...)
		cmd.Dir = runtimes(t, folder)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	if build("-o") != nil {
		if os.Getenv("LOCKPLAN_REAL") != "1" {
			without(t, "the jars are not in Maven's local repository")
		}
		if err := build(); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// javac compiles programs of testdata/runtimes/java and emitted sources, and
// returns the arguments that run them.
func javac(t *testing.T, jars string, programs []string, sources map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-nowarn", "-cp", jars, "-d", dir}
	for _, p := range programs {
		args = append(args, filepath.Join(runtimes(t, "java"), p+".java"))
	}
	for name, text := range sources {
		path := filepath.Join(dir, "src", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{"java", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off", "-cp", dir + ":" + jars}
}

// redissons are the versions on either side of the changes that matter.
var redissons = map[string]string{"3.43": "3.43.0", "3.47": "3.47.0", "3.52": "3.52.0", "4.2": "4.2.0"}

// TestRealRedisson: each version loads the YAML and the Java that emit writes
// for it and has the same numbers, and refuses what lockplan calls an error.
func TestRealRedisson(t *testing.T) {
	for version, artifact := range redissons {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			jars := classpath(t, artifact)
			dir := t.TempDir()
			fits := grid(t, "redisson@"+version)
			if version == "4.2" {
				maps.Copy(fits, example(t, "redisson@4"))
			}
			maps.Copy(fits, redissonModePlans(t, version))
			sources := map[string]string{}
			var files []string
			var calls strings.Builder
			byFile := map[string]Fitted{}
			for service, fit := range fits {
				path := emitTo(t, dir, fit, service, "yaml")
				files = append(files, path)
				byFile[filepath.Base(path)] = fit
				text, err := Render(fit, service, "java", "")
				if err != nil {
					t.Fatal(err)
				}
				sources["locks/"+File(service, "java")] = text
				fmt.Fprintf(&calls, "    { Config c = new Config(); var s = c.use%s(); locks.%sLock.apply(c, s); RedissonProbe.print(\"%s\", c, s); }\n", strings.TrimSuffix(redissonBlock(fit), "Config"), identifier(service), service)
				byFile[service] = fit
			}
			sources["Grid.java"] = "import org.redisson.config.*;\nclass Grid { public static void main(String[] a) throws Exception {\n" + calls.String() + "} }\n"
			run := javac(t, jars, []string{"RedissonProbe"}, sources)
			rows := append(probe(t, nil, dir, append(append(run, "RedissonProbe", "yaml"), files...)...), probe(t, nil, dir, append(run, "Grid")...)...)
			if len(rows) != 2*len(fits) {
				t.Fatalf("%d rows of %d plans", len(rows), len(fits))
			}
			for _, row := range rows {
				service := row["service"].(string)
				if row["taken"] != true {
					t.Errorf("Redisson %s refuses %s", version, service)
					continue
				}
				fit := byFile[service]
				if row["block"] != redissonBlock(fit) {
					t.Errorf("%s: the mode is %v to Redisson, emitted as %s", service, row["block"], redissonBlock(fit))
				}
				for _, key := range []string{"lockWatchdogTimeout", "timeout", "slavesSyncTimeout", "fairLockWaitTimeout"} {
					if want, emitted := fit.setting(t, key); emitted && float64(want.Milliseconds()) != row[key] {
						t.Errorf("%s: %s is %v to Redisson, emitted as %s", service, key, row[key], want)
					}
				}
				if raw, _ := (code{fit: fit}).Raw("retryAttempts"); fmt.Sprint(row["retryAttempts"]) != raw {
					t.Errorf("%s: retryAttempts is %v, emitted as %s", service, row["retryAttempts"], raw)
				}
				if want, _ := (code{fit: fit}).Delay(); row["delay"] != float64(want) {
					t.Errorf("%s: the delay is %v ms, emitted as %d", service, row["delay"], want)
				}
			}
			redissonEdges(t, version, dir, append(run, "RedissonProbe", "yaml"))
			redissonKeys(t, version, append(run, "RedissonProbe", "keys"))
			redissonSetters(t, version, append(run, "RedissonProbe", "setters"))
		})
	}
}

// redissonModePlans are plans in the modes with replicas, of a fair lock where
// its waiters' time can be set.
func redissonModePlans(t *testing.T, version string) map[string]Fitted {
	t.Helper()
	lib, err := Get("redisson@" + version)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Fitted{}
	for _, mode := range []string{"sentinel", "cluster", "replicated", "masterSlave"} {
		given := Values{"mode": {Text: mode}}
		if !lib.(redisson).before(3, 46) {
			given["lockType"], given["fairLockWaitTimeout"] = Value{Text: "fair"}, Value{Text: "7000"}
		}
		service := strings.ToLower(mode) + "-redisson"
		fit, ok := planOf(t, lib, calc.Inputs{Service: service, Hold: calc.Claim(40*time.Second, "p999"), Pause: calc.Claim(time.Second, "pause"),
			Margin: calc.Claim(800*time.Millisecond, "margin"), Mode: calc.Renewed, FailuresGiven: true}, given)
		if !ok {
			t.Fatalf("%s: no plan", service)
		}
		for _, key := range []string{"slavesSyncTimeout", "fairLockWaitTimeout"} {
			if _, emitted := fit.setting(t, key); !emitted && (key == "slavesSyncTimeout" || len(given) > 1) {
				t.Errorf("%s: no %s", service, key)
			}
		}
		out[service] = fit
	}
	return out
}

// redissonBlock is the class of the block of a plan's mode.
func redissonBlock(fit Fitted) string {
	name := block(fit.Verdict.Run)
	return strings.ToUpper(name[:1]) + name[1:]
}

// redissonEdges writes configurations on both sides of what a version takes.
func redissonEdges(t *testing.T, version, dir string, run []string) {
	lib, err := Get("redisson@" + version)
	if err != nil {
		t.Fatal(err)
	}
	edges := map[string]string{
		"interval.yaml":    "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryInterval: 500\n",
		"constant.yaml":    "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryDelay: !<org.redisson.config.ConstantDelay> {delay: PT0.5S}\n",
		"jitter.yaml":      "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryDelay: !<org.redisson.config.EqualJitterDelay> {baseDelay: PT0.5S, maxDelay: PT0.5S}\n",
		"zero-tries.yaml":  "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryAttempts: 0\n",
		"many-tries.yaml":  "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryAttempts: 1001\n",
		"most-tries.yaml":  "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryAttempts: 2147483646\n",
		"all-tries.yaml":   "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryAttempts: 2147483647\n",
		"fair.yaml":        "fairLockWaitTimeout: 1000\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"batch.yaml":       "lockWatchdogBatchSize: 10\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"slip.yaml":        "lockWatchdogTimout: 10000\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"slip-block.yaml":  "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  timout: 300\n",
		"less-tries.yaml":  "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryAttempts: -1\n",
		"watchdog-1.yaml":  "lockWatchdogTimeout: 1\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"watchdog-1d.yaml": "lockWatchdogTimeout: 86400000\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"timeout-1.yaml":   "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  timeout: 1\n",
		"placeholder.yaml": "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  timeout: ${LOCKPLAN_NO_SUCH:-700}\n",
		"spring.yaml":      "lockWatchdogTimeout: ${LOCKPLAN_NO_SUCH:31000}\nsingleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"spring-in.yaml":   "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  timeout: ${LOCKPLAN_NO_SUCH:700}\n",
		"spring-word.yaml": "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  clientName: ${LOCKPLAN_NO_SUCH:me}\n  timeout: 700\n",
		"defaults.yaml":    "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n",
		"text.yaml":        "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  timeout: soon\n",
	}
	for delay := range redissonDelays {
		edges[fmt.Sprintf("delay-%d.yaml", len(edges))] = "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n  retryDelay: " + delay + "\n"
	}
	var files []string
	for name, text := range edges {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, row := range probe(t, nil, dir, append(run, files...)...) {
		name := row["service"].(string)
		var values Values
		if name != "defaults.yaml" { // nothing of it is read
			var err error
			if values, err = Parse(lib, name, []byte(edges[name])); err != nil {
				t.Fatal(err)
			}
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		refused := err != nil || has(v, "LP500") || severityOf(v, "LP505") == "error"
		t.Logf("measured: Redisson %s takes %s: %v", version, strings.ReplaceAll(edges[name], "\n", " "), row["taken"])
		// Up to 3.47 a negative number is taken and the count never ends:
		// lockplan refuses it for every version.
		if refused == (row["taken"] == true) && name != "less-tries.yaml" {
			t.Errorf("Redisson %s takes %s: %v; lockplan calls it an error: %v", version, edges[name], row["taken"], refused)
		}
		if name == "defaults.yaml" {
			for _, key := range []string{"lockWatchdogTimeout", "timeout", "retryAttempts"} {
				if fmt.Sprint(row[key]) != v.Run.Effective[key] {
					t.Errorf("Redisson %s: the default of %s is %v, lockplan's %s", version, key, row[key], v.Run.Effective[key])
				}
			}
			if longest, err := GoText.Parse(v.Run.Effective["retryDelay"]); err != nil || row["delay"].(float64) > float64(longest.Milliseconds()) {
				t.Errorf("Redisson %s: a default delay of %v ms, lockplan says at most %s", version, row["delay"], longest)
			}
		}
		if name == "placeholder.yaml" && row["taken"] == true && (row["timeout"] != 700.0 || v.Run.Effective["timeout"] != "700") {
			t.Errorf("the placeholder is %v to Redisson, %s to lockplan", row["timeout"], v.Run.Effective["timeout"])
		}
	}
}

// redissonKeys holds the keys of Redisson's file against what the loader knows
// at each place, of those and of all that have a setter.
func redissonKeys(t *testing.T, version string, run []string) {
	lib, err := Get("redisson@" + version)
	if err != nil {
		t.Fatal(err)
	}
	l := lib.(redisson)
	blocks := append([]string{""}, slices.Sorted(maps.Keys(redissonOnly))...)
	for _, block := range blocks {
		run = append(run, block+":"+strings.Join(ownKeys(block), ","))
	}
	rows := probe(t, nil, t.TempDir(), run...)
	if len(rows) != len(blocks) {
		t.Fatalf("%d rows of %d blocks", len(rows), len(blocks))
	}
	for _, row := range rows {
		block, known := row["block"].(string), map[string]bool{}
		for _, key := range row["known"].([]any) {
			known[key.(string)] = true
			if !slices.Contains(ownKeys(block), key.(string)) {
				t.Errorf("Redisson %s: lockplan does not know %s in %q", version, key, block)
			}
		}
		for _, key := range ownKeys(block) {
			if lacks := l.lacking(spanOf(block, key)) != ""; lacks == known[key] {
				t.Errorf("Redisson %s knows %s in %q: %v", version, key, block, known[key])
			}
		}
		t.Logf("measured: Redisson %s knows %d keys in %q", version, len(known), block)
	}
}

// redissonSetters: Java is read by no loader: both setters hold in every
// version that has them.
func redissonSetters(t *testing.T, version string, run []string) {
	for _, row := range probe(t, nil, t.TempDir(), run...) {
		call := row["service"].(string)
		if strings.Contains(call, "ConstantDelay") && (version == "3.43" || version == "3.47") {
			continue // the probe has fallen back to setRetryInterval
		}
		severity, said := lp500File(t, version, "R.java", "s."+call+";")
		if severity != "" || row["delay"] != 200.0 && row["delay"] != 300.0 {
			t.Errorf("Redisson %s: %s gives a delay of %v ms; lockplan: %s", version, call, row["delay"], said)
		}
	}
}

// TestRealRedissonFrozen: the article's baseline takes 1400 ms, not 800, and
// each of its seven timers comes up to a tick of 100 ms late; a lock script is
// not resent.
func TestRealRedissonFrozen(t *testing.T) {
	slow(t)
	for _, version := range []string{"3.47", "4.2"} {
		t.Run(version, func(t *testing.T) {
			run := javac(t, classpath(t, redissons[version]), []string{"RedissonProbe"}, nil)
			proxy := newFreezer(t, redisServer(t))
			for _, row := range probe(t, proxy, t.TempDir(), append(run, "RedissonProbe", "frozen", proxy.addr)...) {
				if ms, ok := row["get_ms"]; ok {
					between(t, "Redisson "+version+" resendable command, 200 ms x 4 + 200 ms x 3, ms", ms, 1400, 5000)
				}
				if ms, ok := row["trylock_ms"]; ok {
					between(t, "Redisson "+version+" tryLock script on a frozen single server, timeout 200 ms, ms", ms, 150, 1390)
				}
			}
		})
	}
}

// TestRealRedissonWatchdog: before 3.44 the renewal that fails is the last.
func TestRealRedissonWatchdog(t *testing.T) {
	slow(t)
	for version, held := range map[string]bool{"3.43": false, "3.47": true, "4.2": true} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			run := javac(t, classpath(t, redissons[version]), []string{"RedissonProbe"}, nil)
			addr := redisServer(t)
			proxy := newFreezer(t, addr)
			rows := probe(t, proxy, t.TempDir(), append(run, "RedissonProbe", "watchdog", proxy.addr, addr)...)
			t.Logf("measured: Redisson %s still renews after a failed renewal: %v", version, rows[0]["held"])
			if rows[0]["held"] != held {
				t.Errorf("Redisson %s: held %v, want %v", version, rows[0]["held"], held)
			}
		})
	}
}

// TestRealRedissonShort: below a second the timer's ticks use up the lease:
// of 300 ms less than two thirds are left, and 60 ms are lost while nothing
// fails.
func TestRealRedissonShort(t *testing.T) {
	slow(t)
	t.Parallel()
	run := javac(t, classpath(t, redissons["4.2"]), []string{"RedissonProbe"}, nil)
	for _, row := range probe(t, nil, t.TempDir(), append(run, "RedissonProbe", "short", redisServer(t), "60", "300", "1000")...) {
		limits := map[float64][2]float64{60: {-2, 30}, 300: {-2, 190}, 1000: {100, 667}}[row["watchdog"].(float64)]
		between(t, fmt.Sprintf("Redisson watchdog of %v ms: left at worst, ms", row["watchdog"]), row["least_ms"], limits[0], limits[1])
	}
}

// TestRealRedissonFair: behind waiters that died a fair lock stays taken for
// fairLockWaitTimeout each after its lease has run out.
func TestRealRedissonFair(t *testing.T) {
	slow(t)
	t.Parallel()
	run := javac(t, classpath(t, redissons["4.2"]), []string{"RedissonProbe"}, nil)
	addr := redisServer(t)
	for waiters, least := range []float64{0, 3000, 6000} {
		if waiters == 0 {
			continue
		}
		t.Run(fmt.Sprint(waiters), func(t *testing.T) {
			t.Parallel()
			proxy := newFreezer(t, addr)
			rows := probe(t, proxy, t.TempDir(), append(run, "RedissonProbe", "fair", proxy.addr, addr, fmt.Sprint(waiters))...)
			between(t, fmt.Sprintf("Redisson fair lock of 2 s behind %d dead waiters, fairLockWaitTimeout 3 s: got after, ms", waiters), rows[0]["ms"], least, least+6000)
		})
	}
}

// TestRealJVM: Curator, ShedLock and Spring Integration have the numbers that
// emit wrote, and refuse what lockplan calls an error.
func TestRealJVM(t *testing.T) {
	t.Parallel()
	jars := classpath(t, redissons["4.2"])
	sources := map[string]string{}
	fits := map[string]Fitted{}
	var calls strings.Builder
	for _, name := range []string{"curator", "shedlock", "spring-integration", "zookeeper"} {
		for service, fit := range grid(t, name) {
			text, err := Render(fit, service, "java", "")
			if err != nil {
				t.Fatal(err)
			}
			sources["locks/"+File(service, "java")] = text
			fits[service] = fit
			id := identifier(service)
			switch name {
			case "curator":
				fmt.Fprintf(&calls, "    { var b = locks.%sLock.apply(org.apache.curator.framework.CuratorFrameworkFactory.builder().connectString(\"127.0.0.1:1\")); b.build(); System.out.printf(\"{\\\"service\\\": \\\"%s\\\", \\\"sessionTimeoutMs\\\": %%d, \\\"connectionTimeoutMs\\\": %%d, \\\"simulatedSessionExpirationPercent\\\": %%d}%%n\", b.getSessionTimeoutMs(), b.getConnectionTimeoutMs(), b.getSimulatedSessionExpirationPercent()); }\n", id, service)
			case "shedlock":
				fmt.Fprintf(&calls, "    { var c = locks.%sLock.configuration(\"x\"); System.out.printf(\"{\\\"service\\\": \\\"%s\\\", \\\"lockAtMostFor\\\": %%d, \\\"lockAtLeastFor\\\": %%d}%%n\", c.getLockAtMostFor().toMillis(), c.getLockAtLeastFor().toMillis()); }\n", id, service)
			case "spring-integration":
				scheduler := ""
				if fit.Verdict.Run.Lease.Renews() {
					scheduler = ", new org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler()"
				}
				fmt.Fprintf(&calls, "    System.out.println(\"{\\\"service\\\": \\\"%s\\\", \" + JvmProbe.spring(locks.%sLock.registry(JvmProbe.factory(), \"x\"%s)) + \"}\");\n", service, id, scheduler)
			case "zookeeper":
				fmt.Fprintf(&calls, "    System.out.printf(\"{\\\"service\\\": \\\"%s\\\", \\\"sessionTimeout\\\": %%d}%%n\", locks.%sLock.SESSION_TIMEOUT_MS);\n", service, id)
			}
		}
	}
	sources["Grid.java"] = "class Grid { public static void main(String[] a) throws Exception {\n" + calls.String() + "    System.exit(0);\n} }\n"
	run := javac(t, jars, []string{"JvmProbe"}, sources)
	seen := 0
	for _, row := range probe(t, nil, t.TempDir(), append(run, "Grid")...) {
		fit := fits[row["service"].(string)]
		seen++
		sameNumbers(t, fit, row)
	}
	if seen != len(fits) {
		t.Errorf("%d of %d plans were looked at", seen, len(fits))
	}
	lib := func(name string) Library {
		l, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, row := range probe(t, nil, t.TempDir(), append(run, "JvmProbe", "curator-edge", "-1", "0", "1", "2", "33", "34", "99", "100", "101", "1000")...) {
		v, err := Judge(&Running{Library: lib("curator"), In: quiet(t, lib("curator")), Values: Values{"simulatedSessionExpirationPercent": {Text: fmt.Sprintf("%.0f", row["percent"])}}})
		if err != nil {
			t.Fatal(err)
		}
		if has(v, "LP583") == (row["taken"] == true) {
			t.Errorf("Curator takes %v: %v; lockplan: %v", row["percent"], row["taken"], v.Findings)
		}
	}
	curatorRetries(t, run)
	edges := []string{"PT5S", "PT5S", "false", "PT5S", "PT5.001S", "false", "PT0.001S", "PT0S", "false", "PT24H", "PT23H", "false", "PT29.999S", "PT0S", "true",
		"PT30S", "PT0S", "true", "PT30S", "PT31S", "true", "PT1H", "PT1H", "true", "PT29.999S", "PT0S", "false", "PT10S", "PT0S", "true"}
	for _, row := range probe(t, nil, t.TempDir(), append(append(run, "JvmProbe", "shedlock-edge"), edges...)...) {
		v, err := Judge(&Running{Library: lib("shedlock"), In: quiet(t, lib("shedlock")), Values: Values{"lockAtMostFor": {Text: row["most"].(string)},
			"lockAtLeastFor": {Text: row["least"].(string)}, "keepAlive": {Text: row["keep"].(string)}, "safeUpdate": {Text: "true"}}})
		if err != nil {
			t.Fatal(err)
		}
		if has(v, "LP545") == (row["taken"] == true) {
			t.Errorf("ShedLock takes %v: %v; lockplan: %v", row, row["taken"], v.Findings)
		}
	}
}

// curatorRetries: the classes of curator-client try as often and sleep as long,
// at worst, as lockplan reckons.
func curatorRetries(t *testing.T, run []string) {
	policies := []string{"RetryNTimes(0,100)", "RetryNTimes(5,100)", "RetryOneTime(300)", "ExponentialBackoffRetry(1000,3)", "ExponentialBackoffRetry(1000,3,2000)",
		"ExponentialBackoffRetry(0,2)", "BoundedExponentialBackoffRetry(1000,4000,3)", "ExponentialBackoffRetry(1,50)", "RetryForever(10)",
		"RetryUntilElapsed(10000,100)", "RetryUntilElapsed(400,100)", "RetryUntilElapsed(501,100)"}
	rows := probe(t, nil, t.TempDir(), append(append(run, "JvmProbe", "curator-retry"), policies...)...)
	if len(rows) != len(policies) {
		t.Fatalf("%d rows of %d policies", len(rows), len(policies))
	}
	for _, row := range rows {
		text := row["policy"].(string)
		r, err := retryPolicyOf(text)
		if err != nil {
			t.Fatal(err)
		}
		tries, longest, worst := row["tries"].(float64), row["longest_ms"].(float64), row["worst_ms"].(float64)
		call := float64(r.call(500*time.Millisecond, time.Second).Milliseconds())
		t.Logf("measured: Curator %s: %v tries, at most %v ms apart, %v ms; lockplan: %d, %s, %v ms", text, tries, longest, worst, r.tries, r.longest(), call)
		switch {
		case r.forever:
			if tries != 100 { // where the probe stops
				t.Errorf("%s gives up after %v tries", text, tries)
			}
			continue
		case r.elapsed > 0: // lockplan's worst is a try that begins just before the end
			if worst > call || worst < call-1100 {
				t.Errorf("%s takes %v ms, lockplan says %v", text, worst, call)
			}
			continue
		case r.tries > 3: // the longest of 29 random sleeps is rare
			if worst > call {
				t.Errorf("%s takes %v ms, lockplan says %v", text, worst, call)
			}
		case worst != call || longest != float64(r.longest().Milliseconds()):
			t.Errorf("%s takes %v ms, lockplan says %v", text, worst, call)
		}
		if tries != float64(r.tries) {
			t.Errorf("%s tries %v times, lockplan says %d", text, tries, r.tries)
		}
	}
}

// TestRealCurator: LOST comes percent of the session after SUSPENDED: at 100
// after the server gave the lock away, at 25 before. At 33 it came at 4.09 s of
// 4 s: SUSPENDED itself is some 100 ms late, and a third of the session does
// not cover that.
func TestRealCurator(t *testing.T) {
	slow(t)
	run := javac(t, classpath(t, redissons["4.2"]), []string{"JvmProbe"}, nil)
	addr := zooKeeperServer(t, debianZooKeeper, 500)
	lost := func(percent int) (ms float64) {
		proxy := newFreezer(t, addr)
		for _, row := range probe(t, proxy, t.TempDir(), append(run, "JvmProbe", "curator-lost", proxy.addr, "4000", fmt.Sprint(percent))...) {
			t.Logf("measured: Curator session of 4s, LOST at %d%%: %v after the last packet, ms: %v", percent, row["state"], row["ms"])
			if row["state"] == "LOST" {
				ms, _ = row["ms"].(float64)
			}
		}
		return ms
	}
	if ms := lost(100); ms < 4000 {
		t.Errorf("LOST at 100%% comes after %v ms, before the session ends", ms)
	}
	// A busy machine is late by itself: the quickest of three counts.
	quickest := lost(25)
	for range 2 {
		if quickest >= 4000 {
			quickest = min(quickest, lost(25))
		}
	}
	if quickest >= 4000 || quickest <= 0 {
		t.Errorf("LOST at 25%% comes after %v ms, after the session ended", quickest)
	}
}

// TestRealCuratorAcquire: acquire(wait) bounds the wait, not its calls.
func TestRealCuratorAcquire(t *testing.T) {
	slow(t)
	t.Parallel()
	run := javac(t, classpath(t, redissons["4.2"]), []string{"JvmProbe"}, nil)
	proxy := newFreezer(t, zooKeeperServer(t, debianZooKeeper, 500))
	row := probe(t, proxy, t.TempDir(), append(run, "JvmProbe", "curator-acquire", proxy.addr)...)[0]
	lib, err := Get("curator")
	if err != nil {
		t.Fatal(err)
	}
	in := quiet(t, lib)
	v, err := Judge(&Running{Library: lib, In: in, Values: Values{"sessionTimeoutMs": {Text: "6000"}, "tickTime": {Text: "500"}, "connectionTimeoutMs": {Text: "1000"},
		"retries": {Text: "1"}, "application.acquireWait": {Text: "1s"}}})
	if err != nil {
		t.Fatal(err)
	}
	if v.Consequences.AcquireWorst == nil {
		t.Fatal("lockplan knows no worst acquire")
	}
	t.Logf("lockplan: at worst %s", *v.Consequences.AcquireWorst)
	between(t, "Curator acquire(1 s) on a frozen server, session 6 s, two tries of 1 s, ms", row["ms"], 1000, float64(v.Consequences.AcquireWorst.Milliseconds()))
}

// TestRealShedLockKeepAlive: the first extension that throws is the last, and
// nothing says so.
func TestRealShedLockKeepAlive(t *testing.T) {
	slow(t)
	run := javac(t, classpath(t, redissons["4.2"]), []string{"JvmProbe"}, nil)
	for failing, want := range map[string][2]float64{"false": {3, 3}, "true": {1, 1}} {
		t.Run("failing "+failing, func(t *testing.T) {
			t.Parallel()
			rows := probe(t, nil, t.TempDir(), append(append([]string(nil), run...), "JvmProbe", "shedlock-keepalive", failing)...)
			between(t, "ShedLock KeepAlive of 30s, extensions in 50s, the first one failing: "+failing, rows[0]["extended"], want[0], want[1])
		})
	}
}
