package cmd

import (
	"path/filepath"
	"testing"

	"github.com/lockplan/lockplan/profiles/library"
)

// A file that lockplan wrote is up to date: what stands in it by lockplan's own
// hand fixes nothing.
func TestEmitAgainChangesNothing(t *testing.T) {
	for _, name := range emittable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lib, err := library.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			written := 0
			for _, form := range lib.Sheet().Formats {
				for _, rto := range []string{"12s", "60s"} {
					dir := filepath.Join(t.TempDir(), form)
					args := []string{"emit", "--library", name, "--format", form, "--dir", dir, "--p999", "800ms", "--pause", "1.5s", "--rtt", "5ms", "--rto", rto, "--deadline", "30s", "--work", "1s", "--fencing", "yes"}
					if oneChance(t, name) {
						args = append(args, "--failures", "0")
					}
					if name == "shedlock" { // whose next run is the schedule's
						args = append(args, "--detect", "5s")
					}
					if code, _, stderr := run("", args...); code == exitNo || code == exitUsage {
						continue // no such lease, or no such form
					} else if code != exitDone {
						t.Fatalf("%v: exit %d: %s", args, code, stderr)
					}
					written++
					if code, out, stderr := run("", append(args, "--check")...); code != exitDone {
						t.Errorf("%v: exit %d: %s%s", args, code, out, stderr)
					}
				}
			}
			if written == 0 {
				t.Error("nothing is written")
			}
		})
	}
}
