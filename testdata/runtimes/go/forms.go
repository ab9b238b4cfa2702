package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/hashicorp/consul/api"
	"github.com/joho/godotenv"
	"github.com/magiconair/properties"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis/rueidislock"
	"github.com/spf13/pflag"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/tools/leaderelection"
	componentbase "k8s.io/component-base/config"
	"k8s.io/component-base/config/options"
	"k8s.io/component-base/config/v1alpha1"
	"sigs.k8s.io/yaml"
)

// forms loads every file of a folder, as LIBRARY--SERVICE.EXTENSION, the way a
// program of that library would, sets the library up with it and says what it
// understood.
func forms(args []string) error {
	_, cli, stop, err := single(port(args[1]))
	if err != nil {
		return err
	}
	defer stop()
	paths, err := filepath.Glob(filepath.Join(args[0], "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		library, rest, _ := strings.Cut(filepath.Base(path), "--")
		extension := filepath.Ext(rest)
		row, err := understood(cli, path, library, extension)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		row["service"], row["form"] = strings.TrimSuffix(rest, extension), extension[1:]
		say(row)
	}
	return nil
}

func understood(cli *clientv3.Client, path, library, extension string) (map[string]any, error) {
	switch {
	case library == "client-go" && extension == ".yaml":
		return componentYAML(path)
	case extension == ".flags":
		return flagsOf(path, library)
	}
	s, err := loaded(path, extension)
	if err != nil {
		return nil, err
	}
	row := map[string]any{}
	for _, key := range []string{ // what the program itself keeps
		"application.stopWork", "application.maxHold", "application.unlockRetry", "application.acquireWait", "ttl", "renewInterval", "renewTimeout", "retryDelay",
		"extendEvery", "extendTimeout", "contextDeadline", "refreshEvery", "refreshTimeout", "sessionTimeout", "clientTimeout", "WithRetryDelay",
	} {
		if _, ok := s[key]; ok && library != "etcd" || strings.HasPrefix(key, "application.") && ok {
			row[key] = s.get(key)
		}
	}
	for _, key := range []string{"tickTime", "heartbeat-interval", "election-timeout", "retries"} {
		if text, ok := s[key]; ok {
			row[key] = text
		}
	}
	switch library {
	case "go-redis", "redsync", "redislock":
		c := redis.NewClient(s.redis("127.0.0.1:1"))
		o := c.Options()
		row["ReadTimeout"], row["MaxRetries"], row["MaxRetryBackoff"], row["ContextTimeoutEnabled"] = o.ReadTimeout, o.MaxRetries, o.MaxRetryBackoff, o.ContextTimeoutEnabled
		if library == "redsync" {
			m := redsync.New(goredis.NewPool(c)).NewMutex(library, s.redsync()...)
			row["WithExpiry"], row["WithTries"], row["WithDriftFactor"], row["WithTimeoutFactor"] = field(m, "expiry"), field(m, "tries"), field(m, "driftFactor"), field(m, "timeoutFactor")
		}
		if o := s.redislock(); library == "redislock" && o != nil {
			row["backoff"] = o.RetryStrategy.NextBackoff()
		}
	case "rueidislock":
		var o rueidislock.LockerOption
		s.rueidislock(&o)
		row["KeyValidity"], row["ExtendInterval"], row["TryNextAfter"], row["KeyMajority"] = o.KeyValidity, o.ExtendInterval, o.TryNextAfter, o.KeyMajority
		row["NoLoopTracking"], row["FallbackSETPX"] = o.NoLoopTracking, o.FallbackSETPX
	case "consul":
		o := api.LockOptions{Key: "x"}
		s.consul(&o)
		c, err := consulClient("127.0.0.1:1")
		if err != nil {
			return nil, err
		}
		if _, err := c.LockOpts(&o); err != nil {
			return nil, err
		}
		row["SessionTTL"], row["LockDelay"], row["MonitorRetries"], row["MonitorRetryTime"] = o.SessionTTL, o.LockDelay, o.MonitorRetries, o.MonitorRetryTime
		row["LockWaitTime"], row["LockTryOnce"] = o.LockWaitTime, o.LockTryOnce
		checks := true
		s.bool("healthChecks", &checks)
		row["healthChecks"] = checks
	case "client-go":
		c := election(&memory{}, 0, 0, 0)
		s.election(&c)
		if _, err := leaderelection.NewLeaderElector(c); err != nil {
			return nil, err
		}
		row["leaseDuration"], row["renewDeadline"], row["retryPeriod"], row["releaseOnCancel"] = c.LeaseDuration, c.RenewDeadline, c.RetryPeriod, c.ReleaseOnCancel
	case "etcd":
		var ttl int
		s.int("ttl", &ttl)
		session, err := concurrency.NewSession(cli, concurrency.WithTTL(ttl))
		if err != nil {
			return nil, err
		}
		defer session.Close()
		left, err := cli.TimeToLive(context.Background(), session.Lease())
		if err != nil {
			return nil, err
		}
		row["ttl"] = left.GrantedTTL
	}
	return row, nil
}

// loaded reads a file with the loader that Go programs use for its form. JSON
// has the unit of a number in the key's name, the environment has names of its
// own.
func loaded(path, extension string) (settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tree := map[string]any{}
	switch extension {
	case ".json":
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		err = decoder.Decode(&tree)
	case ".yaml":
		err = yaml.Unmarshal(text, &tree)
	case ".toml":
		_, err = toml.Decode(string(text), &tree)
	case ".properties":
		p, bad := properties.LoadFile(path, properties.UTF8)
		if bad != nil {
			return nil, bad
		}
		return p.Map(), nil
	case ".env":
		variables, bad := godotenv.Read(path)
		if bad != nil {
			return nil, bad
		}
		s := settings{}
		for _, key := range keysOf {
			if text, ok := variables[variable(key)]; ok {
				s[key] = text
			}
		}
		return s, nil
	default:
		err = fmt.Errorf("no loader for it")
	}
	s := settings{}
	flatten("", tree, s)
	return s, err
}

func flatten(prefix string, tree map[string]any, into settings) {
	for key, v := range tree {
		if below, ok := v.(map[string]any); ok {
			flatten(prefix+key+".", below, into)
			continue
		}
		into[strings.TrimSuffix(strings.TrimSuffix(prefix+key, "_ms"), "_s")] = fmt.Sprint(v)
	}
}

// keysOf are the settings that a program looks for in its environment.
var keysOf = []string{
	"ReadTimeout", "MaxRetries", "MaxRetryBackoff", "ContextTimeoutEnabled",
	"WithExpiry", "WithTries", "WithRetryDelay", "WithDriftFactor", "WithTimeoutFactor", "extendEvery", "extendTimeout",
	"ttl", "renewInterval", "renewTimeout", "retryDelay", "backoff", "retries", "contextDeadline", "refreshEvery", "refreshTimeout",
	"KeyValidity", "ExtendInterval", "TryNextAfter", "KeyMajority", "NoLoopTracking", "FallbackSETPX",
	"SessionTTL", "LockDelay", "LockWaitTime", "LockTryOnce", "MonitorRetries", "MonitorRetryTime", "healthChecks",
	"leaseDuration", "renewDeadline", "retryPeriod", "clientTimeout", "releaseOnCancel", "sessionTimeout", "tickTime",
	"heartbeat-interval", "election-timeout", "application.stopWork", "application.maxHold", "application.unlockRetry", "application.acquireWait",
}

var hump = regexp.MustCompile(`([a-z])([A-Z])`)

// variable is a key's name in the environment: WITH_EXPIRY; etcd and ZooKeeper's
// image read their own.
func variable(key string) string {
	name := strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(hump.ReplaceAllString(key, "${1}_$2")))
	if key == "tickTime" {
		return "ZOO_" + name
	}
	if key == "heartbeat-interval" || key == "election-timeout" {
		return "ETCD_" + name
	}
	return name
}

