package main

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

func client(addr string, contextTimeout bool) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: contextTimeout})
}

// goredisFrozen is how long a command takes on a frozen server with a
// ReadTimeout of 1 s, when so many connections wait in the pool.
func goredisFrozen(args []string) error {
	ctx := context.Background()
	idle := port(args[1])
	c := redis.NewClient(&redis.Options{Addr: args[0], ReadTimeout: time.Second, PoolSize: 8, MinIdleConns: idle})
	if err := c.Ping(ctx).Err(); err != nil {
		return err
	}
	for range 100 {
		if int(c.PoolStats().IdleConns) >= idle {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	ready()
	start := time.Now()
	err := c.SetNX(ctx, "goredis-frozen", "x", time.Second).Err()
	say(map[string]any{"ms": ms(time.Since(start)), "error": err != nil})
	return nil
}

// redsyncTry is how long one TryLock takes on a frozen server.
func redsyncTry(args []string) error {
	c := client(args[0], args[1] == "true")
	if err := c.Ping(context.Background()).Err(); err != nil {
		return err
	}
	m := redsync.New(goredis.NewPool(c)).NewMutex("redsync-try", redsync.WithExpiry(8*time.Second))
	ready()
	start := time.Now()
	err := m.TryLock()
	say(map[string]any{"ms": ms(time.Since(start)), "error": err != nil})
	return nil
}

// redislockWait is how long Obtain waits for a held lock without a deadline.
func redislockWait(args []string) error {
	l := redislock.New(client(args[0], true))
	ctx := context.Background()
	if _, err := l.Obtain(ctx, "redislock-wait", 10*time.Second, nil); err != nil {
		return err
	}
	start := time.Now()
	_, err := l.Obtain(ctx, "redislock-wait", time.Second, &redislock.Options{RetryStrategy: redislock.LinearBackoff(50 * time.Millisecond)})
	say(map[string]any{"ms": ms(time.Since(start)), "not_obtained": errors.Is(err, redislock.ErrNotObtained)})
	return nil
}

// redislockTiny is what is left of leases below and above a millisecond.
func redislockTiny(args []string) error {
	c := client(args[0], true)
	l := redislock.New(c)
	ctx := context.Background()
	for _, ttl := range []time.Duration{500 * time.Microsecond, time.Millisecond, 1500 * time.Microsecond, 2 * time.Second, 2*time.Second + 700*time.Microsecond} {
		key := "tiny-" + ttl.String()
		_, err := l.Obtain(ctx, key, ttl, nil)
		left, _ := c.PTTL(ctx, key).Result()
		say(map[string]any{"ttl": ttl.String(), "error": err != nil, "pttl_ms": ms(left)})
	}
	return nil
}

// rueidisLate is how long after the last successful renewal the lock's context
// ends on a frozen server.
func rueidisLate(args []string) error {
	locker, err := rueidislock.NewLocker(rueidislock.LockerOption{
		ClientOption: rueidis.ClientOption{InitAddress: []string{args[0]}, DisableCache: true},
		KeyMajority:  1, KeyValidity: 2 * time.Second, ExtendInterval: time.Second, TryNextAfter: 100 * time.Millisecond, NoLoopTracking: true,
	})
	if err != nil {
		return err
	}
	ctx, cancel, err := locker.WithContext(context.Background(), "late")
	if err != nil {
		return err
	}
	defer cancel()
	start := time.Now()
	time.Sleep(1100 * time.Millisecond) // the first renewal came at one second
	ready()
	<-ctx.Done()
	say(map[string]any{"after_renewal_ms": ms(time.Since(start)) - 1000})
	return nil
}

// rueidisStorm holds a lock for the test to count the server's commands.
func rueidisStorm(args []string) error {
	locker, err := rueidislock.NewLocker(rueidislock.LockerOption{
		ClientOption: rueidis.ClientOption{InitAddress: []string{args[0]}},
		KeyMajority:  1, KeyValidity: 2 * time.Second, ExtendInterval: 500 * time.Millisecond, NoLoopTracking: args[1] == "true",
	})
	if err != nil {
		return err
	}
	_, cancel, err := locker.WithContext(context.Background(), "storm-"+args[1])
	if err != nil {
		return err
	}
	defer cancel()
	c := client(args[0], true)
	before, err := calls(c)
	if err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	after, err := calls(c)
	say(map[string]any{"calls": after - before})
	return err
}

func calls(c *redis.Client) (int64, error) {
	info, err := c.InfoMap(context.Background(), "stats").Result()
	if err != nil {
		return 0, err
	}
	var n int64
	for _, r := range info["Stats"]["total_commands_processed"] {
		n = n*10 + int64(r-'0')
	}
	return n, nil
}
