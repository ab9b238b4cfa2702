package sim

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// python runs a script of testdata/bench-python and reads what it prints. It
// is skipped where no Python has SimPy and NumPy.
func python(t testing.TB, script string, args ...string) map[string]float64 {
	t.Helper()
	interpreter := os.Getenv("LOCKPLAN_PYTHON")
	if interpreter == "" {
		interpreter = "python3"
	}
	if err := exec.Command(interpreter, "-c", "import simpy, numpy").Run(); err != nil {
		if os.Getenv("LOCKPLAN_REAL") == "1" {
			t.Fatalf("%s has no SimPy and NumPy: %v", interpreter, err)
		}
		t.Skipf("%s has no SimPy and NumPy: set LOCKPLAN_PYTHON", interpreter)
	}
	cmd := exec.Command(interpreter, append([]string{"../../testdata/bench-python/" + script}, args...)...)
	// One core: NumPy's libraries would start threads of their own.
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	values := map[string]float64{}
	for line := range bytes.Lines(out) {
		name, text, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if values[name], err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatalf("%s printed %q", script, line)
		}
	}
	return values
}

// The two simulators agree on what they simulate.
func TestSameModelInPython(t *testing.T) {
	theirs := python(t, "contended.py", "60")
	out := &Outcome{}
	new(Runner).Play(contended(), 10*time.Minute, rand.NewPCG(1, 1), out)
	ours := float64(out.Acquired) / 600
	if got := theirs["simulated_locks_per_second"]; math.Abs(got-ours) > 0.05*ours {
		t.Errorf("SimPy grants %.2f locks a simulated second, we %.2f", got, ours)
	}
	if got, ours := theirs["renewals_per_lock"], float64(out.Renewals)/float64(out.Acquired); math.Abs(got-ours) > 0.1*ours {
		t.Errorf("SimPy renews %.3f times a lock, we %.3f", got, ours)
	}
	theirs = python(t, "uncontended.py", "5000000")
	sum := uncontended().Run(5_000_000, rand.NewPCG(1, 1))
	if got, ours := theirs["renewals_per_cycle"], float64(sum.Renewals)/float64(sum.Acquisitions); math.Abs(got-ours) > 0.01*ours {
		t.Errorf("NumPy renews %.4f times a cycle, we %.4f", got, ours)
	}
	if got, s := theirs["lost_share"], ShareOf(sum.Lost, sum.Acquisitions); got < 0.8*s.Low || got > 1.2*s.High {
		t.Errorf("NumPy loses %g, we [%g, %g]", got, s.Low, s.High)
	}
}

// BenchmarkAgainstPython compares processor time on one core, in one run.
func BenchmarkAgainstPython(b *testing.B) {
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	b.Run("SimPy", func(b *testing.B) {
		theirs := python(b, "contended.py", "30")["locks_per_second"]
		w := contended()
		out := &Outcome{}
		var runner Runner
		r := rand.NewPCG(1, 1)
		begin := processorTime()
		for b.Loop() {
			runner.Play(w, time.Minute, r, out)
		}
		spent := (processorTime() - begin).Seconds()
		ours := float64(out.Acquired) / spent
		b.ReportMetric(ours/1e6, "Mlocks/s")
		b.ReportMetric(theirs/1e6, "SimPy-Mlocks/s")
		b.ReportMetric(float64(out.Events)/spent/1e6, "Mevents/s")
		b.ReportMetric(ours/theirs, "times")
	})
	b.Run("NumPy", func(b *testing.B) {
		theirs := python(b, "uncontended.py")["cycles_per_second"]
		c := uncontended()
		r := rand.NewPCG(1, 1)
		var sum Cycles
		begin := processorTime()
		for b.Loop() {
			sum = sum.Add(c.Run(1_000_000, r))
		}
		ours := float64(sum.Acquisitions) / (processorTime() - begin).Seconds()
		b.ReportMetric(ours/1e6, "Mcycles/s")
		b.ReportMetric(theirs/1e6, "NumPy-Mcycles/s")
		b.ReportMetric(ours/theirs, "times")
	})
}
