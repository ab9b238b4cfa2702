package planfile

import (
	"errors"
	"slices"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/near"
)

// Select is the named services in the order of the file, or all of them when
// there are no names. The error joins one for each name that the file lacks;
// the services that it has are returned beside it.
func (f File) Select(names []string) ([]Service, error) {
	var have []string
	for _, s := range f.Services {
		have = append(have, s.Name)
	}
	var faults []error
	for _, name := range names {
		if !slices.Contains(have, name) {
			faults = append(faults, noService(f.Path, name, have))
		}
	}
	if len(names) == 0 {
		return f.Services, nil
	}
	var out []Service
	for _, s := range f.Services {
		if slices.Contains(names, s.Name) {
			out = append(out, s)
		}
	}
	return out, errors.Join(faults...)
}

func noService(path, name string, have []string) error {
	err := fault.Usagef("%s has no service %q", path, name)
	if meant := near.Name(name, have); meant != "" {
		return err.Hintf("--service %s", meant)
	}
	if len(have) > 0 {
		return err.Hintf("one of its services, such as %s", have[0])
	}
	return err
}
