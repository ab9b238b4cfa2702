package main

import (
	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/hashicorp/consul/api"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis/rueidislock"
	"go.etcd.io/etcd/client/v3/concurrency"
	"k8s.io/client-go/tools/leaderelection"
	"time"
)

// What lockplan emitted, by service. The test writes grid.go, whose init
// fills these from package locks.
var (
	clients    = map[string]func(*redis.Options){}
	redsyncs   = map[string]func() []redsync.Option{}
	redislocks = map[string]func() *redislock.Options{}
	lockers    = map[string]func(*rueidislock.LockerOption){}
	elections  = map[string]func(*leaderelection.LeaderElectionConfig){}
	consuls    = map[string]func(*api.LockOptions){}
	consulIDs  = map[string]func(*api.Client, chan struct{}) (string, error){}
	sessions   = map[string]func() concurrency.SessionOption{}
	durations  = map[string]map[string]time.Duration{}
)

// values prints what each library understood of what lockplan emitted.
func values(args []string) error {
	for name, set := range clients {
		o := &redis.Options{Addr: "127.0.0.1:1"}
		set(o)
		real := redis.NewClient(o).Options()
		say(map[string]any{"service": name, "ReadTimeout": real.ReadTimeout, "MaxRetries": real.MaxRetries, "MaxRetryBackoff": real.MaxRetryBackoff, "ContextTimeoutEnabled": real.ContextTimeoutEnabled})
	}
	for name, options := range redsyncs {
		m := redsync.New(goredis.NewPool(client("127.0.0.1:1", true))).NewMutex(name, options()...)
		say(map[string]any{"service": name, "WithExpiry": field(m, "expiry"), "WithTries": field(m, "tries"), "WithDriftFactor": field(m, "driftFactor"), "WithTimeoutFactor": field(m, "timeoutFactor")})
	}
	for name, options := range redislocks {
		if o := options(); o != nil && o.RetryStrategy != nil {
			say(map[string]any{"service": name, "backoff": o.RetryStrategy.NextBackoff()})
		}
	}
	for name, set := range lockers {
		var o rueidislock.LockerOption
		set(&o)
		say(map[string]any{"service": name, "KeyValidity": o.KeyValidity, "ExtendInterval": o.ExtendInterval, "TryNextAfter": o.TryNextAfter, "KeyMajority": o.KeyMajority, "NoLoopTracking": o.NoLoopTracking})
	}
	for name, set := range elections {
		c := election(&memory{}, 0, 0, 0)
		set(&c)
		_, err := leaderelection.NewLeaderElector(c)
		say(map[string]any{"service": name, "leaseDuration": c.LeaseDuration, "renewDeadline": c.RenewDeadline, "retryPeriod": c.RetryPeriod, "taken": err == nil})
	}
	for name, set := range consuls {
		o := api.LockOptions{Key: "x"}
		set(&o)
		c, err := api.NewClient(&api.Config{Address: "127.0.0.1:1"})
		if err != nil {
			return err
		}
		_, err = c.LockOpts(&o)
		say(map[string]any{"service": name, "SessionTTL": o.SessionTTL, "LockDelay": o.LockDelay, "MonitorRetries": o.MonitorRetries, "MonitorRetryTime": o.MonitorRetryTime, "LockWaitTime": o.LockWaitTime, "taken": err == nil})
	}
	for name, create := range consulIDs {
		checks, ttl, err := consulChecks(create)
		if err != nil {
			return err
		}
		say(map[string]any{"service": name, "healthChecks": checks, "SessionTTL": ttl})
	}
	if len(sessions) > 0 {
		_, cli, stop, err := single(port(args[0]))
		if err != nil {
			return err
		}
		defer stop()
		for name, option := range sessions {
			s, err := concurrency.NewSession(cli, option())
			if err != nil {
				return err
			}
			left, err := cli.TimeToLive(cli.Ctx(), s.Lease())
			if err != nil {
				return err
			}
			say(map[string]any{"service": name, "ttl": left.GrantedTTL})
			s.Close()
		}
	}
	for name, ds := range durations {
		row := map[string]any{"service": name}
		for key, d := range ds {
			row[key] = d
		}
		say(row)
	}
	return nil
}
