package cmd

import (
	"fmt"
	"slices"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/profiles/library"
)

// library is the lock library of that name. A version that was never tried is
// planned as the newest that was, and said.
func (a *app) library(name string) (calc.Library, error) {
	lib, err := library.Get(name)
	if err != nil {
		return nil, err
	}
	a.noteVersion(lib)
	return lib, nil
}

// noteVersion says once that a library is older or newer than what its facts
// rest on.
func (a *app) noteVersion(lib library.Library) {
	note := library.Untried(lib)
	if note == "" || slices.Contains(a.noted, note) {
		return
	}
	a.noted = append(a.noted, note)
	fmt.Fprintf(a.err, "lockplan: note: %s\n", note)
}