// componentYAML reads the leaderElection block as a component of Kubernetes
// does.
func componentYAML(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c struct {
		LeaderElection v1alpha1.LeaderElectionConfiguration `json:"leaderElection"`
	}
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		return nil, err
	}
	e := c.LeaderElection
	return map[string]any{"leaseDuration": e.LeaseDuration.Duration, "renewDeadline": e.RenewDeadline.Duration, "retryPeriod": e.RetryPeriod.Duration}, nil
}

// flagsOf passes the lines of a file to the flags of a component of
// Kubernetes, or of the etcd server, which refuse what they do not know.
func flagsOf(path, library string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var args []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			args = append(args, line)
		}
	}
	if library == "etcd" {
		c := embed.NewConfig()
		set := flag.NewFlagSet("etcd", flag.ContinueOnError)
		c.AddFlags(set)
		if err := set.Parse(args); err != nil {
			return nil, err
		}
		return map[string]any{"heartbeat-interval": fmt.Sprint(c.TickMs), "election-timeout": fmt.Sprint(c.ElectionMs)}, c.Validate()
	}
	e := componentbase.LeaderElectionConfiguration{ResourceLock: "leases", ResourceName: "x", ResourceNamespace: "x"}
	set := pflag.NewFlagSet("component", pflag.ContinueOnError)
	options.BindLeaderElectionFlags(&e, set)
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	return map[string]any{"leaseDuration": e.LeaseDuration.Duration, "renewDeadline": e.RenewDeadline.Duration, "retryPeriod": e.RetryPeriod.Duration}, nil
}
