package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// edges runs a library once for each of the settings in the JSON array of the
// last argument and says what came of it: the error, what the library made of
// a value, what the server holds.
//
// Beside the library's keys a case may have "held" (somebody else has the
// lock), "refresh" (a second lease), "deadline" (of the acquire's context) and
// "watch" (wait for so long for the loss to be told).
func edges(run func(addr string, key string, s settings) (map[string]any, error)) func([]string) error {
	return func(args []string) error {
		var cases []settings
		if err := json.Unmarshal([]byte(args[1]), &cases); err != nil {
			return err
		}
		for i, s := range cases {
			row, err := run(args[0], fmt.Sprintf("edge-%d-%d", os.Getpid(), i), s)
			if row == nil {
				row = map[string]any{}
			}
			row["error"] = ""
			if err != nil {
				row["error"] = err.Error()
			}
			say(row)
		}
		return nil
	}
}

// sent keeps what a go-redis client sent: the lease of each SET in
// milliseconds, 0 for none.
type sent struct{ leases []int64 }

func (r *sent) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}
func (r *sent) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
func (r *sent) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if args := cmd.Args(); args[0] == "set" {
			lease := int64(0)
			for i, arg := range args {
				switch arg {
				case "px":
					lease = args[i+1].(int64)
				case "ex":
					lease = args[i+1].(int64) * 1000
				}
			}
			r.leases = append(r.leases, lease)
		}
		return next(ctx, cmd)
	}
}

// pttl is what the server says of a key: -1 for no expiry, -2 for no key.
func pttl(c *redis.Client, key string) (int64, error) {
	return c.Do(context.Background(), "PTTL", key).Int64()
}

// watched adds how the go-redis client understood its options and what the
// server holds.
func watched(admin, c *redis.Client, hook *sent, key string, row map[string]any) error {
	o := c.Options()
	for name, v := range map[string]time.Duration{"ReadTimeout": o.ReadTimeout, "WriteTimeout": o.WriteTimeout, "DialTimeout": o.DialTimeout, "PoolTimeout": o.PoolTimeout, "MaxRetryBackoff": o.MaxRetryBackoff} {
		row[name] = v.String()
	}
	row["MaxRetries"] = fmt.Sprint(o.MaxRetries)
	row["sets"] = len(hook.leases)
	if len(hook.leases) > 0 {
		row["sent_ms"] = hook.leases[0]
	}
	left, err := pttl(admin, key)
	row["pttl_ms"] = left
	return err
}

func withDeadline(s settings) (context.Context, context.CancelFunc) {
	if d := s.get("deadline"); d > 0 {
		return context.WithTimeout(context.Background(), d)
	}
	return context.WithCancel(context.Background())
}

func goredisEdge(addr, key string, s settings) (map[string]any, error) {
	admin, c, hook := client(addr, true), redis.NewClient(s.redis(addr)), &sent{}
	defer admin.Close()
	defer c.Close()
	c.AddHook(hook)
	ctx, cancel := withDeadline(s)
	defer cancel()
	start := time.Now()
	ok, err := c.SetNX(ctx, key, "owner", s.get("ttl")).Result()
	row := map[string]any{"ms": ms(time.Since(start)), "taken": ok}
	if err == nil && !ok {
		err = fmt.Errorf("not taken")
	}
	if bad := watched(admin, c, hook, key, row); bad != nil {
		return row, bad
	}
	return row, err
}

func redsyncEdge(addr, key string, s settings) (map[string]any, error) {
	admin, c, hook := client(addr, true), redis.NewClient(s.redis(addr)), &sent{}
	defer admin.Close()
	defer c.Close()
	c.AddHook(hook)
	if s["held"] != "" {
		if err := admin.Set(context.Background(), key, "other", time.Minute).Err(); err != nil {
			return nil, err
		}
	}
	m := redsync.New(goredis.NewPool(c)).NewMutex(key, s.redsync()...)
	start := time.Now()
	err := m.Lock()
	row := map[string]any{"ms": ms(time.Since(start))}
	if err == nil {
		row["until_ms"] = ms(time.Until(m.Until()))
	}
	if bad := watched(admin, c, hook, key, row); bad != nil {
		return row, bad
	}
	return row, err
}

func redislockEdge(addr, key string, s settings) (map[string]any, error) {
	admin, c, hook := client(addr, true), redis.NewClient(s.redis(addr)), &sent{}
	defer admin.Close()
	defer c.Close()
	c.AddHook(hook)
	if s["held"] != "" {
		if err := admin.Set(context.Background(), key, "other", time.Minute).Err(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := withDeadline(s)
	defer cancel()
	first := s.get("ttl")
	if s["refresh"] != "" {
		first = time.Minute
	}
	start := time.Now()
	lock, err := redislock.New(c).Obtain(ctx, key, first, s.redislock())
	row := map[string]any{"ms": ms(time.Since(start)), "not_obtained": errors.Is(err, redislock.ErrNotObtained)}
	if err == nil && s["refresh"] != "" {
		err = lock.Refresh(ctx, s.get("ttl"), nil)
	}
	if bad := watched(admin, c, hook, key, row); bad != nil {
		return row, bad
	}
	return row, err
}

func rueidislockEdge(addr, key string, s settings) (map[string]any, error) {
	admin := client(addr, true)
	defer admin.Close()
	o := rueidislock.LockerOption{ClientOption: rueidis.ClientOption{InitAddress: []string{addr}}}
	s.rueidislock(&o)
	locker, err := rueidislock.NewLocker(o)
	if err != nil {
		return nil, err
	}
	defer locker.Close()
	row := map[string]any{}
	for name, of := range map[string]string{"KeyValidity": "validity", "ExtendInterval": "interval", "TryNextAfter": "timeout"} {
		row[name] = time.Duration(field(locker, of)).String()
	}
	row["KeyMajority"] = fmt.Sprint(field(locker, "majority"))
	ctx, cancel := withDeadline(s)
	defer cancel()
	if s["deadline"] == "" { // the lock inherits a deadline: stop the wait by hand
		stop := time.AfterFunc(2*time.Second, cancel)
		defer stop.Stop()
	}
	start := time.Now()
	held, release, err := locker.WithContext(ctx, key)
	if err != nil {
		return row, err
	}
	defer release()
	left, bad := pttl(admin, "rueidislock:0:"+key)
	row["pttl_ms"] = left
	if bad != nil {
		return row, bad
	}
	if watch := s.get("watch"); watch > 0 {
		select {
		case <-held.Done():
			row["lost_ms"] = ms(time.Since(start))
		case <-time.After(watch):
		}
	}
	for range 50 { // those past the majority are set in the background
		keys, bad := admin.Keys(context.Background(), "rueidislock:*:"+key).Result()
		if row["keys"] = len(keys); bad != nil || len(keys) == int(2*field(locker, "majority")-1) || s["watch"] != "" {
			return row, bad
		}
		time.Sleep(10 * time.Millisecond)
	}
	return row, nil
}
