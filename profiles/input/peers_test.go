package input

import (
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
)

// findings.md LP204, a factor of 1000 from its peers: the same holds of two pods
// in seconds and in milliseconds, in one file or in two.
func TestUnitOfPeers(t *testing.T) {
	pod := func(name string, edges ...string) string {
		counts := []string{"3000", "4990", "5000"}
		text := ""
		for i, edge := range append(edges, "+Inf") {
			text += `hold_seconds_bucket{pod="` + name + `",le="` + edge + `"} ` + counts[min(i, 2)] + "\n"
		}
		return text
	}
	const head = "# TYPE hold_seconds histogram\n"
	seconds, millis := pod("a", "0.1", "0.4", "0.8"), pod("b", "100", "400", "800")
	for name, c := range map[string]struct {
		f    files
		want finding.Severity
		told bool
	}{
		"one file":         {files{"a": head + seconds + millis}, finding.Error, true},
		"two files":        {files{"a": head + seconds, "b": head + millis}, finding.Error, true},
		"999 times":        {files{"a": head + seconds, "b": head + pod("b", "99.9", "399.6", "799.2")}, 0, false},
		"999 in one file":  {files{"a": head + seconds + pod("b", "99.9", "399.6", "799.2")}, 0, false},
		"other bounds":     {files{"a": head + seconds + pod("b", "0.2", "0.4", "0.8")}, 0, false},
		"other, 1000 fold": {files{"a": head + seconds + pod("b", "100", "300", "500")}, finding.Error, true},
	} {
		args := []string{"since-start", "true", "hold", "a"}
		if c.f["b"] != "" {
			args = append(args, "hold", "b")
		}
		got, err := Resolve(said(args...), Outside{Open: c.f.open})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if severity, told := severities(got.Findings)["LP204"]; told != c.told || told && severity != c.want {
			t.Errorf("%s: %v", name, got.Findings)
		}
	}
}
