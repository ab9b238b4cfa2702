package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/consul/api"
)

func consulClient(addr string) (*api.Client, error) {
	return api.NewClient(&api.Config{Address: addr})
}

// consulEdge takes a lock of a real Consul and says what the server keeps of
// its session, and what the API makes of the rest.
func consulEdge(addr, key string, s settings) (map[string]any, error) {
	c, err := consulClient(addr)
	if err != nil {
		return nil, err
	}
	o := api.LockOptions{Key: key, SessionName: key}
	s.consul(&o)
	lock, err := c.LockOpts(&o)
	if err != nil {
		return nil, err
	}
	row := map[string]any{"LockWaitTime": o.LockWaitTime.String(), "MonitorRetryTime": o.MonitorRetryTime.String(), "MonitorRetries": fmt.Sprint(o.MonitorRetries)}
	if s["held"] != "" {
		id, _, err := c.Session().CreateNoChecks(nil, nil)
		if err != nil {
			return row, err
		}
		if _, _, err := c.KV().Acquire(&api.KVPair{Key: key, Session: id, Flags: api.LockFlagValue}, nil); err != nil {
			return row, err
		}
	}
	stop := make(chan struct{})
	time.AfterFunc(8*time.Second, func() { close(stop) })
	start := time.Now()
	held, err := lock.Lock(stop)
	row["ms"], row["held"] = ms(time.Since(start)), held != nil
	if err != nil || held == nil {
		return row, err
	}
	defer lock.Unlock()
	sessions, _, err := c.Session().List(nil)
	if err != nil {
		return row, err
	}
	for _, session := range sessions {
		if session.Name == key {
			row["SessionTTL"], row["LockDelay"] = session.TTL, session.LockDelay.String()
		}
	}
	return row, nil
}

// consulFree says when a lock is free whose holder is never heard of again,
// whom a waiter meets then, and how long a lock delay lasts after the session
// was destroyed.
func consulFree(args []string) error {
	c, err := consulClient(args[0])
	if err != nil {
		return err
	}
	hold := func(key string, ttl string, delay time.Duration) (string, error) {
		id, _, err := c.Session().CreateNoChecks(&api.SessionEntry{TTL: ttl, LockDelay: delay}, nil)
		if err != nil {
			return "", err
		}
		_, _, err = c.KV().Acquire(&api.KVPair{Key: key, Session: id, Flags: api.LockFlagValue}, nil)
		return id, err
	}
	other, _, err := c.Session().CreateNoChecks(nil, nil)
	if err != nil {
		return err
	}
	// free is when the key can be had.
	free := func(key string, start time.Time) (time.Duration, error) {
		for {
			ok, _, err := c.KV().Acquire(&api.KVPair{Key: key, Session: other, Flags: api.LockFlagValue}, nil)
			if ok || err != nil {
				return time.Since(start), err
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	var all sync.WaitGroup
	var lock sync.Mutex
	var failed error
	run := func(row map[string]any, wait func() (time.Duration, error)) {
		all.Go(func() {
			d, err := wait()
			lock.Lock()
			defer lock.Unlock()
			if failed == nil {
				failed = err
			}
			row["ms"] = ms(d)
			say(row)
		})
	}
	run(map[string]any{"case": "crash"}, func() (time.Duration, error) {
		start := time.Now()
		if _, err := hold("crash", "10s", time.Millisecond); err != nil {
			return 0, err
		}
		return free("crash", start)
	})
	run(map[string]any{"case": "waiter"}, func() (time.Duration, error) {
		start := time.Now()
		if _, err := hold("waiter", "10s", time.Millisecond); err != nil {
			return 0, err
		}
		w, err := c.LockOpts(&api.LockOptions{Key: "waiter", SessionTTL: "20s"})
		if err != nil {
			return 0, err
		}
		_, err = w.Lock(nil)
		return time.Since(start), err
	})
	for _, delay := range []time.Duration{-1, time.Millisecond, 2 * time.Second} {
		key := "delay-" + delay.String()
		run(map[string]any{"case": key}, func() (time.Duration, error) {
			id, err := hold(key, "10s", delay)
			if err != nil {
				return 0, err
			}
			start := time.Now()
			if _, err := c.Session().Destroy(id, nil); err != nil {
				return 0, err
			}
			return free(key, start)
		})
	}
	all.Wait()
	return failed
}

// consulRenew says when the API renews a session of 2 s: against a server that
// answers, and then fails.
func consulRenew([]string) error {
	var lock sync.Mutex
	var at []float64
	begin := time.Now()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		at = append(at, ms(time.Since(begin)))
		lock.Unlock()
		if time.Since(begin) > 2500*time.Millisecond {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		io.WriteString(w, `[{"ID":"x","TTL":"2s"}]`)
	}))
	defer server.Close()
	c, err := consulClient(server.URL)
	if err != nil {
		return err
	}
	begin = time.Now()
	err = c.Session().RenewPeriodic("2s", "x", nil, make(chan struct{}))
	say(map[string]any{"renewals_ms": at, "ends_ms": ms(time.Since(begin)), "error": err != nil})
	return nil
}

// consulChecks reports whether a session that create makes hangs on health
// checks, and the TTL that it asks for.
func consulChecks(create func(*api.Client, chan struct{}) (string, error)) (checks bool, ttl any, err error) {
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			sent := map[string]any{}
			json.NewDecoder(r.Body).Decode(&sent)
			none, given := sent["NodeChecks"].([]any)
			checks, ttl = !given || len(none) > 0, sent["TTL"]
		})
		io.WriteString(w, `{"ID":"x"}`)
	}))
	defer server.Close()
	c, err := consulClient(server.URL)
	if err != nil {
		return false, nil, err
	}
	done := make(chan struct{})
	defer close(done)
	_, err = create(c, done)
	return checks, ttl, err
}

