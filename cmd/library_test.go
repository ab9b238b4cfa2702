package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lockplan/lockplan/profiles/library"
)

// TestLibraryRuleExamples: the example on each library rule's page makes the
// rule speak.
func TestLibraryRuleExamples(t *testing.T) {
	for _, r := range library.Catalogue {
		t.Run(r.ID, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range r.Example.Files {
				if err := os.WriteFile(filepath.Base(name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, stdout, stderr := run("", append(slices.Clone(r.Example.Args), "-o", "json")...)
			var doc checkDocument
			if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			for _, target := range doc.Targets {
				for _, f := range target.Findings {
					if f.ID == r.ID {
						return
					}
				}
			}
			t.Errorf("%v finds %s", r.Example.Args, stdout)
		})
	}
}

// TestCompareRefusesConsul: no setting of a Consul session frees a lock within
// 5 s of a crash (2 x 10 s + the delays).
func TestCompareRefusesConsul(t *testing.T) {
	code, stdout, _ := run("", "library", "compare", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--have", "consul", "-o", "json")
	if code != exitNo {
		t.Errorf("exit %d", code)
	}
	var doc comparison
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Candidates {
		if c.Fits {
			t.Errorf("%s fits", c.Library)
		}
	}
}
