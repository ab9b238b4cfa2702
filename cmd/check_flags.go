package cmd

import (
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/rule"
	"github.com/lockplan/lockplan/profiles/library"
)

// lockFlags describe a lock of no particular library, and what surrounds any
// lock.
type lockFlags struct {
	ttl, renew, renewTimeout, renewBackoff calc.Bound
	wait, retryDelay, attempt, command     calc.Bound
	retries                                int
	surroundings                           rule.Setup
}

func (l *lockFlags) register(cmd *cobra.Command) {
	l.retries = -1
	s := &l.surroundings
	for _, f := range []struct {
		name, help string
		bound      *calc.Bound
	}{
		{"ttl", "lease of a lock of no particular library", &l.ttl},
		{"renew", "interval between renewals", &l.renew},
		{"renew-timeout", "worst time of one whole renew call", &l.renewTimeout},
		{"renew-backoff", "wait after a failed renewal (default: until the next tick)", &l.renewBackoff},
		{"wait", "how long a caller queues for the lock", &l.wait},
		{"retry-delay", "between two attempts to acquire", &l.retryDelay},
		{"attempt-timeout", "socket timeout of one attempt to acquire", &l.attempt},
		{"call-worst", "worst time of one call with the client's own retries", &l.command},
		{"clock-skew", "between the clocks, where another machine's wall clock judges the expiry", &s.ClockSkew},
		{"failover", "of the lock service, to be survived", &s.Failover},
		{"outage", "of the lock service, to be survived", &s.Outage},
		{"firewall-idle", "after which a firewall drops an idle connection", &s.FirewallIdle},
		{"idle-timeout", "after which the client closes an idle connection", &s.Idle},
		{"period", "of a scheduled job", &s.Period},
		{"at-least", "that a scheduled job's lock is kept", &s.AtLeast},
		{"at-most", "that a scheduled job's lock is kept", &s.AtMost},
		{"grace", "between the signal to stop and the kill", &s.Grace},
		{"drain", "that a clean stop takes before the release", &s.Drain},
		{"kill-after", "a probe's, a function's or a job's hard limit", &s.KillAfter},
		{"visibility", "after which a queue delivers a message again", &s.Visibility},
		{"acquire-spent", "of the lease used up while acquiring or in a buffer", &s.Spent},
		{"stop-work", "since the last confirmed renewal, after which the application stops", &s.StopWork},
		{"stop-time", "that the application takes to stop", &s.StopTime},
	} {
		cmd.Flags().Var(duration{f.bound}, f.name, f.help)
	}
	for _, f := range []struct {
		name, help string
		count      *int
		least      int
	}{
		{"retries", "of an attempt to acquire", &l.retries, 0},
		{"threads", "of the pool that callers wait in", &s.Pool.Threads, 1},
		{"pool", "connections of one process at most", &s.Pool.Size, 1},
		{"pods", "processes that connect", &s.Pool.Pods, 1},
		{"max-clients", "connections that the server takes", &s.Pool.MaxClients, 1},
	} {
		cmd.Flags().Var(count{f.name, f.count, f.least}, f.name, f.help)
	}
	cmd.Flags().BoolVar(&s.Pool.SharedWithBusiness, "shared-pool", false, "renewals share the connections of business traffic")
}

// describesLock reports whether a lock of no library is described.
func (l *lockFlags) describesLock() bool {
	return l.ttl.Known || l.renew.Known || l.renewTimeout.Known || l.renewBackoff.Known || l.retryDelay.Known || l.attempt.Known || l.retries >= 0
}

// given reports whether any of the flags was used.
func (l *lockFlags) given() bool {
	s := l.surroundings
	for _, b := range []calc.Bound{s.ClockSkew, s.Failover, s.Outage, s.FirewallIdle, s.Idle, s.Period, s.AtLeast, s.AtMost, s.Grace, s.Drain,
		s.KillAfter, s.Visibility, s.Spent, s.StopWork, s.StopTime, l.wait, l.command} {
		if b.Known {
			return true
		}
	}
	return l.describesLock() || s.Pool != (rule.Pool{})
}

// values are the lock in the keys of the generic library. A scheduled job's
// lock is kept at most so long: that is its lease.
func (l *lockFlags) values() library.Values {
	out := library.Values{}
	ttl := l.ttl
	if !ttl.Known && !l.renew.Known {
		ttl = l.surroundings.AtMost
	}
	if !l.describesLock() && !l.surroundings.AtMost.Known {
		return out
	}
	for key, b := range map[string]calc.Bound{
		"ttl": ttl, "renewInterval": l.renew, "renewTimeout": l.renewTimeout, "renewBackoff": l.renewBackoff,
		"retryDelay": l.retryDelay, "attemptTimeout": l.attempt,
	} {
		if b.Known {
			out[key] = library.Value{Text: dur.Format(b.Value)}
		}
	}
	if l.retries >= 0 {
		out["retries"] = library.Value{Text: strconv.Itoa(l.retries)}
	}
	return out
}

// setup is what surrounds the lock.
func (l *lockFlags) setup() rule.Setup {
	s := l.surroundings
	s.Wait, s.Command = l.wait, l.command
	return s
}

// count is a flag of a whole number.
type count struct {
	name  string
	n     *int
	least int
}

func (c count) String() string { return "" }

// Type is what help shows behind the flag.
func (count) Type() string { return "N" }

// Set reads a whole number that is not below the least.
func (c count) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || int(n) < c.least {
		return fault.Usagef("--%s %q is not a whole number from %d to %d", c.name, text, c.least, math.MaxInt32)
	}
	*c.n = int(n)
	return nil
}
