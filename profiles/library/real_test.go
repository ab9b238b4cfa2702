package library

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc"
)

// The tests of the real_*_test.go files run the real libraries against what
// emit writes. Without the runtime they skip; LOCKPLAN_REAL=1 makes that a
// failure.

// need skips the test unless every program is there.
func need(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("real servers and clients take their time: not with -short")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			without(t, "%s is not installed", p)
		}
	}
}

// without skips the test, or fails it where the runtimes must be there.
func without(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("LOCKPLAN_REAL") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format+"; testdata/runtimes/install.sh installs it", args...)
}

// slow skips a measurement of a minute where nobody asked for the real thing.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("LOCKPLAN_REAL") != "1" {
		t.Skip("a measurement that takes its time: LOCKPLAN_REAL=1 runs it")
	}
}

// runtimes is the folder of the programs that use the real libraries.
func runtimes(t *testing.T, name string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("../../testdata/runtimes", name))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// freePort is a port that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// redisServer starts a Redis of the test's own.
func redisServer(t *testing.T) (addr string) {
	t.Helper()
	need(t, "redis-server")
	port := freePort(t)
	cmd := exec.Command("redis-server", "--port", port, "--save", "", "--appendonly", "no", "--bind", "127.0.0.1")
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, "127.0.0.1:"+port)
	return "127.0.0.1:" + port
}

// await returns when something listens.
func await(t *testing.T, addr string) {
	t.Helper()
	for range 600 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("nothing listens on %s", addr)
}

// freezer is a proxy that can stop to pass anything on while its connections
// stay open, as a hung server or a partition does.
type freezer struct {
	addr   string
	mu     sync.Mutex
	frozen bool
	thaw   *sync.Cond
}

func newFreezer(t *testing.T, target string) *freezer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &freezer{addr: l.Addr().String()}
	f.thaw = sync.NewCond(&f.mu)
	t.Cleanup(func() { l.Close(); f.freeze(false) })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			go f.pass(in, out)
			go f.pass(out, in)
		}
	}()
	return f
}

func (f *freezer) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		f.mu.Lock()
		for f.frozen {
			f.thaw.Wait()
		}
		f.mu.Unlock()
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (f *freezer) freeze(on bool) {
	f.mu.Lock()
	f.frozen = on
	f.mu.Unlock()
	f.thaw.Broadcast()
}

// probe runs a program that prints JSON objects, and freezes the server when
// it says that it is ready.
func probe(t *testing.T, freeze *freezer, dir string, command ...string) []map[string]any {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(3*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var rows []map[string]any
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "{") {
			continue // a library's own log
		}
		row := map[string]any{}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if row["ready"] == true {
			if freeze != nil {
				freeze.freeze(true)
			}
			io.WriteString(in, "frozen\n")
			continue
		}
		if row["thaw"] == true {
			freeze.freeze(false)
			continue
		}
		rows = append(rows, row)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, complaints.String())
	}
	if len(rows) == 0 {
		t.Fatalf("%v printed nothing\n%s", command, complaints.String())
	}
	return rows
}

// between fails unless a measured number lies in a range, and logs it for
// docs/libraries.
func between(t *testing.T, what string, got any, least, most float64) {
	t.Helper()
	n, ok := got.(float64)
	t.Logf("measured: %s: %v", what, got)
	if !ok || n < least || n > most {
		t.Errorf("%s: measured %v, want %v to %v", what, got, least, most)
	}
}