// consulHealth says when a lock is free whose holder renews, after the check
// of its node failed: with api.Lock's own session and with one on no check.
func consulHealth(args []string) error {
	c, err := consulClient(args[0])
	if err != nil {
		return err
	}
	nodes, _, err := c.Catalog().Nodes(nil)
	if err != nil {
		return err
	}
	entry := api.SessionEntry{TTL: "10s", LockDelay: time.Second}
	own, _, err := c.Session().Create(&entry, nil)
	if err != nil {
		return err
	}
	bare, _, err := c.Session().CreateNoChecks(&entry, nil)
	if err != nil {
		return err
	}
	other, _, err := c.Session().CreateNoChecks(nil, nil)
	if err != nil {
		return err
	}
	for key, id := range map[string]string{"own": own, "bare": bare} {
		if _, _, err := c.KV().Acquire(&api.KVPair{Key: key, Session: id}, nil); err != nil {
			return err
		}
	}
	start := time.Now()
	_, err = c.Catalog().Register(&api.CatalogRegistration{
		Node: nodes[0].Node, Address: nodes[0].Address,
		Check: &api.AgentCheck{Node: nodes[0].Node, CheckID: "serfHealth", Name: "Serf Health Status", Status: api.HealthCritical},
	}, nil)
	if err != nil {
		return err
	}
	for { // 5 s are below the TTL
		ok, _, err := c.KV().Acquire(&api.KVPair{Key: "own", Session: other}, nil)
		if err != nil {
			return err
		}
		if ok || time.Since(start) > 5*time.Second {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	free := ms(time.Since(start))
	left, _, err := c.Session().Info(bare, nil)
	say(map[string]any{"own_ms": free, "bare_lives": left != nil})
	return err
}

// consulBody says what the server makes of bodies of PUT /v1/session/create.
func consulBody(args []string) error {
	c, err := consulClient(args[0])
	if err != nil {
		return err
	}
	for _, body := range args[1:] {
		row := map[string]any{"body": body}
		r, err := http.NewRequest(http.MethodPut, "http://"+args[0]+"/v1/session/create", strings.NewReader(body))
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		var made struct{ ID string }
		json.NewDecoder(response.Body).Decode(&made)
		response.Body.Close()
		if row["taken"] = response.StatusCode == http.StatusOK; made.ID != "" {
			session, _, err := c.Session().Info(made.ID, nil)
			if err != nil {
				return err
			}
			row["delay"], row["ttl"], row["checks"] = session.LockDelay.String(), session.TTL, len(session.NodeChecks)+len(session.Checks)+len(session.ServiceChecks) > 0
		}
		say(row)
	}
	return nil
}

// consulOpts says when a lock renews first whose SessionOpts have a TTL of
// their own, and what TTL it asks for.
func consulOpts([]string) error {
	var lock sync.Mutex
	var asked any
	renewed := make(chan time.Time, 100)
	over := make(chan struct{}) // a monitor asks again when its connection is cut
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.Contains(r.URL.Path, "/session/create"):
			sent := map[string]any{}
			json.NewDecoder(r.Body).Decode(&sent)
			lock.Lock()
			asked = sent["TTL"]
			lock.Unlock()
			io.WriteString(w, `{"ID":"x"}`)
		case strings.Contains(r.URL.Path, "/session/renew"):
			renewed <- time.Now()
			io.WriteString(w, `[{"ID":"x","TTL":"10s"}]`)
		case r.Method == http.MethodGet && r.URL.Query().Has("consistent"): // the monitor
			select {
			case <-r.Context().Done():
			case <-over:
			}
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		default:
			io.WriteString(w, "true")
		}
	}))
	defer server.Close()
	defer close(over)
	c, err := consulClient(server.URL)
	if err != nil {
		return err
	}
	l, err := c.LockOpts(&api.LockOptions{Key: "k", SessionTTL: "2s", SessionOpts: &api.SessionEntry{TTL: "10s"}})
	if err != nil {
		return err
	}
	start := time.Now()
	if _, err := l.Lock(nil); err != nil {
		return err
	}
	first := <-renewed
	lock.Lock()
	defer lock.Unlock()
	say(map[string]any{"asked": asked, "first_ms": ms(first.Sub(start))})
	return nil
}

// consulSent is what the API puts into a session for a lock delay.
func consulSent(args []string) error {
	var delays []string
	if err := json.Unmarshal([]byte(args[0]), &delays); err != nil {
		return err
	}
	for _, text := range delays {
		body := make(chan map[string]any, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent := map[string]any{}
			json.NewDecoder(r.Body).Decode(&sent)
			body <- sent
			io.WriteString(w, `{"ID":"x"}`)
		}))
		c, err := consulClient(server.URL)
		if err != nil {
			return err
		}
		_, _, err = c.Session().Create(&api.SessionEntry{TTL: "15s", LockDelay: settings{"d": text}.get("d")}, nil)
		server.Close()
		if err != nil {
			return err
		}
		sent, _ := (<-body)["LockDelay"].(string)
		say(map[string]any{"delay": text, "sent": sent})
	}
	return nil
}
