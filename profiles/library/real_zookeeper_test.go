package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/finding"
)

// debianZooKeeper are the jars of the Debian package's server.
const debianZooKeeper = "/usr/share/java/*"

// zooKeeperServer starts a server with a tick of its own.
func zooKeeperServer(t *testing.T, jars string, tickMillis int) (addr string) {
	t.Helper()
	port := freePort(t)
	zooKeeperStart(t, jars, port, fmt.Sprintf("tickTime=%d\n", tickMillis), "")
	await(t, "127.0.0.1:"+port)
	return "127.0.0.1:" + port
}

// zooKeeperStart starts one server with lines of its zoo.cfg; id is its
// number in an ensemble.
func zooKeeperStart(t *testing.T, jars, port, lines, id string) {
	t.Helper()
	need(t, "java")
	if debian, _ := filepath.Glob("/usr/share/java/zookeeper*.jar"); len(debian) == 0 {
		without(t, "ZooKeeper's server is not installed")
	}
	dir := t.TempDir()
	conf := filepath.Join(dir, "zoo.cfg")
	files := map[string]string{conf: lines + fmt.Sprintf("dataDir=%s\nclientPort=%s\nadmin.enableServer=false\n", dir, port)}
	if id != "" { // an empty myid is refused
		files[filepath.Join(dir, "myid")] = id
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("java", "-cp", jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain", conf)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
}

// zooKeeperEnsemble starts three servers: 2 leads, since it has the highest
// number when the first two are a majority, and 3 follows it over a link that
// can be cut.
func zooKeeperEnsemble(t *testing.T, tickMillis, syncLimit int) (follower, leader string, link *freezer) {
	t.Helper()
	var client, quorum, election [4]string
	for i := 1; i <= 3; i++ {
		client[i], quorum[i], election[i] = freePort(t), freePort(t), freePort(t)
	}
	link = newFreezer(t, "127.0.0.1:"+quorum[2])
	for i := 1; i <= 3; i++ {
		lines := fmt.Sprintf("tickTime=%d\ninitLimit=20\nsyncLimit=%d\n", tickMillis, syncLimit)
		for j := 1; j <= 3; j++ {
			port := quorum[j]
			if i == 3 && j == 2 {
				_, port, _ = strings.Cut(link.addr, ":")
			}
			lines += fmt.Sprintf("server.%d=127.0.0.1:%s:%s\n", j, port, election[j])
		}
		if i == 3 {
			await(t, "127.0.0.1:"+client[2])
			await(t, "127.0.0.1:"+quorum[2]) // only the leader listens there
		}
		zooKeeperStart(t, debianZooKeeper, client[i], lines, fmt.Sprint(i))
	}
	await(t, "127.0.0.1:"+client[3])
	return "127.0.0.1:" + client[3], "127.0.0.1:" + client[2], link
}

// TestRealZooKeeperFollower: a follower that is cut off from its leader answers
// its client until syncLimit ticks after the leader's last word, while the
// leader ends the session T after the last ping that it heard of. So a session
// above syncLimit ticks is not enough (LP582): a third of it and half a tick
// may be used up when the follower is cut off.
func TestRealZooKeeperFollower(t *testing.T) {
	slow(t)
	t.Parallel()
	const tick, limit = 500, 6
	follower, leader, link := zooKeeperEnsemble(t, tick, limit)
	run := javac(t, "/usr/share/java/*", []string{"ZooKeeperProbe"}, nil)
	lib, err := Get("zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	// The client is idle until just before its next ping.
	for _, c := range []struct{ session, idle int }{{2000, 600}, {3200, 1000}, {5000, 1600}} {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"sessionTimeout": {Text: fmt.Sprint(c.session)},
			"tickTime": {Text: fmt.Sprint(tick)}, "syncLimit": {Text: fmt.Sprint(limit)}}})
		if err != nil {
			t.Fatal(err)
		}
		hazard := slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == "LP582" })
		if hazard != (c.session < 4875) || has(v, "LP112") != hazard { // 1.5 x (6 + 1/2) x 500 ms
			t.Errorf("session %d ms: %v", c.session, v.Findings)
		}
		// A busy machine is late by itself: one try of three must show it.
		var overlap bool
		for range 3 {
			row := probe(t, link, t.TempDir(), append(run, "ZooKeeperProbe", "follower", follower, leader, fmt.Sprint(c.session), fmt.Sprint(c.idle))...)[0]
			name := fmt.Sprintf("ZooKeeper session of %d ms on a follower without its leader, syncLimit x tick 3 s: ", c.session)
			between(t, name+"disconnected after, ms", row["disconnected_ms"], 2400, 4000)
			between(t, name+"saw its own node until, ms", row["last_seen_ms"], 2400, 4000)
			between(t, name+"node gone after, ms", row["gone_ms"], float64(c.session)*2/3-tick/2, float64(c.session)+3*tick)
			if overlap = row["gone_ms"].(float64) < row["last_seen_ms"].(float64); overlap == hazard {
				break
			}
		}
		if overlap != hazard {
			t.Errorf("session %d ms: two holders: %v, lockplan says %v", c.session, overlap, hazard)
		}
	}
}

