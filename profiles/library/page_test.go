package library

import (
	"testing"

	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/docs/drift"
)

// TestPages: docs/libraries and the pages of the libraries' rules are what the
// data says.
func TestPages(t *testing.T) {
	var ids []string
	for _, r := range Catalogue {
		drift.Page(t, "../../docs/rules/"+r.ID+".md", rule.Page(r))
		ids = append(ids, r.ID)
	}
	drift.Only(t, "../../docs/rules/LP[5-7]*.md", ids)
	for _, name := range Names() {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		drift.Page(t, "../../docs/libraries/"+name+".md", Page(lib))
	}
	drift.Only(t, "../../docs/libraries/*.md", append(Names(), "README"))
	drift.Page(t, "../../docs/libraries/README.md", Index())
}
