package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// program builds lockplan as it is shipped.
func program(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "lockplan")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "..")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("stripped binary: %d bytes", info.Size())
	return path
}

// spend runs a command to its end and returns its time and memory in MB. The
// memory is measured by GNU time: a child of this process would be charged
// with what this process holds. It is 0 where time is not installed.
func spend(b *testing.B, command *exec.Cmd) (took time.Duration, memory float64) {
	b.Helper()
	if path, err := exec.LookPath("time"); err == nil {
		report := filepath.Join(b.TempDir(), "rss")
		command.Args = append([]string{path, "-q", "-f", "%M", "-o", report}, command.Args...)
		command.Path = path
		defer func() {
			text, err := os.ReadFile(report)
			if err != nil {
				b.Fatal(err)
			}
			kilobytes, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
			if err != nil {
				b.Fatal(err)
			}
			memory = kilobytes / 1e3
		}()
	}
	begin := time.Now()
	err := command.Run()
	took = time.Since(begin)
	if command.ProcessState == nil {
		b.Fatal(err)
	}
	return took, 0
}

// BenchmarkStart is `lockplan ttl …` from start to exit.
func BenchmarkStart(b *testing.B) {
	path := program(b)
	args := []string{"ttl", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--deadline", "1s", "--work", "450ms", "--reply", "100ms"}
	for b.Loop() {
		if err := exec.Command(path, args...).Run(); err != nil {
			b.Fatal(err)
		}
	}
	_, memory := spend(b, exec.Command(path, args...))
	b.ReportMetric(memory, "MB")
}

// BenchmarkBadInput is the slowest and the largest run over the bad inputs.
func BenchmarkBadInput(b *testing.B) {
	path := program(b)
	dir := b.TempDir()
	var slowest time.Duration
	var largest float64
	for b.Loop() {
		for _, set := range []struct {
			inputs map[string]string
			args   []string
		}{{badFiles, []string{"observe", "bad"}}, {badPlans, []string{"plan", "-f", "bad"}}} {
			for _, content := range set.inputs {
				if err := os.WriteFile(filepath.Join(dir, "bad"), []byte(content), 0o644); err != nil {
					b.Fatal(err)
				}
				command := exec.Command(path, set.args...)
				command.Dir, command.Stdin = dir, strings.NewReader("")
				took, memory := spend(b, command)
				slowest, largest = max(slowest, took), max(largest, memory)
			}
		}
	}
	b.ReportMetric(slowest.Seconds(), "s-slowest")
	b.ReportMetric(largest, "MB-largest")
}
