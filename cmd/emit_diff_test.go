package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unified is a diff of two texts as emit prints it.
func unified(old, now string) string {
	return strings.Join(hunks(diff(linesOf(old), linesOf(now))), "")
}

// apply is a reader of unified diffs by their definition: a hunk says where it
// stands on both sides and how many lines of each it holds.
func apply(t interface{ Fatalf(string, ...any) }, old, patch string) string {
	lines, have := linesOf(old), 0
	var out strings.Builder
	in := linesOf(patch)
	atLine := func(start, count int) int { // lines above
		if count == 0 {
			return start
		}
		return start - 1
	}
	for len(in) > 0 {
		var from, had, to, has int
		if _, err := fmt.Sscanf(in[0], "@@ -%d,%d +%d,%d @@\n", &from, &had, &to, &has); err != nil {
			t.Fatalf("no hunk: %q", in[0])
		}
		for in = in[1:]; have < atLine(from, had); have++ {
			out.WriteString(lines[have])
		}
		if n := strings.Count(out.String(), "\n"); n != atLine(to, has) {
			t.Fatalf("the hunk says line %d of the new text, and %d lines stand above", to, n)
		}
		for had > 0 || has > 0 {
			mark, line := in[0][0], in[0][1:]
			if in = in[1:]; len(in) > 0 && strings.HasPrefix(in[0], `\`) {
				line, in = strings.TrimSuffix(line, "\n"), in[1:]
			}
			if mark != '+' {
				if lines[have] != line {
					t.Fatalf("line %d is %q, the hunk says %q", have+1, lines[have], line)
				}
				have, had = have+1, had-1
			}
			if mark != '-' {
				out.WriteString(line)
				has--
			}
		}
	}
	return out.String() + strings.Join(lines[have:], "")
}

// What emit --diff prints makes the new text of the old one, and says nothing of
// lines that are far from a change.
func TestDiffApplies(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n", "@@ -1 +1 @@\n", "--- x\n", "\\ No newline\n"})
	text := rapid.Custom(func(t *rapid.T) string {
		out := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "")
		if rapid.Bool().Draw(t, "open") {
			out = strings.TrimRight(out, "\r\n")
		}
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		old := text.Draw(t, "old")
		now := text.Draw(t, "now")
		if rapid.Bool().Draw(t, "near") { // a change in the middle of a long text
			long := strings.Repeat("same\n", 30)
			old, now = long+old+"\n"+long, long+now+"\n"+long
		}
		patch := unified(old, now)
		if got := apply(t, old, patch); got != now {
			t.Fatalf("applied it is %q, want %q\n%s", got, now, patch)
		}
		if (patch == "") != (old == now) {
			t.Fatalf("%q to %q: %q", old, now, patch)
		}
	})
	long := strings.Repeat("same\n", 30)
	if got, want := unified(long+"a\n"+long, long+"b\n"+long), "@@ -28,7 +28,7 @@\n same\n same\n same\n-a\n+b\n same\n same\n same\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// patch applies what emit --diff prints, and then nothing is left to change.
func TestPatchApplies(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch on this machine")
	}
	t.Chdir(t.TempDir())
	const zoo = "tickTime=2000\nsyncLimit=5\n"
	for name, text := range map[string]string{
		"zoo.cfg": zoo, "a b.cfg": zoo + "dataDir=/d", `q"x.cfg`: "\ufeff# mine\r\ntickTime=2000\r\n", "new.cfg": "", "sub/new.cfg": "",
		"long.cfg": strings.Repeat("# above\n", 20) + zoo + strings.Repeat("# below\n", 20),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		emit := []string{"emit", "--library", "zookeeper", "--p999", "1s", "--pause", "1s", "--rto", "60s"}
		code, out, stderr := run("", append(emit, "--diff", name)...)
		if code != exitDone || out == "" {
			t.Fatalf("%s: exit %d: %s", name, code, stderr)
		}
		cmd := exec.Command(patch, "-p0")
		cmd.Stdin = strings.NewReader(out)
		if said, err := cmd.CombinedOutput(); err != nil || bytes.Contains(said, []byte("fuzz")) || bytes.Contains(said, []byte("offset")) {
			t.Errorf("%s: patch: %v: %s\n%s", name, err, said, out)
		}
		if code, out, stderr := run("", append(emit, "--out", name, "--check")...); code != exitDone || out != "" {
			t.Errorf("%s: exit %d, still to change: %s%s", name, code, out, stderr)
		}
	}
}
