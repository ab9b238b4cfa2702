package main

import (
	"strconv"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/hashicorp/consul/api"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis/rueidislock"
	"k8s.io/client-go/tools/leaderelection"
)

// settings are a library's keys as text, from a file that emit wrote or from
// an edge of the test. A key that is absent stays at the library's default.
type settings map[string]string

// dur is a duration; a bare number is nanoseconds, as -1 is in Go source.
func (s settings) dur(key string, into *time.Duration) {
	text, ok := s[key]
	if !ok {
		return
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		*into = time.Duration(n)
		return
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	*into = d
}

func (s settings) get(key string) (d time.Duration) {
	s.dur(key, &d)
	return d
}

func (s settings) int(key string, into *int) {
	if text, ok := s[key]; ok {
		n, err := strconv.Atoi(text)
		if err != nil {
			panic(err)
		}
		*into = n
	}
}

func (s settings) bool(key string, into *bool) {
	if text, ok := s[key]; ok {
		b, err := strconv.ParseBool(text)
		if err != nil {
			panic(err)
		}
		*into = b
	}
}

func (s settings) ratio(key string) float64 {
	f, err := strconv.ParseFloat(s[key], 64)
	if err != nil {
		panic(err)
	}
	return f
}

func (s settings) redis(addr string) *redis.Options {
	o := &redis.Options{Addr: addr}
	s.dur("ReadTimeout", &o.ReadTimeout)
	s.dur("WriteTimeout", &o.WriteTimeout)
	s.dur("DialTimeout", &o.DialTimeout)
	s.dur("PoolTimeout", &o.PoolTimeout)
	s.int("MaxRetries", &o.MaxRetries)
	s.dur("MaxRetryBackoff", &o.MaxRetryBackoff)
	s.bool("ContextTimeoutEnabled", &o.ContextTimeoutEnabled)
	return o
}

func (s settings) redsync() (out []redsync.Option) {
	for key, option := range map[string]func(time.Duration) redsync.Option{"WithExpiry": redsync.WithExpiry, "WithRetryDelay": redsync.WithRetryDelay} {
		if _, ok := s[key]; ok {
			out = append(out, option(s.get(key)))
		}
	}
	for key, option := range map[string]func(float64) redsync.Option{"WithDriftFactor": redsync.WithDriftFactor, "WithTimeoutFactor": redsync.WithTimeoutFactor} {
		if _, ok := s[key]; ok {
			out = append(out, option(s.ratio(key)))
		}
	}
	if _, ok := s["WithTries"]; ok {
		var tries int
		s.int("WithTries", &tries)
		out = append(out, redsync.WithTries(tries))
	}
	return out
}

func (s settings) redislock() *redislock.Options {
	strategy := redislock.LinearBackoff(s.get("backoff"))
	if _, ok := s["maxBackoff"]; ok {
		strategy = redislock.ExponentialBackoff(s.get("backoff"), s.get("maxBackoff"))
	}
	if _, ok := s["retries"]; ok {
		var n int
		s.int("retries", &n)
		strategy = redislock.LimitRetry(strategy, n)
	}
	return &redislock.Options{RetryStrategy: strategy}
}

func (s settings) rueidislock(o *rueidislock.LockerOption) {
	s.dur("KeyValidity", &o.KeyValidity)
	s.dur("ExtendInterval", &o.ExtendInterval)
	s.dur("TryNextAfter", &o.TryNextAfter)
	majority := int(o.KeyMajority)
	s.int("KeyMajority", &majority)
	o.KeyMajority = int32(majority)
	s.bool("NoLoopTracking", &o.NoLoopTracking)
	s.bool("FallbackSETPX", &o.FallbackSETPX)
	s.bool("DisableCache", &o.ClientOption.DisableCache)
}

func (s settings) consul(o *api.LockOptions) {
	if text, ok := s["SessionTTL"]; ok {
		o.SessionTTL = text
	}
	s.dur("LockDelay", &o.LockDelay)
	s.dur("LockWaitTime", &o.LockWaitTime)
	s.bool("LockTryOnce", &o.LockTryOnce)
	s.int("MonitorRetries", &o.MonitorRetries)
	s.dur("MonitorRetryTime", &o.MonitorRetryTime)
}

func (s settings) election(c *leaderelection.LeaderElectionConfig) {
	s.dur("leaseDuration", &c.LeaseDuration)
	s.dur("renewDeadline", &c.RenewDeadline)
	s.dur("retryPeriod", &c.RetryPeriod)
	s.bool("releaseOnCancel", &c.ReleaseOnCancel)
}
