package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "lockplan" { // not the program that a script runs
		isolate()
	}
	testscript.Main(m, map[string]func(){
		"lockplan": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// isolate keeps the caller's settings out of the tests.
func isolate() {
	for _, each := range os.Environ() {
		if name, _, _ := strings.Cut(each, "="); strings.HasPrefix(name, "LOCKPLAN_") && name != "LOCKPLAN_REAL" {
			os.Unsetenv(name)
		}
	}
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(os.TempDir(), "lockplan-no-settings"))
}

// TestScripts runs testdata/script. "exits N lockplan …" wants that exit code.
func TestScripts(t *testing.T) {
	sources, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "../testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", sources)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				want, err := strconv.Atoi(args[0])
				if err != nil || neg || len(args) < 2 {
					ts.Fatalf("usage: exits N command args…")
				}
				got := 0
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					var exit *exec.ExitError
					if !errors.As(err, &exit) {
						ts.Fatalf("%v", err)
					}
					got = exit.ExitCode()
				}
				if got != want {
					ts.Fatalf("exit %d, want %d", got, want)
				}
			},
		},
	})
}

// run runs the program in this process.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}
