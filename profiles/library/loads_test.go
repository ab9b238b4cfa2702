package library

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every form says at its head who loads it, JSON in its first field; and no
// comment is a letter of the model alone.
func TestEmittedSaysWhoLoadsIt(t *testing.T) {
	letter := regexp.MustCompile(`^([A-Z]\d?|[A-Za-z] / [a-z])($|[ ,:;])`)
	for _, name := range append(Names(), "redisson@3.47") {
		if name == "rueidislock" { // tolerates no failed renewal, as the others here do
			continue
		}
		fit, _ := fitted(t, name, nil)
		for _, s := range fit.Settings {
			if letter.MatchString(s.Why) && !strings.HasPrefix(s.Why, "LOST") && !strings.HasPrefix(s.Why, "SUSPENDED") {
				t.Errorf("%s: %s: %q", name, s.Key, s.Why)
			}
		}
		for _, form := range fit.Library.Sheet().Formats {
			if form == "flags" && !flagged(fit) {
				continue
			}
			text, err := Render(fit, "orders", form, "")
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(text, "\n")
			if form == "json" {
				head = strings.Split(text, "\n")[1]
				var doc map[string]any
				if err := json.Unmarshal([]byte(text), &doc); err != nil {
					t.Fatal(err)
				}
			}
			if code := fit.Library.Sheet().Code[form] != ""; !code && !strings.Contains(head, Loads(fit.Library, form)) {
				t.Errorf("%s as %s begins with %q", name, form, head)
			}
		}
	}
}

// The library's own loader takes the one form that is its own (TestRealRedisson,
// TestRealZooKeeperConfig); nothing else may be taken for it.
func TestLoads(t *testing.T) {
	for _, c := range []struct{ lib, form, want string }{
		{"redisson", "yaml", "keys of Redisson's own file, Config.fromYAML loads it"},
		{"redisson", "json", "for the application to load: redisson itself loads no such file"},
		{"redisson", "java", "source of the application"},
		{"zookeeper", "properties", "keys of zoo.cfg, the servers load it; the session is the client's"},
		{"etcd", "flags", "arguments of the programs that have these flags"},
		{"generic", "yaml", "for the application to load"},
	} {
		lib, err := Get(c.lib)
		if err != nil {
			t.Fatal(err)
		}
		if got := Loads(lib, c.form); got != c.want {
			t.Errorf("%s as %s: %s", c.lib, c.form, got)
		}
		if page := Page(lib); !strings.Contains(page, "\n| "+c.form+" | "+c.want+" |\n") || !slices.Contains(lib.Sheet().Formats, c.form) {
			t.Errorf("the page of %s does not say who loads its %s", c.lib, c.form)
		}
	}
}
