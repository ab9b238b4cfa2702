package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lockplan/lockplan/calc"
)

// zooKeeperServer starts the Debian package's server with a tick of its own.
func zooKeeperServer(t *testing.T, tickMillis int) (addr string) {
	t.Helper()
	need(t, "java")
	jars, _ := filepath.Glob("/usr/share/java/zookeeper*.jar")
	if len(jars) == 0 {
		without(t, "ZooKeeper's server is not installed")
	}
	dir, port := t.TempDir(), freePort(t)
	conf := filepath.Join(dir, "zoo.cfg")
	text := fmt.Sprintf("tickTime=%d\ndataDir=%s\nclientPort=%s\nadmin.enableServer=false\n", tickMillis, dir, port)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("java", "-cp", "/usr/share/java/*", "org.apache.zookeeper.server.quorum.QuorumPeerMain", conf)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, "127.0.0.1:"+port)
	return "127.0.0.1:" + port
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
