package library

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
)

// retrying is a RetryPolicy of Curator's: how often it tries again and how long
// it sleeps before each of those tries, at worst.
type retrying struct {
	tries   int
	sleep   time.Duration
	growing []time.Duration // in place of tries equal sleeps
	forever bool            // RetryForever: no call gives up
	elapsed time.Duration   // RetryUntilElapsed: it tries again for so long; 0 is by count
}

// retryClasses are curator-client's policies and the number of their arguments,
// all whole numbers.
var retryClasses = map[string][]int{
	"ExponentialBackoffRetry": {2, 3}, "BoundedExponentialBackoffRetry": {3}, "RetryNTimes": {2}, "RetryOneTime": {1}, "RetryForever": {1}, "RetryUntilElapsed": {2},
}

var retrySpelling = regexp.MustCompile(`^(?:new\s+)?(?:\w+\.)*(\w+)\(([-\d_,\s]*)\)$`)

// mostExponential is ExponentialBackoffRetry's MAX_RETRIES_LIMIT.
const mostExponential = 29

// retryPolicyOf reads a policy as it is made: RetryNTimes(3, 1000).
func retryPolicyOf(text string) (retrying, error) {
	bad := fault.Usagef("%q is no retry policy of Curator's", text).Hintf("its class with its arguments, such as ExponentialBackoffRetry(1000, 3)")
	m := retrySpelling.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return retrying{}, bad
	}
	var args []int
	for arg := range strings.SplitSeq(m[2], ",") {
		n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(arg), "_", ""), 10, 32)
		if err != nil || n < 0 {
			return retrying{}, bad
		}
		args = append(args, int(n))
	}
	if !slices.Contains(retryClasses[m[1]], len(args)) {
		return retrying{}, bad
	}
	return policy(m[1], args)
}

func policy(class string, args []int) (retrying, error) {
	millis := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	first := millis(args[0])
	switch class {
	case "ExponentialBackoffRetry":
		most := mostZooKeeper // Integer.MAX_VALUE
		if len(args) == 3 {
			most = millis(args[2])
		}
		return exponential(first, most, args[1]), nil
	case "BoundedExponentialBackoffRetry":
		return exponential(first, millis(args[1]), args[2]), nil
	case "RetryForever":
		if first == 0 {
			return retrying{}, fault.Usagef("RetryForever takes no interval of 0: it throws IllegalArgumentException").Hintf("RetryNTimes(3, 100)")
		}
		return retrying{tries: 1, sleep: first, forever: true}, nil
	case "RetryUntilElapsed":
		return retrying{tries: 1, sleep: millis(args[1]), elapsed: max(first, 1)}, nil
	case "RetryOneTime":
		return retrying{tries: 1, sleep: first}, nil
	}
	return retrying{tries: args[0], sleep: millis(args[1])}, nil
}

// exponential sleeps base times a random number below 2, 4, 8 …, at least 1.
func exponential(base, most time.Duration, tries int) retrying {
	r := retrying{tries: min(tries, mostExponential)}
	for i := range r.tries {
		sleep, factor := most, time.Duration(1<<(i+1)-1)
		if base <= most/factor {
			sleep = base * factor
		}
		r.growing = append(r.growing, sleep)
	}
	return r
}

// longest is the longest sleep of all.
func (r retrying) longest() time.Duration {
	switch {
	case r.tries == 0:
		return 0
	case len(r.growing) > 0:
		return slices.Max(r.growing)
	}
	return r.sleep
}

// call is the worst time of one call whose first try fails after first and
// every further one after again. Of one that never gives up there is none.
func (r retrying) call(first, again time.Duration) time.Duration {
	switch {
	case r.elapsed > 0: // it sleeps, too, before it looks at the time
		return saturate(max(first, saturate(r.elapsed, saturate(r.sleep, again))), r.sleep)
	case len(r.growing) > 0:
		for _, sleep := range r.growing {
			first = saturate(first, saturate(sleep, again))
		}
	case r.tries > 0:
		first = saturate(first, calc.Chain(saturate(r.sleep, again), r.tries-1, 0))
	}
	return first
}

// retries is the policy that a configuration has.
func (curator) retries(run *Running) retrying {
	if !run.Given("retryPolicy") {
		return retrying{tries: run.Int("retries"), sleep: run.Dur("retrySleepMs")}
	}
	v := run.Values["retryPolicy"]
	for _, key := range []string{"retries", "retrySleepMs"} {
		if run.Given(key) {
			run.fail(v, "retryPolicy", fault.Usagef("%s is set as well", key).Hintf("one of them: a client has one policy"))
			return retrying{}
		}
	}
	r, err := retryPolicyOf(v.Text)
	if err != nil {
		run.fail(v, "retryPolicy", err)
	}
	return r
}

// calls reckons one call on a frozen server: it is on its way until the
// session's client gives its connection up, and each further try waits for a
// connection and then with that one's handshake, which lasts as long as a
// session where the connect string names one server.
func (c curator) calls(run *Running, connect calc.Bound, granted time.Duration) {
	r := c.retries(run)
	run.Setup.Retries = r.tries
	lp587(run, r, granted)
	if r.forever {
		run.Setup.Wait = calc.Bound{} // of acquire, which is none
		run.Own.Endless = true
		lp585Forever(run)
		return
	}
	call := calc.Compute(r.call(granted*2/3, saturate(connect.Value, granted)), "2T/3 and every further try")
	call.File, call.Line = connect.File, connect.Line
	run.Setup.Command = call
	if wait := run.Setup.Wait; wait.Known {
		worst := saturate(wait.Value, calc.Chain(call.Value, 3, 0))
		run.Own.Acquire = &worst
	}
	lp585(run, call.Value)
}