// TestRealZooKeeperConfig: the server has the numbers of the zoo.cfg that emit
// wrote, and refuses what lockplan says it refuses.
func TestRealZooKeeperConfig(t *testing.T) {
	t.Parallel()
	need(t, "java", "javac")
	if jars, _ := filepath.Glob("/usr/share/java/zookeeper*.jar"); len(jars) == 0 {
		without(t, "ZooKeeper's server is not installed")
	}
	run := javac(t, "/usr/share/java/*", []string{"ZooKeeperProbe"}, nil)
	lib, err := Get("zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "myid"), []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	texts, fits := map[string]string{}, map[string]Fitted{}
	for service, fit := range grid(t, "zookeeper") {
		text, err := Render(fit, service, "properties", "")
		if err != nil {
			t.Fatal(err)
		}
		texts[service], fits[service] = text, fit
	}
	const ensemble = "server.1=127.0.0.1:1:2\nserver.2=127.0.0.1:3:4\nserver.3=127.0.0.1:5:6\n"
	for name, text := range map[string]string{
		"tick-lower": "ticktime=2000\n", "tick-dotted": "zookeeper.tickTime=2000\n", "tick-score": "tick_time=2000\n",
		"tick-0": "tickTime=0\n", "tick-1": "tickTime=1\n", "tick-text": "tickTime=2s\n", "tick-less": "tickTime=-5\n",
		"min-above-max": "tickTime=2000\nminSessionTimeout=5000\nmaxSessionTimeout=4999\n",
		"min-is-max":    "tickTime=2000\nminSessionTimeout=5000\nmaxSessionTimeout=5000\n",
		"max-3999":      "tickTime=2000\nmaxSessionTimeout=3999\n", "max-4000": "tickTime=2000\nmaxSessionTimeout=4000\n",
		"max-0": "tickTime=2000\nmaxSessionTimeout=0\n", "max-less": "tickTime=2000\nmaxSessionTimeout=-2\n",
		"min-40001": "tickTime=2000\nminSessionTimeout=40001\n", "min-40000": "tickTime=2000\nminSessionTimeout=40000\n",
		"min-0": "tickTime=2000\nminSessionTimeout=0\n", "min-less": "tickTime=2000\nminSessionTimeout=-2\n",
		"sync-0": "tickTime=2000\ninitLimit=10\nsyncLimit=0\n" + ensemble, "sync-1": "tickTime=2000\ninitLimit=10\nsyncLimit=1\n" + ensemble,
		"init-0": "tickTime=2000\ninitLimit=0\nsyncLimit=5\n" + ensemble, "init-1": "tickTime=2000\ninitLimit=1\nsyncLimit=5\n" + ensemble,
	} {
		texts[name] = text
	}
	var files []string
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(fmt.Sprintf("dataDir=%s\nclientPort=1\n", dir)+text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	rows := probe(t, nil, dir, append(run, append([]string{"ZooKeeperProbe", "config"}, files...)...)...)
	if len(rows) != len(texts) {
		t.Fatalf("%d rows of %d files", len(rows), len(texts))
	}
	for _, row := range rows {
		name := row["file"].(string)
		values, err := Parse(lib, "zoo.cfg", []byte(texts[name]))
		if err != nil {
			t.Fatal(err)
		}
		if _, given := values["sessionTimeout"]; !given {
			values["sessionTimeout"] = Value{Text: "10000"}
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		refused := err != nil || slices.ContainsFunc(v.Findings, func(f finding.Finding) bool { return f.ID == "LP581" })
		if refused == (row["taken"] == true) {
			t.Errorf("the server takes %s: %v; lockplan calls it an error: %v (%v)", name, row["taken"], refused, err)
		}
		if refused {
			continue
		}
		for _, key := range []string{"tickTime", "minSessionTimeout", "maxSessionTimeout"} {
			if want := v.Run.Effective[key]; fmt.Sprint(row[key]) != want {
				t.Errorf("%s: %s is %v to the server, %s to lockplan", name, key, row[key], want)
			}
		}
		if fit, emitted := fits[name]; emitted {
			if want, _ := (code{fit: fit}).Raw("tickTime"); fmt.Sprint(row["tickTime"]) != want {
				t.Errorf("%s: tickTime is %v to the server, emitted as %s", name, row["tickTime"], want)
			}
		}
	}
}

// quiet are resolved inputs that say nothing.
func quiet(t *testing.T, lib Library) calc.Inputs {
	t.Helper()
	in, err := calc.Inputs{Library: lib}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// has reports whether a verdict names a rule with an error.
func has(v Verdict, id string) bool {
	for _, f := range v.Findings {
		if f.ID == id && f.Severity.String() == "error" {
			return true
		}
	}
	return false
}
