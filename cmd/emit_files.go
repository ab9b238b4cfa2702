package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// placeIn is the file of a service in a folder: the one that its config: names,
// where that lies in there and is written in the form that is asked for; else
// one of its own.
func (a *app) placeIn(dir string, s planfile.Service, lib library.Library, format string) (string, error) {
	form, err := library.FormOf(lib, format)
	if err != nil {
		return "", err
	}
	own := filepath.Join(dir, library.File(s.Name, form))
	if s.Config.Path == "" || !within(dir, s.Config.Path) {
		return own, nil
	}
	if _, err := library.FormIn(lib, format, s.Config.Path); err != nil {
		fmt.Fprintf(a.err, "lockplan: note: %s%s stays as it is: %s\n", prefix(s.Name), s.Config.Path, err)
		return own, nil
	}
	return s.Config.Path, nil
}

// within reports whether a file lies in a folder, or further down.
func within(dir, path string) bool {
	dir, bad := filepath.Abs(dir)
	path, worse := filepath.Abs(path)
	if bad != nil || worse != nil {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// existing is a file's text, and whether there is one.
func existing(path string) (text string, stands bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err == nil && info.Size() > maxWhole {
		return "", true, tooLarge(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", true, fault.Toolf("%w", err)
	}
	return string(data), true, nil
}

// apart refuses services that would take each other's place, before anything is
// written: one file, or names that one package of Go has once.
func apart(all []emitted) error {
	files, names := map[string]string{}, map[string]string{}
	for _, e := range all {
		if other, twice := files[strings.ToLower(e.path)]; twice {
			return fault.Usagef("services %q and %q would both be written to %s", other, e.service, e.path).Hintf("another name for one of them, or a folder each: emit: {dir: …}")
		}
		files[strings.ToLower(e.path)] = e.service
		for _, name := range library.Declares(e.form, e.after) {
			at := filepath.Join(filepath.Dir(e.path), name)
			if other, twice := names[at]; twice {
				return fault.Usagef("services %q and %q would both declare %s in %s", other, e.service, name, filepath.Dir(e.path)).Hintf("another name for one of them, or a folder each: emit: {dir: …}")
			}
			names[at] = e.service
		}
	}
	for _, e := range all {
		if err := declared(e, files); err != nil {
			return err
		}
	}
	return nil
}

// declared refuses names that another file of the folder has, such as that of a
// service which has another name now.
func declared(e emitted, written map[string]string) error {
	mine := library.Declares(e.form, e.after)
	if len(mine) == 0 {
		return nil
	}
	others, err := filepath.Glob(filepath.Join(filepath.Dir(e.path), "*"+library.Extension(e.form)))
	if err != nil {
		return fault.Toolf("%w", err)
	}
	for _, path := range others {
		if _, ours := written[strings.ToLower(path)]; ours || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, _, err := existing(path)
		if err != nil {
			return err
		}
		for _, name := range library.Declares(e.form, text) {
			if slices.Contains(mine, name) {
				return fault.Usagef("%s%s declares %s too, and a package has it once", prefix(e.service), path, name).Hintf("take that file away, or another folder")
			}
		}
	}
	return nil
}

// writeAll writes every file or none: each is written beside its place first,
// then all are renamed.
func writeAll(all []emitted) error {
	var files []staged
	defer func() {
		for _, s := range files {
			s.drop()
		}
	}()
	for _, e := range all {
		if err := os.MkdirAll(filepath.Dir(e.path), 0o755); err != nil {
			return fault.Toolf("%w", err)
		}
		s, err := stage(e.path, []byte(e.after))
		if err != nil {
			return err
		}
		for _, other := range files {
			if other.target == s.target {
				s.drop()
				return fault.Usagef("%s and %s are the same file", other.path, s.path)
			}
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
