package rule_test

import (
	"testing"

	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/docs/drift"
)

func TestPages(t *testing.T) {
	var ids []string
	for _, r := range rule.Catalogue {
		drift.Page(t, "../../docs/rules/"+r.ID+".md", rule.Page(r))
		ids = append(ids, r.ID)
	}
	drift.Only(t, "../../docs/rules/LP[1-4]*.md", ids)
	drift.Page(t, "../../docs/rules/README.md", "# Rules\n\n"+
		"Ids are stable and never used twice. Severities are the usual ones; a condition may name others. "+
		"Equality is a violation unless the condition says otherwise. "+
		"Symbols are those of [the model](../model.md).\n\n"+rule.Index(rule.Catalogue))
}
