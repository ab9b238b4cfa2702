package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lockplan/lockplan/calc/fault"
)

// writeWhole writes a file whole or not at all: into a neighbour first, then
// renamed over it. A link is followed, an existing file keeps its mode, and
// what is no file, such as /dev/null, is written to as it is.
func writeWhole(path string, content []byte) error {
	s, err := stage(path, content)
	if err != nil {
		return err
	}
	defer s.drop()
	return s.commit()
}

// staged is a file's new content beside its place, not yet in it.
type staged struct {
	path, target, temp string // temp is "" for what is written to as it is
	content            []byte
}

// stage writes the content beside the file. Its name is one that nothing had,
// so that what a killed run left behind is in nobody's way.
func stage(path string, content []byte) (staged, error) {
	mode := fs.FileMode(0o644)
	s := staged{path: path, target: path, content: content}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return s, fault.Toolf("%s: is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		return s, nil
	case err == nil:
		mode = info.Mode().Perm()
		if s.target, err = filepath.EvalSymlinks(path); err != nil {
			return s, fault.Toolf("%s: %w", path, cause(err))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return s, fault.Toolf("%s: %w", path, cause(err))
	default:
		if to, err := os.Readlink(path); err == nil {
			return s, fault.Toolf("%s: is a link to %s, which is not there", path, to)
		}
	}
	dir := filepath.Dir(s.target)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(s.target)+".*")
	if err != nil {
		return s, fault.Toolf("%s: nothing can be written into folder %s: %w", path, dir, cause(err))
	}
	s.temp = temp.Name()
	_, err = temp.Write(content)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		s.drop()
		return s, fault.Toolf("%s: %w", path, cause(err))
	}
	return s, nil
}

// commit puts the content into its place.
func (s staged) commit() error {
	if s.temp == "" {
		return writeThrough(s.path, s.content)
	}
	if err := os.Rename(s.temp, s.target); err != nil {
		return fault.Toolf("%s: %w", s.path, cause(err))
	}
	return nil
}

// drop removes what was not committed.
func (s staged) drop() {
	if s.temp != "" {
		os.Remove(s.temp) // gone already when the rename succeeded
	}
}

// writeThrough writes to a device or a pipe, which has no old content to keep.
func writeThrough(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fault.Toolf("%s: %w", path, cause(err))
	}
	_, err = file.Write(content)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fault.Toolf("%s: %w", path, cause(err))
	}
	return nil
}

// cause is what the system said, without the name of a file that nobody knows.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// wasRead reports whether a path is one of the files that were read: an
// answer must not replace what it was made of.
func (a *app) wasRead(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, read := range a.read {
		if os.SameFile(info, read) {
			return true
		}
	}
	return false
}