// grid are plans of a library for unlike services, as emit would fit them.
func grid(t *testing.T, name string) map[string]Fitted {
	t.Helper()
	lib, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Fitted{}
	for id, raw := range map[string]calc.Inputs{
		"short":    {Hold: calc.Claim(20*time.Millisecond, "p999"), Pause: calc.Claim(300*time.Millisecond, "pause"), RTT: calc.Claim(2*time.Millisecond, "rtt"), Deadline: calc.Claim(2*time.Second, "deadline"), Mode: calc.Fixed},
		"order":    {Hold: calc.Claim(20*time.Second, "p999"), Pause: calc.Claim(1500*time.Millisecond, "pause"), Margin: calc.Claim(700*time.Millisecond, "margin"), Deadline: calc.Claim(60*time.Second, "deadline"), Mode: calc.Renewed},
		"odd":      {Hold: calc.Claim(1234567*time.Microsecond, "p999"), Pause: calc.Claim(777*time.Millisecond, "pause"), Margin: calc.Claim(333*time.Millisecond, "margin"), QueueSLA: calc.Claim(7*time.Second, "sla"), Mode: calc.Auto},
		"migrate":  {Hold: calc.Claim(30*time.Minute, "p999"), Pause: calc.Claim(3*time.Second, "pause"), Margin: calc.Claim(time.Second, "margin"), Mode: calc.Renewed, Failures: 0, FailuresGiven: true},
		"fenced":   {Hold: calc.Claim(5*time.Second, "p999"), Pause: calc.Claim(100*time.Millisecond, "pause"), RTT: calc.Claim(40*time.Millisecond, "rtt"), Mode: calc.Fixed, Fencing: calc.FencingYes},
		"patient":  {Hold: calc.Claim(2*time.Second, "p999"), Pause: calc.Claim(2*time.Second, "pause"), Margin: calc.Claim(500*time.Millisecond, "margin"), QueueSLA: calc.Claim(90*time.Second, "sla"), Mode: calc.Renewed},
		"tolerant": {Hold: calc.Claim(time.Second, "p999"), Pause: calc.Claim(0, "pause"), Margin: calc.Claim(100*time.Millisecond, "margin"), Mode: calc.Renewed, Failures: 0, FailuresGiven: true},
	} {
		raw.Service = id + "-" + lib.Name()
		if fit, ok := planOf(t, lib, raw, nil); ok {
			out[raw.Service] = fit
		}
	}
	if len(out) < 2 {
		t.Fatalf("%s expresses %d plans of the grid", name, len(out))
	}
	return out
}

// planOf is a service's plan as emit would fit it, if there is one.
func planOf(t *testing.T, lib Library, raw calc.Inputs, given Values) (fit Fitted, ok bool) {
	t.Helper()
	lib = Configured(lib, given)
	raw.Library = lib
	in, err := raw.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	sol, acquire := calc.Solve(in), calc.SolveAcquire(in, 0)
	if !sol.Solved || acquire.Known && acquire.Wait <= 0 {
		return fit, false
	}
	fit, err = Fit(lib, Wanted{In: in, Lease: sol.Lease, Acquire: acquire, MaxHold: calc.MaxHold(in, sol), Given: given})
	if err != nil {
		t.Logf("%s: %v", raw.Service, err)
	}
	return fit, err == nil
}

// setting is a fitted plan's value of a time key, in nanoseconds.
func (fit Fitted) setting(t *testing.T, key string) (time.Duration, bool) {
	t.Helper()
	for _, s := range fit.Settings {
		if s.Key == key {
			k, _ := fit.Library.Sheet().Key(key)
			d, err := k.Unit.Parse(s.Text)
			if err != nil {
				t.Fatal(err)
			}
			return d, true
		}
	}
	return 0, false
}

// emitTo writes a fitted plan as a file and returns its path.
func emitTo(t *testing.T, dir string, fit Fitted, service, form string) string {
	t.Helper()
	text, err := Render(fit, service, form, "")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, File(service, form))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// sameNumbers fails where a library's own numbers, durations in ms, are not
// those of the plan that was emitted.
func sameNumbers(t *testing.T, fit Fitted, row map[string]any) {
	t.Helper()
	for key, got := range row {
		spec, known := fit.Library.Sheet().Key(key)
		raw, err := (code{fit: fit}).Raw(key)
		if !known || err != nil {
			continue // not of the library, or not emitted
		}
		if _, asWritten := got.(string); spec.Unit.IsTime() && !asWritten {
			want, _ := fit.setting(t, key)
			raw = Millis.Format(want)
		}
		if fmt.Sprint(got) != raw {
			t.Errorf("%v: %s is %v, emitted as %s", row["service"], key, got, raw)
		}
	}
}
