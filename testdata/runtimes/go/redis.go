package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

func client(addr string, contextTimeout bool) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: contextTimeout})
}

// goredisFrozen is how long a command takes on a frozen server, for each of the
// settings in the JSON array of the second argument, side by side. The pool
// has as many idle connections as "idle" says; what has not ended after
// "watch" is said to last for ever.
func goredisFrozen(args []string) error {
	var cases []settings
	if err := json.Unmarshal([]byte(args[1]), &cases); err != nil {
		return err
	}
	ctx := context.Background()
	clients := make([]*redis.Client, len(cases))
	for i, s := range cases {
		o := s.redis(args[0])
		s.int("idle", &o.MinIdleConns)
		s.int("PoolSize", &o.PoolSize)
		clients[i] = redis.NewClient(o)
		if err := clients[i].Ping(ctx).Err(); err != nil {
			return err
		}
		for range 100 {
			if int(clients[i].PoolStats().IdleConns) >= o.MinIdleConns {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	ready()
	rows := make([]map[string]any, len(cases))
	var all sync.WaitGroup
	for i, s := range cases {
		all.Go(func() {
			if s["busy"] != "" { // somebody else holds the only connection
				go clients[i].SetNX(ctx, "busy", "x", time.Second)
				time.Sleep(20 * time.Millisecond)
			}
			ctx, cancel := withDeadline(s)
			defer cancel()
			start, end := time.Now(), make(chan map[string]any, 1)
			go func() {
				err := clients[i].SetNX(ctx, "frozen", "x", time.Second).Err()
				end <- map[string]any{"ms": ms(time.Since(start)), "error": err != nil}
			}()
			select {
			case rows[i] = <-end:
			case <-time.After(s.get("watch")):
				rows[i] = map[string]any{"endless": true}
			}
		})
	}
	all.Wait()
	for _, row := range rows {
		say(row)
	}
	return nil
}

// goredisPartition is how long a command takes when no dial is answered: the
// backlog of a listener that nobody accepts from is full.
func goredisPartition(args []string) error {
	var s settings
	if err := json.Unmarshal([]byte(args[0]), &s); err != nil {
		return err
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return err
	}
	if err := syscall.Listen(fd, 0); err != nil {
		return err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		return err
	}
	addr := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	for range 5 {
		if c, err := net.DialTimeout("tcp", addr, 200*time.Millisecond); err == nil {
			defer c.Close()
		}
	}
	ctx, cancel := withDeadline(s)
	defer cancel()
	start := time.Now()
	err = redis.NewClient(s.redis(addr)).SetNX(ctx, "partition", "x", time.Second).Err()
	say(map[string]any{"ms": ms(time.Since(start)), "error": err != nil})
	return nil
}

// redsyncTry is how long Lock takes on a frozen server.
func redsyncTry(args []string) error {
	var s settings
	if err := json.Unmarshal([]byte(args[1]), &s); err != nil {
		return err
	}
	c := redis.NewClient(s.redis(args[0]))
	if err := c.Ping(context.Background()).Err(); err != nil {
		return err
	}
	m := redsync.New(goredis.NewPool(c)).NewMutex("redsync-try", s.redsync()...)
	ready()
	start := time.Now()
	err := m.Lock()
	say(map[string]any{"ms": ms(time.Since(start)), "error": err != nil})
	return nil
}

// redsyncAgain is what Extend says of a lock that ran out, that another took and
// gave back, without and with WithSetNXOnExtend.
func redsyncAgain(args []string) error {
	rs := redsync.New(goredis.NewPool(redis.NewClient(&redis.Options{Addr: args[0]})))
	for again, options := range [][]redsync.Option{nil, {redsync.WithSetNXOnExtend()}} {
		name := fmt.Sprintf("redsync-again-%d-%d", os.Getpid(), again)
		first := rs.NewMutex(name, append(options, redsync.WithExpiry(300*time.Millisecond))...)
		if err := first.Lock(); err != nil {
			return err
		}
		second := rs.NewMutex(name, redsync.WithRetryDelay(50*time.Millisecond))
		if err := second.Lock(); err != nil {
			return err
		}
		if _, err := second.Unlock(); err != nil {
			return err
		}
		extended, err := first.Extend()
		say(map[string]any{"again": again == 1, "extended": extended, "error": err != nil})
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
