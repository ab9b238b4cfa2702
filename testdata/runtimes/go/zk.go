package main

import (
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

type silent struct{}

func (silent) Printf(string, ...any) {}

func connect(addr string, session time.Duration) (*zk.Conn, <-chan zk.Event, error) {
	c, events, err := zk.Connect([]string{addr}, session, zk.WithLogger(silent{}))
	if err != nil {
		return nil, nil, err
	}
	for e := range events {
		if e.State == zk.StateHasSession {
			return c, events, nil
		}
	}
	return nil, nil, fmt.Errorf("no session")
}

// zkClamp asks for sessions of the durations in args and says what the server
// gave.
func zkClamp(args []string) error {
	for _, text := range args[1:] {
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		c, _, err := connect(args[0], d)
		if err != nil {
			return err
		}
		say(map[string]any{"asked": text, "granted_ms": field(c, "sessionTimeoutMs")})
		c.Close()
	}
	return nil
}

// zkExpiry makes an ephemeral node through a proxy that the test freezes, and
// says how long after that another client sees it go, and when the frozen one
// hears that it is disconnected.
func zkExpiry(args []string) error {
	session, err := time.ParseDuration(args[2])
	if err != nil {
		return err
	}
	holder, events, err := connect(args[0], session)
	if err != nil {
		return err
	}
	node, err := holder.Create("/probe", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	watcher, _, err := connect(args[1], 10*time.Second)
	if err != nil {
		return err
	}
	_, _, gone, err := watcher.ExistsW(node)
	if err != nil {
		return err
	}
	// A request touches the session: what follows is counted from here.
	if _, _, err := holder.Exists(node); err != nil {
		return err
	}
	start := time.Now()
	ready()
	row := map[string]any{}
	for row["gone_ms"] == nil || row["disconnected_ms"] == nil {
		select {
		case <-gone:
			row["gone_ms"] = ms(time.Since(start))
			gone = nil
		case e := <-events:
			if e.State == zk.StateDisconnected && row["disconnected_ms"] == nil {
				row["disconnected_ms"] = ms(time.Since(start))
			}
		}
	}
	say(row)
	return nil
}
