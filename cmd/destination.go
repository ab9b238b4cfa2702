package cmd

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// destination is one --out KIND=PATH: a form, and where it goes.
type destination struct{ kind, path string }

// parseDestinations reads --out flags. Each path is named once, and at most
// one form goes to standard output.
func parseDestinations(said []string, kinds []string) ([]destination, error) {
	var out []destination
	for _, text := range said {
		kind, path, found := strings.Cut(text, "=")
		switch {
		case !found || path == "":
			return nil, fault.Usagef("--out %q is not KIND=PATH", text).Hintf("--out %s=FILE, - is standard output", kinds[0])
		case !slices.Contains(kinds, kind):
			return nil, fault.Usagef("--out %q: %q is not one of %s", text, kind, strings.Join(kinds, ", "))
		}
		if path != "-" {
			path = filepath.Clean(path)
		}
		if slices.ContainsFunc(out, func(d destination) bool { return d.path == path }) {
			return nil, fault.Usagef("--out: %s is named twice", path)
		}
		out = append(out, destination{kind, path})
	}
	return out, nil
}

// toStdout reports whether a form replaces the answer on standard output.
func toStdout(out []destination) bool {
	return slices.ContainsFunc(out, func(d destination) bool { return d.path == "-" })
}

// deliver writes every form: all files or none, each whole.
func (a *app) deliver(out []destination, write func(kind string, w io.Writer) error) error {
	for _, d := range out {
		if d.path != "-" && a.wasRead(d.path) {
			return fault.Usagef("--out %s=%s would replace what was read", d.kind, d.path).Hintf("another name")
		}
	}
	var files []staged
	defer func() {
		for _, s := range files {
			s.drop()
		}
	}()
	for _, d := range out {
		var text bytes.Buffer
		if err := write(d.kind, &text); err != nil {
			return err
		}
		if d.path == "-" {
			a.out.Write(text.Bytes())
			continue
		}
		s, err := stage(d.path, text.Bytes())
		if err != nil {
			return err
		}
		files = append(files, s)
	}
	for _, s := range files {
		if err := s.commit(); err != nil {
			return err
		}
	}
	return nil
}
