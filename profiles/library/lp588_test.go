package library

import (
	"strings"
	"testing"
)

// TestRealZooKeeperConfig: the server takes each of the misspelled keys and
// runs with a tick of 3 s.
func TestLP588(t *testing.T) {
	for _, row := range []struct{ want, library, file, text, tick string }{
		{"warning", "zookeeper", "zoo.cfg", "ticktime=2000\n", "3000"},
		{"warning", "zookeeper", "zoo.cfg", "tick_time=2000\n", "3000"},
		{"warning", "zookeeper", "zoo.cfg", "zookeeper.tickTime=2000\n", "3000"},
		{"warning", "zookeeper", "zoo.cfg", "ticktime=1000\ntickTime=2000\n", "2000"},
		{"warning", "curator", "zoo.cfg", "tickTime=2000\nsynclimit=5\n", "2000"},
		{"warning", "go-zookeeper", "zoo.cfg", "TickTime=2000\n", "3000"},
		{"warning", "zookeeper", "map.yaml", "data:\n  zoo.cfg: |\n    ticktime=2000\n", "3000"},
		{"", "zookeeper", "zoo.cfg", "tickTime=2000\n", "2000"},
		{"", "zookeeper", "zoo.env", "ZOO_TICK_TIME=2000\n", "2000"},
		{"", "curator", "client.properties", "tick-time=2000\n", "2000"},
	} {
		lib, err := Get(row.library)
		if err != nil {
			t.Fatal(err)
		}
		values, err := Parse(lib, row.file, []byte(row.text))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			t.Fatal(err)
		}
		if got := severityOf(v, "LP588"); got != row.want || v.Run.Effective["tickTime"] != row.tick {
			t.Errorf("%s %s %q: %q, want %q; tick %s, want %s", row.library, row.file, row.text, got, row.want, v.Run.Effective["tickTime"], row.tick)
		}
	}
}

func TestLP588SaysEach(t *testing.T) {
	lib, err := Get("zookeeper")
	if err != nil {
		t.Fatal(err)
	}
	values, err := Parse(lib, "zoo.cfg", []byte("dataDir=/d\nticktime=2000\n\nsynclimit=5\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
	if err != nil {
		t.Fatal(err)
	}
	var fixes []string
	lines := map[string]int{}
	for _, f := range v.Findings {
		if f.ID == "LP588" {
			fixes = append(fixes, f.Fix)
			lines[f.Fix] = f.Line
		}
	}
	if len(fixes) != 2 || lines["tickTime"] != 2 || lines["syncLimit"] != 4 {
		t.Errorf("%v at %v", fixes, lines)
	}
}

// Emit does not write under a name that the server passes over.
func TestLP588Merged(t *testing.T) {
	for service, fit := range grid(t, "zookeeper") {
		if _, err := Render(fit, service, "properties", "tickTime=1\n"); err != nil {
			t.Fatal(err)
		}
		text, err := Render(fit, service, "properties", "ticktime=1\n")
		if err == nil {
			err = Merged(fit, quiet(t, fit.Library), "zoo.cfg", "ticktime=1\n", text)
		}
		if err == nil || !strings.Contains(err.Error(), "ticktime is no key, tickTime is") {
			t.Errorf("%s: %v", service, err)
		}
		return
	}
}
