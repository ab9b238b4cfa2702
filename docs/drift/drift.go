// Package drift holds generated pages to the data that they come from. Tests
// call it; `go test ./... -run TestPages -update` writes the pages anew.
package drift

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write generated pages instead of comparing them")

// Page fails the test unless the file at path, relative to the test's package,
// holds exactly want.
func Page(t testing.TB, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the data says; write it anew with -update", path)
	}
}

// Only fails the test for each file that matches the glob pattern and whose
// name without its extension is not among names: pages that nothing writes.
func Only(t testing.TB, pattern string, names []string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if !slices.Contains(names, base[:len(base)-len(filepath.Ext(base))]) {
			t.Errorf("%s is a page of nothing", path)
		}
	}
}
