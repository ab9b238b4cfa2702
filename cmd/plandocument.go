package cmd

import (
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
)

// planDocuments are what ttl or plan wrote with -o json.
type planDocuments struct {
	Plans []plan.Document `json:"plans"`
	plan.Document
}

// plans are the plans of a document. One of another version may mean another
// thing by the same names, and is refused; command makes one that is read.
func (d planDocuments) plans(path, command string) ([]plan.Document, error) {
	refused := func(what string, args ...any) error {
		return fault.Usagef("%s: "+what, append([]any{path}, args...)...).Hintf("%s -o json > %s", command, path)
	}
	plans := d.Plans
	switch d.Schema {
	case plan.Schema:
		plans = []plan.Document{d.Document}
	case plan.ListSchema:
	default:
		return nil, refused("schema %q is neither %s nor %s", d.Schema, plan.Schema, plan.ListSchema)
	}
	for _, p := range plans {
		if p.Schema != plan.Schema {
			return nil, refused("service %q: schema %q is not %s", p.Service, p.Schema, plan.Schema)
		}
	}
	return plans, nil
}
