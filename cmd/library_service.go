package cmd

import (
	"maps"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/input"
)

// needs are the inputs of the service that compare looks at, as its plan file has
// them; nil without one. The library that it names is one of those compared.
func (a *app) needs(o compareOptions) ([]input.Set, error) {
	if o.file == "" {
		if len(o.services) > 0 {
			return nil, fault.Usagef("--service chooses from a plan file, and none is named").Hintf("-f lockplan.yaml")
		}
		return nil, nil
	}
	file, err := a.readPlanFile(o.file)
	if err != nil {
		return nil, err
	}
	services, err := file.Select(o.services)
	if err != nil {
		return nil, err
	}
	if len(services) != 1 {
		return nil, fault.Usagef("compare takes one service, and %s has %d", file.Path, len(services)).Hintf("--service NAME")
	}
	sets := []input.Set{maps.Clone(services[0].Defaults), maps.Clone(services[0].Own)}
	for _, s := range sets {
		delete(s, "library")
	}
	return sets, nil
}
