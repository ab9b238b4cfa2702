// Package rules holds the pages of the rules, one each. They are generated:
// go test ./docs/rules -run TestPages -update writes them.
package rules

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/cmd"
	"github.com/lockplan/lockplan/docs/drift"
	"github.com/lockplan/lockplan/profiles/library"
)

func all() []rule.Rule { return slices.Concat(rule.Catalogue, library.Catalogue) }

func TestRulesAreComplete(t *testing.T) {
	rules := all()
	if !slices.IsSortedFunc(rules, func(a, b rule.Rule) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the rules are not in the order of their ids")
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.ID] || seen[r.Name] {
			t.Errorf("%s %s: the id or the name is used twice", r.ID, r.Name)
		}
		seen[r.ID], seen[r.Name] = true, true
		if r.Condition == "" || r.Why == "" || r.Fix == "" || len(r.Example.Args) == 0 {
			t.Errorf("%s: a rule has a condition, a reason, a fix and an example", r.ID)
		}
	}
}

func TestPages(t *testing.T) {
	var ids []string
	for _, r := range all() {
		drift.Page(t, r.ID+".md", rule.Page(r))
		ids = append(ids, r.ID)
	}
	drift.Only(t, "LP*.md", ids)
	drift.Page(t, "README.md", "# Rules\n\n"+
		"Ids are stable and never used twice. Severities are the usual ones; a condition may name others. "+
		"Equality is a violation unless the condition says otherwise. "+
		"Symbols are those of [the model](../model.md).\n\n## The model\n\n"+rule.Index(rule.Catalogue)+
		"\n## One library each\n\n"+rule.Index(library.Catalogue))
}

// The example of each page makes its rule speak.
func TestExamples(t *testing.T) {
	for _, r := range all() {
		t.Run(r.ID, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, content := range r.Example.Files {
				if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			code := cmd.Main(append(slices.Clone(r.Example.Args), "-o", "json"), strings.NewReader(""), &stdout, &stderr)
			spoke := strings.Contains(stdout.String(), `"`+r.ID+`"`)
			if !spoke {
				t.Errorf("lockplan %s says nothing of %s: exit %d\n%s%s", strings.Join(r.Example.Args, " "), r.ID, code, stderr.String(), stdout.String())
			}
		})
	}
}
