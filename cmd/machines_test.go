package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The same input and seed give the same bytes on other machines: a 32-bit one,
// ones whose compiler fuses multiplications with additions (arm64, s390x, and
// amd64 where the processor can), and one that is big-endian (s390x). What
// amd64 does not run itself runs under qemu; it takes a minute.
func TestSameBytesOnOtherMachines(t *testing.T) {
	if os.Getenv("LOCKPLAN_REAL") != "1" || runtime.GOARCH != "amd64" {
		t.Skip("builds the program for other machines: LOCKPLAN_REAL=1 on amd64")
	}
	t.Chdir("..")
	dir := t.TempDir()
	build := func(name string, env ...string) string {
		path := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-o", path, ".")
		cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return path
	}
	here := build("here")
	others := [][]string{{build("386", "GOARCH=386")}}
	if fused := build("fused", "GOAMD64=v3"); exec.Command(fused, "version").Run() == nil {
		others = append(others, []string{fused})
	}
	for arch, qemu := range map[string]string{"arm64": "qemu-aarch64-static", "s390x": "qemu-s390x-static"} {
		path, err := exec.LookPath(qemu)
		if err != nil {
			t.Fatalf("%v: install qemu-user-static", err)
		}
		others = append(others, []string{path, build(arch, "GOARCH="+arch)})
	}
	observed := []string{"--hold", "testdata/source/locks.prom", "--metric", "lock_hold_seconds", "--match", `service="stock"`, "--since-start",
		"--pauses", "testdata/source/jdk17-g1.log", "--rtt", "5ms", "--rto", "2s", "--rate", "20/s", "-o", "json"}
	for _, args := range [][]string{
		{"simulate", "--p50", "50ms", "--p99", "200ms", "--p999", "800ms", "--pause", "1.5s", "--rate", "8/s", "--queue-sla", "2s", "--trials", "200", "-o", "json"},
		{"simulate", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed", "--trials", "200", "--trace"},
		append([]string{"simulate", "--trials", "100"}, observed...),
		append([]string{"tradeoff"}, observed...),
		append([]string{"ttl"}, observed...),
		{"tradeoff", "--p99", "200ms", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--rate", "50/s"},
		{"observe", "testdata/source/locks.prom", "--metric", "lock_hold_seconds", "--match", `service="stock"`, "--since-start", "-o", "json"},
		{"simulate", "--library", "etcd", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--margin", "700ms", "--trials", "200"},
	} {
		// Counting millions of acquisitions takes s390x 5 s each.
		slow := args[0] == "simulate" && !slices.Contains(args, "40s")
		want, _ := exec.Command(here, args...).Output()
		if len(want) == 0 {
			t.Errorf("%v prints nothing", args)
		}
		for _, other := range others {
			if slow && strings.HasSuffix(other[0], "s390x-static") {
				continue
			}
			line := append(slices.Clone(other), args...)
			if got, _ := exec.Command(line[0], line[1:]...).Output(); !bytes.Equal(got, want) {
				t.Errorf("%s: %v prints other bytes", filepath.Base(other[len(other)-1]), args)
			}
		}
	}
}
