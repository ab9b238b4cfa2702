package main

import (
	"fmt"
	"sync"
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
// gave; none is no session in three seconds.
func zkClamp(args []string) error {
	if _, _, err := connect(args[0], 10*time.Second); err != nil { // the server may just have started
		return err
	}
	var all sync.WaitGroup
	rows := make([]map[string]any, len(args)-1)
	for i, text := range args[1:] {
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		c, events, err := zk.Connect([]string{args[0]}, d, zk.WithLogger(silent{}))
		if err != nil {
			return err
		}
		rows[i] = map[string]any{"asked": text}
		all.Go(func() {
			for late := time.After(3 * time.Second); ; {
				select {
				case e := <-events:
					if e.State == zk.StateHasSession {
						rows[i]["granted_ms"] = field(c, "sessionTimeoutMs")
						return
					}
				case <-late:
					return
				}
			}
		})
	}
	all.Wait()
	for _, row := range rows {
		say(row)
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
