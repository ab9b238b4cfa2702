package cmd

import (
	"path/filepath"
	"strings"
	"testing"
)

// What is cut off is not read: every command refuses a file of more than 16 MB.
func TestFilesThatAreTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.json")
	write(t, path, `{"schema": "lockplan/check/v1", "targets": []}`+strings.Repeat(" ", 16<<20))
	for _, args := range [][]string{
		{"check", "--library", "redisson", path},
		{"check", "--ttl", "30s", "--baseline", path},
		{"rollout", path, path},
		{"emit", "--p999", "800ms", "--pause", "1.5s", "--diff", path},
	} {
		if code, _, stderr := run("", args...); code != 2 || !strings.Contains(stderr, path+" is longer than 16 MB") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}
