package cmd

import (
	"strings"
	"testing"
)

// What was never tried is said, once.
func TestLibraryVersions(t *testing.T) {
	args := []string{"ttl", "--p999", "800ms", "--pause", "1.5s", "--fencing", "yes", "--queue-sla", "10s", "--library"}
	if code, _, stderr := run("", append(args, "redisson@99.9")...); code != 0 || strings.Count(stderr, "lockplan: note: redisson@99.9 is newer than 4.2") != 1 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", append(args, "redisson@4.2")...); code != 0 || stderr != "" {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", append(args, "client-go@0.1")...); code != 0 || strings.Count(stderr, "client-go@0.1 is older than 0.30") != 1 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", "library", "show", "etcd@9"); code != 0 || !strings.Contains(stderr, "etcd@9 is newer than 3.7") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	services := "apiVersion: lockplan/v1\nlibrary: redisson@99.9\nservices:\n  a: {p999: 800ms, pause: 1s}\n  b: {p999: 800ms, pause: 1s}\n"
	if _, _, stderr := run(services, "plan", "-f", "-"); strings.Count(stderr, "is newer than") > 1 {
		t.Error(stderr)
	}
}
