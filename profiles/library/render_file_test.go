package library

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// Go builds a service's file on every system and in no test.
func TestGoFileIsBuiltEverywhere(t *testing.T) {
	fit, _ := fitted(t, "redsync", nil)
	for _, service := range []string{"orders", "foo_test", "cache_linux", "cache_windows", "x_amd64", "x_linux_arm64", "x_js.wasm", "_hidden", ".hidden", "a.b", "linux", "2fa", "bestellung-ö", ""} {
		text, err := Render(fit, service, "go", "")
		if err != nil {
			t.Fatal(err)
		}
		dir, name := t.TempDir(), File(service, "go")
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, system := range [][2]string{{"linux", "amd64"}, {"windows", "arm64"}, {"js", "wasm"}, {"darwin", "arm64"}} {
			ctx := build.Default
			ctx.GOOS, ctx.GOARCH = system[0], system[1]
			p, err := ctx.ImportDir(dir, 0)
			if err != nil || !slices.Equal(p.GoFiles, []string{name}) {
				t.Errorf("%q as %s on %s/%s: built %v, test %v (%v)", service, name, system[0], system[1], p.GoFiles, p.TestGoFiles, err)
			}
		}
	}
}

// declaredIn are the names that a source file of Go declares for its package.
func declaredIn(t *testing.T, text string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					out = append(out, v.Names[0].Name)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// Every library's Go declares what emit takes it to declare.
func TestGoDeclares(t *testing.T) {
	for _, name := range Names() {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(lib.Sheet().Formats, "go") {
			continue
		}
		in := calc.Inputs{Library: lib, Hold: calc.Claim(20*time.Second, "--p999"), HoldP99: calc.Claim(12*time.Second, "--p99"), Pause: calc.Claim(1500*time.Millisecond, "--pause"),
			RTT: calc.Claim(5*time.Millisecond, "--rtt"), FailuresGiven: true, Mode: calc.Renewed}
		if in, err = in.Resolve(); err != nil {
			t.Fatal(err)
		}
		s := calc.Solve(in)
		fit, err := Fit(lib, Wanted{In: in, Lease: s.Lease, MaxHold: calc.MaxHold(in, s)})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := Render(fit, "orders", "go", "")
		if err != nil {
			t.Fatal(err)
		}
		got := Declares("go", text)
		slices.Sort(got)
		if want := declaredIn(t, text); !slices.Equal(got, want) {
			t.Errorf("%s declares %v, taken to be %v", name, want, got)
		}
	}
}

// Python imports a service's file by its name: a word that begins with no digit,
// and is no keyword and no module of Python's.
func TestModulesCanBeImported(t *testing.T) {
	word := regexp.MustCompile(`^[\pL_][\pL\pN_]*_lock$`)
	for service, want := range map[string]string{
		"orders": "orders_lock.py", "a-b.c": "a_b_c_lock.py", "2fa": "_2fa_lock.py", "class": "class_lock.py", "json": "json_lock.py", "redis": "redis_lock.py", "": "lock.py",
	} {
		if got := File(service, "py"); got != want || service != "" && !word.MatchString(got[:len(got)-3]) {
			t.Errorf("%q: %s, want %s", service, got, want)
		}
	}
	for service, want := range map[string]string{"index": "index_lock.js", "a.test": "a_test_lock.js", "2fa": "2fa_lock.js"} {
		if got := File(service, "js"); got != want {
			t.Errorf("%q: %s, want %s", service, got, want)
		}
	}
}
