package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// takeover is how long a waiter takes to own a lock whose dead holder left it
// with "left" of its lease, for each of the settings in the JSON array of the
// last argument, side by side. It asks before that is over.
func takeover(args []string) error {
	var cases []settings
	if err := json.Unmarshal([]byte(args[1]), &cases); err != nil {
		return err
	}
	rows := make([]map[string]any, len(cases))
	var all sync.WaitGroup
	for i, s := range cases {
		all.Go(func() {
			took, err := takeOver(args[0], fmt.Sprintf("takeover-%d-%d", os.Getpid(), i), s)
			rows[i] = map[string]any{"ms": ms(took), "error": fmt.Sprint(err)}
		})
	}
	all.Wait()
	for _, row := range rows {
		say(row)
	}
	return nil
}

func takeOver(addr, key string, s settings) (time.Duration, error) {
	admin, c := client(addr, true), redis.NewClient(s.redis(addr))
	defer admin.Close()
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	acquire := func() error { return redsync.New(goredis.NewPool(c)).NewMutex(key, s.redsync()...).LockContext(ctx) }
	keys := []string{key}
	switch s["library"] {
	case "redislock":
		acquire = func() error {
			_, err := redislock.New(c).Obtain(ctx, key, s.get("ttl"), s.redislock())
			return err
		}
	case "rueidislock":
		o := rueidislock.LockerOption{ClientOption: rueidis.ClientOption{InitAddress: []string{addr}}}
		s.rueidislock(&o)
		locker, err := rueidislock.NewLocker(o)
		if err != nil {
			return 0, err
		}
		defer locker.Close()
		keys = nil
		for i := range 2*field(locker, "majority") - 1 {
			keys = append(keys, fmt.Sprintf("rueidislock:%d:%s", i, key))
		}
		acquire = func() error {
			_, _, err := locker.WithContext(ctx, key)
			return err
		}
	}
	if err := c.Ping(ctx).Err(); err != nil { // connected before the clock runs
		return 0, err
	}
	for _, k := range keys {
		if err := admin.Set(ctx, k, "other", s.get("left")).Err(); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	err := acquire()
	return time.Since(start), err
}
