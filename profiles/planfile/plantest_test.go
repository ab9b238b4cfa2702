package planfile

import (
	"bytes"
	"os"
	"testing"
)

// FuzzReadTests wants an answer or an error for any file, never a panic.
func FuzzReadTests(f *testing.F) {
	for _, path := range []string{"../../testdata/plantest/lockplan.test.yaml", "../../testdata/plantest/red.test.yaml"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("apiVersion: lockplan/test/v1\ntests: [{name: a, expect: }]"))
	f.Add([]byte("apiVersion: lockplan/test/v1\ntests: &a [*a]"))
	f.Add([]byte("apiVersion: lockplan/test/v1\ntests: {a: b}\nx: y"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tests, err := ReadTests("t.yaml", bytes.NewReader(text))
		if err == nil && len(tests) == 0 {
			t.Error("a file without a test passes")
		}
	})
}
