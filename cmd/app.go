package cmd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/viper"
	"golang.org/x/term"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
	"github.com/lockplan/lockplan/profiles/source"
)

// app is what commands share: the streams, the clock and the tool's settings.
type app struct {
	in    io.Reader
	out   *bufio.Writer
	err   io.Writer
	now   func() time.Time
	viper *viper.Viper

	flags     struct{ output, color string }
	terminal  bool // stdout is one
	watched   bool // stderr is one: somebody looks at progress
	output    string
	color     bool
	stdinUsed bool
	variables input.Set // of the environment, once read
	read      []fs.FileInfo
	noted     []string // said on stderr already
	// holdOptional is set by commands that also answer without a hold.
	holdOptional bool
}

// outputs are the forms of -o; a command may know fewer.
var outputs = []string{"table", "json", "yaml", "csv", "markdown"}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{in: stdin, out: newBuffer(stdout), err: stderr, now: time.Now, viper: viper.New()}
	if f, ok := stdout.(*os.File); ok {
		a.terminal = term.IsTerminal(int(f.Fd()))
	}
	if f, ok := stderr.(*os.File); ok {
		a.watched = term.IsTerminal(int(f.Fd()))
	}
	a.viper.SetEnvPrefix("LOCKPLAN")
	a.viper.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	return a
}

// settle reads the tool's settings: flag, then LOCKPLAN_OUTPUT and
// LOCKPLAN_COLOR, then settings.yaml in the user's configuration folder.
// Inputs of a plan are never settings: viper would lower-case their names.
func (a *app) settle() error {
	if dir, err := os.UserConfigDir(); err == nil {
		a.viper.SetConfigFile(filepath.Join(dir, "lockplan", "settings.yaml"))
		if err := a.viper.ReadInConfig(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Usagef("%s: %s", a.viper.ConfigFileUsed(), strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
	pick := func(flag, key, fallback string) string {
		if flag != "" {
			return flag
		}
		a.viper.BindEnv(key)
		a.viper.SetDefault(key, fallback)
		return a.viper.GetString(key)
	}
	a.output = pick(a.flags.output, "output", "table")
	if !slices.Contains(outputs, a.output) {
		return fault.Usagef("output %q is not one of %s", a.output, strings.Join(outputs, ", "))
	}
	switch color := pick(a.flags.color, "color", "auto"); color {
	case "always":
		a.color = true
	case "never":
	case "auto":
		a.color = a.terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	default:
		return fault.Usagef("color %q is not one of auto, always, never", color)
	}
	return nil
}

// open opens an observation or a plan file; "-" is standard input, once.
func (a *app) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		if a.stdinUsed {
			return nil, fault.Usagef("standard input was already read").Hintf("- stands for it once")
		}
		a.stdinUsed = true
		return a.watch(io.NopCloser(a.in), "standard input", 0), nil
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fault.Usagef("%s is a folder, not a file", path)
	}
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Usagef("%s: there is no such file", path)
	case err != nil:
		return nil, fault.Toolf("%w", err)
	}
	a.read = append(a.read, info)
	return a.watch(file, path, info.Size()), nil
}

// maxWhole is the longest file that is read whole: a configuration, or a
// document of lockplan's own.
const maxWhole = 16 << 20

// readWhole reads a file that is no observation.
func (a *app) readWhole(path string) ([]byte, error) {
	r, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxWhole+1))
	if err != nil {
		return nil, fault.Toolf("%s: %w", path, err)
	}
	if len(data) > maxWhole {
		return nil, tooLarge(path)
	}
	return data, nil
}

func tooLarge(path string) error {
	return fault.Usagef("%s is longer than %d MB: no configuration, and no document of lockplan", path, maxWhole>>20)
}

// watch shows the progress of a long input to somebody at a terminal.
func (a *app) watch(r io.ReadCloser, name string, size int64) io.ReadCloser {
	if !a.watched {
		return r
	}
	return newReading(r, a.err, a.now, name, size)
}

func (a *app) outside() input.Outside {
	return input.Outside{
		Open: a.open, Library: a.library, HoldOptional: a.holdOptional,
		Server: func(s source.Server, q source.Query) (*source.Observation, error) {
			return s.Read(context.Background(), q)
		},
		Secret: func(name string) string { return os.Getenv("LOCKPLAN_" + name) },
	}
}

// lockLibrary is the library of resolved inputs, the generic one where none was
// named, which they are then planned with.
func lockLibrary(got *input.Resolved) (library.Library, error) {
	if lib, named := got.Inputs.Library.(library.Library); named {
		return lib, nil
	}
	lib, err := library.Get("generic")
	got.Inputs.Library = lib
	return lib, err
}

// findLibrary is the lock library of that name.
func findLibrary(name string) (calc.Library, error) { return library.Get(name) }
