package library

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// goProbe builds testdata/runtimes/go once, with what emit writes for the grid
// compiled in, and returns the program and what was emitted.
var goProbe = sync.OnceValues(func() (string, error) {
	source, err := filepath.Abs("../../testdata/runtimes/go")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "lockplan-probe-*")
	if err != nil {
		return "", err
	}
	goProbeDir = dir
	files, err := filepath.Glob(filepath.Join(source, "*"))
	if err != nil {
		return "", err
	}
	for _, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o644); err != nil {
			return "", err
		}
	}
	for name, text := range goProbeEmitted {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-o", "probe", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "probe"), nil
})

var (
	goProbeMu      sync.Mutex
	goProbeDir     string
	goProbeEmitted map[string]string
	goProbeFits    map[string]Fitted
)

// TestMain removes the program that goProbe built.
func TestMain(m *testing.M) {
	code := m.Run()
	if goProbeDir != "" {
		os.RemoveAll(goProbeDir)
	}
	os.Exit(code)
}

// goProgram is the probe, with what emit writes compiled in.
func goProgram(t *testing.T) string {
	t.Helper()
	need(t, "go")
	slow(t) // the clients take minutes to build
	goProbeMu.Lock()
	if goProbeEmitted == nil {
		goProbeEmitted, goProbeFits = emitGo(t)
	}
	goProbeMu.Unlock()
	program, err := goProbe()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// goLibraries are the libraries that the probe runs.
var goLibraries = []string{"redsync", "redislock", "go-redis", "rueidislock", "etcd", "client-go", "consul", "go-zookeeper"}

// emitGo writes every Go library's grid as source, and a file that names each
// function.
func emitGo(t *testing.T) (files map[string]string, fits map[string]Fitted) {
	files, fits = map[string]string{}, map[string]Fitted{}
	var wire strings.Builder
	wire.WriteString("package main\n\nimport (\n\t\"time\"\n\n\t\"lockplan.test/runtimes/locks\"\n)\n\nfunc init() {\n")
	for _, name := range goLibraries {
		for service, fit := range grid(t, name) {
			text, err := Render(fit, service, "go", "")
			if err != nil {
				t.Fatal(err)
			}
			files["locks/"+strings.ReplaceAll(service, "-", "_")+"_lock.go"] = text
			fits[service] = fit
			id := identifier(service)
			switch name {
			case "redsync":
				fmt.Fprintf(&wire, "\tredsyncs[%q] = locks.%sOptions\n\tclients[%q] = locks.%sClient\n", service, id, service, id)
			case "redislock":
				fmt.Fprintf(&wire, "\tredislocks[%q] = locks.%sOptions\n\tclients[%q] = locks.%sClient\n", service, id, service, id)
			case "go-redis":
				fmt.Fprintf(&wire, "\tclients[%q] = locks.%sClient\n\tdurations[%q] = map[string]time.Duration{\"ttl\": locks.%sTTL}\n", service, id, service, id)
			case "rueidislock":
				fmt.Fprintf(&wire, "\tlockers[%q] = locks.%sLocker\n", service, id)
			case "etcd":
				fmt.Fprintf(&wire, "\tsessions[%q] = locks.%sSession\n", service, id)
			case "client-go":
				fmt.Fprintf(&wire, "\telections[%q] = locks.%sElection\n", service, id)
			case "consul":
				fmt.Fprintf(&wire, "\tconsuls[%q] = locks.%sLock\n\tconsulIDs[%q] = locks.%sSession\n", service, id, service, id)
			case "go-zookeeper":
				fmt.Fprintf(&wire, "\tdurations[%q] = map[string]time.Duration{\"sessionTimeout\": locks.%sSessionTimeout}\n", service, id)
			}
		}
	}
	wire.WriteString("}\n")
	files["grid.go"] = wire.String()
	return files, fits
}

// TestRealGoValues: each Go library understands of what emit wrote just what
// emit meant.
func TestRealGoValues(t *testing.T) {
	program := goProgram(t)
	seen := map[string]bool{}
	for _, row := range probe(t, nil, t.TempDir(), program, "values", freePort(t)) {
		service := row["service"].(string)
		fit := goProbeFits[service]
		seen[service] = true
		sameAsEmitted(t, fit, service, row)
	}
	for service := range goProbeFits {
		if !seen[service] && !strings.Contains(service, "redislock") {
			t.Errorf("%s was not compared", service)
		}
	}
}

// sameAsEmitted holds what a library understood against what emit meant.
func sameAsEmitted(t *testing.T, fit Fitted, what string, row map[string]any) {
	t.Helper()
	for key, got := range row {
		raw, given := code{fit: fit}.setting(key)
		spec, _ := fit.Library.Sheet().Key(key)
		want := any(raw.Text)
		switch {
		case key == "service" || key == "form":
			continue
		case key == "taken":
			want = true
		case !given:
			continue // the library's default
		case key == "SessionTTL":
			d, _ := fit.setting(t, key)
			parsed, err := time.ParseDuration(fmt.Sprint(got))
			if got, want = parsed, d; err != nil {
				t.Error(err)
			}
		case spec.Unit == Factor: // printed in billionths
			var share float64
			fmt.Sscan(raw.Text, &share)
			got, want = fmt.Sprintf("%.9f", got.(float64)/1e9), fmt.Sprintf("%.9f", share)
		case spec.Unit == Switch, spec.Unit == Count, spec.Unit == Seconds, spec.Unit == Millis:
			got = fmt.Sprint(got)
		default:
			d, _ := fit.setting(t, key)
			got, want = time.Duration(got.(float64)), d
		}
		if got != want {
			t.Errorf("%s: %s is %v to the library, emitted as %v", what, key, got, want)
		}
	}
}
