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
	mode := fs.FileMode(0o644)
	target := path
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(path, content)
	case err == nil:
		mode = info.Mode().Perm()
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return fault.Toolf("%s: %w", path, cause(err))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fault.Toolf("%s: %w", path, cause(err))
	}
	dir := filepath.Dir(target)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(target)+".*")
	if err != nil {
		return fault.Toolf("%s: nothing can be written into folder %s: %w", path, dir, cause(err))
	}
	defer os.Remove(temp.Name()) // gone already when the rename succeeded
	_, err = temp.Write(content)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		return fault.Toolf("%s: %w", path, cause(err))
	}
	return nil
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
