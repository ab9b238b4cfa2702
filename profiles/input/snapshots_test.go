package input

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// pod is a series of up to 100 ms, up to 10 s and longer, by cumulative counts.
func pod(name string, short, long int) string {
	return fmt.Sprintf("h_seconds_bucket{pod=%q,le=\"0.1\"} %d\nh_seconds_bucket{pod=%q,le=\"10\"} %d\nh_seconds_bucket{pod=%q,le=\"+Inf\"} %d\n", name, short, name, long, name, long)
}

// Pod a of the later page has 12 holds more than before, all slow; pod b began
// again. Merged, the 12 are of 20 035 samples, not of 12.
func TestTwoSnapshotsOfAFleet(t *testing.T) {
	earlier := pod("a", 10000, 10000) + pod("b", 20, 20)
	later := pod("a", 10000, 10012) + pod("b", 3, 3)
	began := func(a, b int) string {
		return fmt.Sprintf("h_seconds_created{pod=\"a\"} %d\nh_seconds_created{pod=\"b\"} %d\n", a, b)
	}
	process := func(at int) string { return fmt.Sprintf("process_start_time_seconds %d\n", at) }
	for name, c := range map[string]struct {
		earlier, later string
		want           string // "", "told" or "refused"
	}{
		"one restarted":                       {earlier, later, "told"},
		"in the other order":                  {later, earlier, "told"},
		"the start is known":                  {earlier + began(7, 7), later + began(7, 9), "refused"},
		"the start is known, in front":        {began(7, 7) + earlier, began(7, 9) + later, "refused"},
		"other processes with the same names": {earlier + began(7, 7), later + began(8, 9), ""},
		"the process is the same":             {pod("a", 9, 9) + process(100), pod("a", 9, 12) + process(100), "refused"},
		"the process is another":              {pod("a", 9000, 9000) + process(100), pod("a", 8000, 9012) + process(200), ""},
		"other pods":                          {pod("a", 10000, 10000), pod("b", 9999, 10012), ""},
		"nothing was seen yet":                {pod("a", 0, 0) + pod("c", 10, 10), pod("a", 10000, 10012), ""},
	} {
		f := files{"1": c.earlier, "2": c.later}
		for _, metric := range []string{"", "h_seconds"} {
			set := said("hold", "1", "hold", "2", "since-start", "true")
			if metric != "" {
				set["metric"] = said("metric", metric)["metric"]
			}
			got, err := Resolve(set, Outside{Open: f.open})
			outcome := ""
			switch severity, told := severities(got.Findings)["LP207"]; {
			case err != nil:
				outcome = "refused"
				if fault.ClassOf(err) != fault.Usage || !strings.Contains(err.Error(), "two snapshots of one process") || !strings.Contains(fault.HintOf(err), "--hold-since") {
					t.Errorf("%s: %v", name, err)
				}
			case told && severity == finding.Warning:
				outcome = "told"
			}
			if outcome != c.want {
				t.Errorf("%s: %q, %v, %v", name, outcome, err, got.Findings)
			}
		}
	}
}

// One file by three names counts once.
func TestOneFileByTwoNames(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "h")
	if err := os.WriteFile(file, []byte("1s\n2s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, link := range map[string]func(from, to string) error{"soft": os.Symlink, "hard": os.Link} {
		other := filepath.Join(dir, name)
		if err := link(file, other); err != nil {
			t.Skipf("this file system has no links: %v", err)
		}
		_, err := Resolve(said("hold", file, "hold", other, "percentile", "0.5"), Outside{Open: files{file: "1s\n2s\n", other: "1s\n2s\n"}.open})
		if err == nil || fault.ClassOf(err) != fault.Usage || !strings.Contains(err.Error(), "given twice") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
