package calc

import (
	"testing"
	"time"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

func is(d time.Duration) Bound { return Claim(d, "test") }

func resolved(t testing.TB, in Inputs) Inputs {
	t.Helper()
	in, err := in.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// seed is the example that the model's text uses throughout.
func seed() Inputs {
	return Inputs{Hold: is(800 * ms), Pause: is(1500 * ms), Margin: is(700 * ms)}
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Section 2.
func TestFixedLease(t *testing.T) {
	for _, tt := range []struct {
		what string
		edit func(*Inputs)
		want time.Duration
	}{
		{"800ms + 1.5s + 700ms", func(*Inputs) {}, 3 * s},
		{"T = h is a violation", func(in *Inputs) { in.Hold, in.Pause, in.Margin = is(10*s), is(0), is(0) }, 10*s + 1},
		{"drift of 200 ppm, up", func(in *Inputs) { in.Drift, in.DriftGiven = One/5000, true }, 3_000_600_121},
		{"rtt 20 + jitter 5 + sched 100", func(in *Inputs) { in.Margin, in.RTT, in.Jitter = Bound{}, is(20*ms), is(5*ms) }, 2425 * ms},
		{"B7: max(800, 100 + 1500) + 700", func(in *Inputs) { in.PauseIncluded, in.HoldP50 = true, is(100*ms) }, 2300 * ms},
		{"the margin assumed", func(in *Inputs) { in.Margin = Bound{} }, 3 * s},
	} {
		in := seed()
		tt.edit(&in)
		same(t, tt.what, FixedMin(resolved(t, in)), tt.want)
	}
	solved := Solve(resolved(t, seed()))
	same(t, "mode", solved.Mode, Fixed)
	same(t, "T", solved.Lease.TTL, 3*s)
	same(t, "S", solved.Lease.StopWork(resolved(t, seed()).Env()), 800*ms)
}

// Section 3.
func TestRenewedLease(t *testing.T) {
	for _, tt := range []struct {
		what                     string
		edit                     func(*Inputs)
		min, ttl, interval, call time.Duration
	}{
		{"3 (1.5 + 0.7 + 0.7)", func(*Inputs) {}, 8700 * ms, 8700 * ms, 2900 * ms, 700 * ms},
		{"n 4: 2 (1.5 + 0.7 + 0.7)", func(in *Inputs) { in.Ratio, in.RatioGiven = 4*One, true }, 5800 * ms, 5800 * ms, 1450 * ms, 700 * ms},
		{"k 0: 1.5 (1.5 + 0.7 + 0.7)", func(in *Inputs) { in.FailuresGiven = true }, 4350 * ms, 4400 * ms, 1466 * ms, 700 * ms},
		{"r = Tr: 1.5 (1.5 + 0.7 + 2 x 0.7)", func(in *Inputs) { in.Backoff = is(0) }, 5400 * ms, 5400 * ms, 1800 * ms, 700 * ms},
		{"r = Tr + 0.2", func(in *Inputs) { in.Backoff = is(200 * ms) }, 5700 * ms, 5700 * ms, 1900 * ms, 700 * ms},
		{"R3: the hold is not in it", func(in *Inputs) { in.Hold = is(30 * time.Minute) }, 8700 * ms, 8700 * ms, 2900 * ms, 700 * ms},
	} {
		in := seed()
		in.Mode = Renewed
		tt.edit(&in)
		in = resolved(t, in)
		got := Solve(in)
		same(t, tt.what+": T_min", got.TTLMin, tt.min)
		same(t, tt.what+": T", got.Lease.TTL, tt.ttl)
		same(t, tt.what+": I", got.Lease.Interval, tt.interval)
		same(t, tt.what+": Tr", got.Lease.Call, tt.call)
		same(t, tt.what+": C1", got.Lease.FailuresTolerated(in.Env()) >= in.Failures, true)
	}
	in := seed()
	in.Mode = Renewed
	same(t, "S", Solve(resolved(t, in)).Lease.StopWork(resolved(t, in).Env()), 6500*ms)
	in.Failures, in.FailuresGiven = 2, true
	same(t, "k + 1 = n has no TTL", Solve(resolved(t, in)).HasMin, false)
	same(t, "R5", Lease{TTL: 30 * s, Interval: 10 * s}.RenewalsPerSecond(1000), 100)
}

// Section 4.
func TestSurvives(t *testing.T) {
	env := Env{Hold: 800 * ms, Pause: 1500 * ms, Margin: 700 * ms, Detect: 700 * ms}
	watchdog := Lease{TTL: 30 * s, Interval: 10 * s, Call: 700 * ms, Spacing: 10 * s}
	same(t, "C1", watchdog.FailuresTolerated(env), 1)
	same(t, "C1 below the first attempt", Lease{TTL: 12 * s, Interval: 10 * s, Call: 700 * ms, Spacing: 10 * s}.FailuresTolerated(env), -1)
	same(t, "C2", watchdog.OutageSurvived(env), 10*s)
	same(t, "C2 of nothing", Lease{TTL: 10 * s, Interval: 10 * s, Spacing: 10 * s}.OutageSurvived(env), 0)
	same(t, "C3 renewed", watchdog.PauseSurvived(env), 19300*ms)
	same(t, "C3 fixed", Lease{TTL: 3 * s}.PauseSurvived(env), 1500*ms)
	worst, mean, clean := Lease{TTL: 3 * s}.Takeover(Generic{}, env)
	same(t, "C5 worst", worst, 3700*ms)
	same(t, "C5 mean of a fixed lease", mean, worst)
	same(t, "C5 clean", clean, 700*ms)
	_, mean, _ = watchdog.Takeover(Generic{}, env)
	same(t, "C5 mean of a renewed lease", mean, 25700*ms)
}

// Client-go's election in the model's names: the holder's own lease ends at
// RenewDeadline, an attempt comes every RetryPeriod, a follower polls every
// RetryPeriod to 2.2 of it. Values published with OpenShift's choice.
func TestClientGo(t *testing.T) {
	for _, tt := range []struct{ lease, deadline, retry, outage, skew, crash time.Duration }{
		{120 * s, 90 * s, 20 * s, 60 * s, 30 * s, 140 * s},
		{137 * s, 107 * s, 26 * s, 78 * s, 30 * s, 163 * s},
		{60 * s, 40 * s, 5 * s, 35 * s, 20 * s, 65 * s},
		{30 * s, 15 * s, 10 * s, 0, 15 * s, 40 * s},
		{60 * s, 15 * s, 10 * s, 0, 45 * s, 70 * s},
		{15 * s, 10 * s, 2 * s, 8 * s, 5 * s, 17 * s},
	} {
		own := Lease{TTL: tt.deadline, Interval: tt.retry, Spacing: tt.retry}
		same(t, "outage", own.OutageSurvived(Env{}), tt.outage)
		same(t, "skew", tt.lease-tt.deadline, tt.skew)
		worst, _, clean := Lease{TTL: tt.lease}.Takeover(Generic{}, Env{Detect: tt.retry})
		same(t, "crash takeover", worst, tt.crash)
		same(t, "clean takeover", clean, tt.retry)
	}
}

// Section 5.
func TestRecovery(t *testing.T) {
	for _, tt := range []struct {
		rto    time.Duration
		max    time.Duration
		solved bool
	}{{5 * s, 4300 * ms, true}, {3700 * ms, 3 * s, true}, {3699 * ms, 2999 * ms, false}, {2 * s, 1300 * ms, false}, {500 * ms, -200 * ms, false}} {
		in := seed()
		in.RTO, in.Mode = is(tt.rto), Fixed
		got := Solve(resolved(t, in))
		same(t, "T_max", got.TTLMax, tt.max)
		same(t, "solved", got.Solved, tt.solved)
	}

	long := seed()
	long.Hold, long.RTO = is(30*time.Minute), is(60*s)
	in := resolved(t, long)
	auto := Solve(in)
	same(t, "a 30-minute task under 60 s", auto.Mode, Renewed)
	same(t, "feasible", auto.Solved, true)
	in.Mode = Fixed
	same(t, "O2 checkpoints", Checkpoints(in, Solve(in)), 32)

	for _, tt := range []struct {
		what string
		edit func(*Inputs)
		want Mode
	}{
		{"a fixed lease of 60 s", func(in *Inputs) { in.Hold = is(57800 * ms) }, Fixed},
		{"a fixed lease above 60 s", func(in *Inputs) { in.Hold = is(57801 * ms) }, Renewed},
		{"a heavy tail", func(in *Inputs) { in.HoldTail = TailHeavy }, Renewed},
		{"a hold without a bound", func(in *Inputs) { in.Hold.Unbounded, in.HoldP99 = true, is(s) }, Renewed},
		{"an RTO that only renewals meet", func(in *Inputs) { in.Hold, in.RTO = is(20*s), is(12*s) }, Renewed},
	} {
		in := seed()
		tt.edit(&in)
		same(t, tt.what, Solve(resolved(t, in)).Mode, tt.want)
	}

	in = seed()
	in.Margin = is(125 * ms) // T_min 2.425 s
	same(t, "T to two digits", Solve(resolved(t, in)).Lease.TTL, 2500*ms)
	in.RTO = is(2550 * ms) // T_max 2.425 s
	same(t, "T never above T_max", Solve(resolved(t, in)).Lease.TTL, 2425*ms)
}

// Section 6.
func TestAcquire(t *testing.T) {
	request := seed()
	request.Deadline, request.Work, request.Reply = is(1*s), is(450*ms), is(100*ms)
	got := SolveAcquire(resolved(t, request), 0)
	same(t, "A1", got, Acquire{Known: true, Wait: 450 * ms, Attempt: 450 * ms, Attempts: 1})
	request.Confirm = is(50 * ms)
	same(t, "A1 with a confirm reserve", SolveAcquire(resolved(t, request), 0).Wait, 400*ms)
	request.Confirm, request.RTT, request.Margin = Bound{}, is(20*ms), Bound{}
	same(t, "C is a round trip where it is known", SolveAcquire(resolved(t, request), 0).Wait, 430*ms)
	request.Deadline = is(500 * ms)
	same(t, "500 cannot hold 450 + 100", SolveAcquire(resolved(t, request), 0).Wait <= 0, true)

	request = seed()
	request.Deadline, request.HoldP99 = is(1*s), is(450*ms)
	same(t, "B is the hold at P99", SolveAcquire(resolved(t, request), 0).Wait, 550*ms)
	request.Deadline, request.QueueSLA = Bound{}, is(30*s)
	same(t, "A5", SolveAcquire(resolved(t, request), 0).Wait, 30*s)

	same(t, "A2 attempts", Attempts(450*ms, 100*ms, 50*ms), 3)
	same(t, "A2 attempts, just not 4", Attempts(549*ms, 100*ms, 50*ms), 3)
	same(t, "A2 attempts, just 4", Attempts(550*ms, 100*ms, 50*ms), 4)
	same(t, "A2 chain", Chain(200*ms, 3, 200*ms), 1400*ms)
	same(t, "A3", FailsAfterCrash(Generic{}, Lease{TTL: 3 * s}, Env{Detect: 700 * ms}, 450*ms), 3250*ms)
	same(t, "A3 outlived", FailsAfterCrash(Generic{}, Lease{TTL: 3 * s}, Env{Detect: 700 * ms}, 3700*ms), 0)
	same(t, "A4", LastWait(30, 200*ms), 5800*ms)
	same(t, "A4 alone", LastWait(1, 200*ms), 0)
}

// Section 7.
func TestMaxHold(t *testing.T) {
	in := seed()
	in.Hold, in.HoldP99, in.Mode = is(40*s), is(20*s), Renewed
	same(t, "6 x P99", MaxHold(resolved(t, in), Solve(resolved(t, in))).Value, 2*time.Minute)
	in.HoldP99 = Bound{}
	same(t, "6 x h", MaxHold(resolved(t, in), Solve(resolved(t, in))).Value, 4*time.Minute)
	in.Hold = is(1 * s)
	same(t, "at least T", MaxHold(resolved(t, in), Solve(resolved(t, in))).Value, 8700*ms)
	in.MaxHold = is(5 * s)
	same(t, "as given", MaxHold(resolved(t, in), Solve(resolved(t, in))).Value, 5*s)
	same(t, "fixed", MaxHold(resolved(t, seed()), Solve(resolved(t, seed()))).Value, 800*ms)
}

func TestParseRatio(t *testing.T) {
	for text, want := range map[string]Ratio{"3": 3 * One, "0.0002": One / 5000, "2.5": 5 * One / 2, "0": 0, "1000000": 1_000_000 * One, "1.500": 3 * One / 2} {
		got, err := ParseRatio(text)
		if err != nil || got != want {
			t.Errorf("ParseRatio(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "1.", "-1", "+1", "1e3", "NaN", "Inf", "0x1", "1,5", "0.0000000001", "1000001", "99999999999999999999", "３", " 3"} {
		if got, err := ParseRatio(text); err == nil {
			t.Errorf("ParseRatio(%q) = %v, want an error", text, got)
		}
	}
}

func FuzzParseRatio(f *testing.F) {
	for _, seed := range []string{"3", "0.0002", "1000000", ".5", "00.10"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRatio(text)
		if err != nil {
			return
		}
		again, err := ParseRatio(r.String())
		if err != nil || again != r || r < 0 || r > maxRatio {
			t.Errorf("ParseRatio(%q) = %v, printed and read again %v, %v", text, r, again, err)
		}
	})
}
