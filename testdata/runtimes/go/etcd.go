package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
)

func config(name string, client, peer int, cluster string) (*embed.Config, func(), error) {
	dir, err := os.MkdirTemp("", "probe-etcd-*")
	if err != nil {
		return nil, nil, err
	}
	c := embed.NewConfig()
	c.Name, c.Dir, c.LogLevel = name, dir, "panic"
	at := func(port int) []url.URL { return []url.URL{{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}} }
	c.ListenClientUrls, c.AdvertiseClientUrls = at(client), at(client)
	c.ListenPeerUrls, c.AdvertisePeerUrls = at(peer), at(peer)
	c.InitialCluster = cluster
	return c, func() { os.RemoveAll(dir) }, nil
}

func single(port int) (*embed.Etcd, *clientv3.Client, func(), error) {
	peer := free()
	c, clean, err := config("solo", port, peer, fmt.Sprintf("solo=http://127.0.0.1:%d", peer))
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := embed.StartEtcd(c)
	if err != nil {
		return nil, nil, nil, err
	}
	<-e.Server.ReadyNotify()
	return e, v3client.New(e.Server), func() { e.Close(); clean() }, nil
}

// etcdEdge grants leases of the seconds in args and says what was given, and
// which election and heartbeat pairs the server takes.
func etcdEdge(args []string) error {
	_, cli, stop, err := single(port(args[0]))
	if err != nil {
		return err
	}
	defer stop()
	for _, text := range args[1:] {
		var ttl int64
		fmt.Sscan(text, &ttl)
		r, err := cli.Grant(context.Background(), ttl)
		row := map[string]any{"asked": ttl, "error": err != nil}
		if err == nil {
			row["granted"] = r.TTL
		}
		say(row)
	}
	for _, ttl := range []int{-1, 0, 1, 2, 61} {
		session, err := concurrency.NewSession(cli, concurrency.WithTTL(ttl))
		if err != nil {
			return err
		}
		left, err := cli.TimeToLive(context.Background(), session.Lease())
		if err != nil {
			return err
		}
		say(map[string]any{"session": ttl, "granted": left.GrantedTTL})
		session.Close()
	}
	for _, pair := range [][2]uint{{100, 1000}, {100, 500}, {100, 499}, {200, 1000}, {201, 1000}, {1000, 50000}, {1000, 50001}} {
		c := embed.NewConfig()
		c.TickMs, c.ElectionMs = pair[0], pair[1]
		say(map[string]any{"heartbeat": pair[0], "election": pair[1], "taken": c.Validate() == nil})
	}
	return nil
}

func port(text string) (p int) {
	fmt.Sscan(text, &p)
	return p
}

// free is a port that nobody listens on.
func free() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// etcdRegrant lets a lease run for 4 s, moves the leader and asks what is
// left.
func etcdRegrant([]string) error {
	cluster, peers := "", [3]int{}
	for i := range peers {
		peers[i] = free()
		cluster += fmt.Sprintf(",m%d=http://127.0.0.1:%d", i, peers[i])
	}
	var members []*embed.Etcd
	for i := range 3 {
		c, clean, err := config(fmt.Sprintf("m%d", i), free(), peers[i], cluster[1:])
		if err != nil {
			return err
		}
		defer clean()
		e, err := embed.StartEtcd(c)
		if err != nil {
			return err
		}
		defer e.Close()
		members = append(members, e)
	}
	for _, e := range members {
		<-e.Server.ReadyNotify()
	}
	leader := members[0]
	for _, e := range members {
		if e.Server.Lead() == uint64(e.Server.MemberID()) {
			leader = e
		}
	}
	next := members[0]
	if next == leader {
		next = members[1]
	}
	cli := v3client.New(next.Server)
	ctx := context.Background()
	granted, err := cli.Grant(ctx, 10)
	if err != nil {
		return err
	}
	time.Sleep(4 * time.Second)
	before, err := cli.TimeToLive(ctx, granted.ID)
	if err != nil {
		return err
	}
	if err := leader.Server.MoveLeader(ctx, leader.Server.Lead(), uint64(next.Server.MemberID())); err != nil {
		return err
	}
	var after *clientv3.LeaseTimeToLiveResponse
	for range 50 {
		if after, err = cli.TimeToLive(ctx, granted.ID); err == nil && after.TTL > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	say(map[string]any{"left_before": before.TTL, "left_after": after.TTL})
	return nil
}

// etcdDone stops the server under a session and says when Done comes, after
// that and after the last response to a keep-alive.
func etcdDone(args []string) error {
	p := port(args[0])
	_, direct, stop, err := single(p)
	if err != nil {
		return err
	}
	_ = direct
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{args[1]}, DialTimeout: 2 * time.Second})
	if err != nil {
		return err
	}
	defer cli.Close()
	defer stop()
	session, err := concurrency.NewSession(cli, concurrency.WithTTL(3))
	if err != nil {
		return err
	}
	responses, err := cli.KeepAlive(context.Background(), session.Lease()) // the same ones as the session's
	if err != nil {
		return err
	}
	last := make(chan time.Time, 1)
	go func() {
		var at time.Time
		for range responses {
			at = time.Now()
		}
		last <- at
	}()
	time.Sleep(3500 * time.Millisecond) // renewed at least twice
	ready()
	start := time.Now()
	<-session.Done()
	done := time.Now()
	say(map[string]any{"after_freeze_ms": ms(done.Sub(start)), "after_response_ms": ms(done.Sub(<-last))})
	return nil
}

// etcdExpiry is how long after its grant the key of a lease that nobody renews
// is gone, several times.
func etcdExpiry(args []string) error {
	_, cli, stop, err := single(port(args[0]))
	if err != nil {
		return err
	}
	defer stop()
	ctx := context.Background()
	for range 4 {
		time.Sleep(130 * time.Millisecond) // another phase of the expiry loop
		gone := cli.Watch(ctx, "expiry", clientv3.WithFilterPut())
		start := time.Now()
		lease, err := cli.Grant(ctx, 2)
		if err != nil {
			return err
		}
		if _, err := cli.Put(ctx, "expiry", "", clientv3.WithLease(lease.ID)); err != nil {
			return err
		}
		<-gone
		say(map[string]any{"gone_ms": ms(time.Since(start))})
	}
	return nil
}
