package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planOf writes a plan file of services on a library.
func planOf(t *testing.T, library string, services ...string) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "lockplan.yaml")
	text := "apiVersion: lockplan/v1\ndefaults: {library: " + library + ", p999: 1s, pause: 1s, margin: 700ms, rto: 60s}\nservices:\n"
	for _, s := range services {
		text += "  " + s + ": {}\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// Services that would take each other's names are refused before anything is
// written: Go has one package in a folder.
func TestEmitKeepsNamesApart(t *testing.T) {
	for _, c := range []struct{ library, form, one, other, want string }{
		{"redsync", "go", "a-b", "aB", `services "a-b" and "aB" would both declare ABStopWork`},
		{"redsync", "go", "a.b", "A_B", `services "a.b" and "A_B" would both be written to `},
		{"etcd", "go", "café", "caf", `services "café" and "caf" would both declare CafStopWork`},
		{"redisson@4", "java", "a-b", "A_B", `services "a-b" and "A_B" would both be written to `},
		{"redis-py", "py", "a-b", "a.b", `services "a-b" and "a.b" would both be written to `},
		{"node-redlock", "js", "a-b", "a_b", `services "a-b" and "a_b" would both be written to `},
	} {
		dir, file := planOf(t, c.library, c.one, c.other, "third")
		for _, check := range []bool{false, true} {
			args := []string{"emit", "-f", file, "--format", c.form, "--dir", filepath.Join(dir, "out")}
			if check {
				args = append(args, "--check")
			}
			code, _, stderr := run("", args...)
			if code != exitUsage || !strings.Contains(stderr, c.want) {
				t.Errorf("%s, %s and %s: exit %d: %s", c.form, c.one, c.other, code, stderr)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%s: something is written", c.form)
		}
	}
}

// A file of the folder that nobody writes now may have the names, too.
func TestEmitBesideWhatDeclares(t *testing.T) {
	dir, file := planOf(t, "redsync", "orders")
	old := filepath.Join(dir, "older.go")
	if err := os.WriteFile(old, []byte("package locks\n\nconst (\n\tOrdersStopWork = 1\n)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	emit := []string{"emit", "-f", file, "--format", "go", "--dir", dir}
	if code, _, stderr := run("", emit...); code != exitUsage || !strings.Contains(stderr, "orders: "+old+" declares OrdersStopWork too") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if code, _, stderr := run("", emit...); code != exitDone {
			t.Errorf("exit %d: %s", code, stderr)
		}
	}
}
