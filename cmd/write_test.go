package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link is followed, a mode is kept, and what was read is never replaced.
func TestOutputsAndWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	check := []string{"check", "--ttl", "30s", "--renew", "10s"}
	if code, _, stderr := run("", append(check, "--out", "json="+link)...); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(real)
	if err != nil || !strings.Contains(string(text), "lockplan/check/v1") {
		t.Errorf("behind the link stands %q, %v", text, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}

	plan := filepath.Join(dir, "lockplan.yaml")
	const body = "apiVersion: lockplan/v1\nservices: {a: {p999: 1s, pause: 1s, rtt: 1ms}}\n"
	if err := os.WriteFile(plan, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run("", "check", "-f", plan, "--out", "json="+plan); code != exitUsage || !strings.Contains(stderr, "would replace what was read") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if text, _ := os.ReadFile(plan); string(text) != body {
		t.Error("the plan file is replaced")
	}
}

// No reason makes a plan out of none.
func TestNoPlanIsNotSetAside(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "lockplan.yaml")
	for rule, want := range map[string]int{"LP103": exitUsage, "LP202": exitUsage, "LP301": exitNo} {
		body := "apiVersion: lockplan/v1\nservices:\n  a:\n    {p999: 1s, pause: 1s, margin: 1s, deadline: 500ms, work: 450ms, reply: 100ms, ignore: [{rule: " + rule + ", reason: x}]}\n"
		if err := os.WriteFile(plan, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"check", "plan"} {
			code, _, stderr := run("", command, "-f", plan)
			if command == "check" && code != want || command == "plan" && code == 0 || strings.Contains(stderr, "error: \n") {
				t.Errorf("%s with %s ignored: exit %d, want %d: %s", command, rule, code, want, stderr)
			}
		}
	}
}
