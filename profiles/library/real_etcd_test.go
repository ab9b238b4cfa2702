package library

import (
	"fmt"
	"testing"
	"time"
)

// TestRealEtcd: what the server grants below its least lease, which timers it
// takes, that a leader change starts a lease anew, and when Done comes.
func TestRealEtcd(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	lib, err := Get("etcd")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "etcd-edge", freePort(t), "1", "2", "3", "60", "9000000000", "9000000001") {
		values := Values{}
		if asked, isTTL := row["asked"]; isTTL {
			values["ttl"] = Value{Text: fmt.Sprintf("%.0f", asked)}
		} else if asked, isSession := row["session"]; isSession {
			values["ttl"] = Value{Text: fmt.Sprintf("%.0f", asked)}
		} else {
			values["heartbeat-interval"], values["election-timeout"] = Value{Text: fmt.Sprint(row["heartbeat"])}, Value{Text: fmt.Sprint(row["election"])}
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: values})
		if err != nil {
			if row["error"] != true && row["session"] != -1.0 { // a session of -1 keeps 60 s, and is an error here
				t.Errorf("%v: %v", row, err)
			}
			continue
		}
		t.Logf("measured: etcd %v", row)
		switch {
		case row["taken"] != nil && has(v, "LP601") == (row["taken"] == true):
			t.Errorf("etcd says %v, lockplan %v", row, v.Findings)
		case row["error"] == true && !has(v, "LP600"):
			t.Errorf("etcd refuses %v, lockplan does not say so", row)
		case row["granted"] != nil && v.Run.Effective["ttl"] != fmt.Sprintf("%.0f", row["granted"]):
			t.Errorf("etcd grants %v, lockplan says %s", row, v.Run.Effective["ttl"])
		}
	}
	rows := probe(t, nil, t.TempDir(), program, "etcd-regrant")
	between(t, "etcd lease of 10s after 4s, left", rows[0]["left_before"], 4, 6)
	between(t, "the same lease after a leader change, left", rows[0]["left_after"], 9, 11)
	for _, row := range probe(t, nil, t.TempDir(), program, "etcd-expiry", freePort(t)) {
		between(t, "etcd lease of 2s that nobody renews, key gone after, ms", row["gone_ms"], 2000, 4500)
	}
	// A busy machine is late by itself: the quickest of five counts.
	quickest := etcdDone(t, program)
	for range 4 {
		if quickest > 3700 {
			quickest = min(quickest, etcdDone(t, program))
		}
	}
	between(t, "etcd session of 3s, frozen: Done after the last response, which the client looks at every 500 ms, ms", quickest, 2900, 3900)
	if loss, _ := lib.Loss(3 * time.Second); quickest > float64(loss.Milliseconds()) {
		t.Errorf("Done comes after %v ms, lockplan says at most %s", quickest, loss)
	}
}

// etcdDone is when a session of 3 s on a frozen server is done, in ms after
// the last response.
func etcdDone(t *testing.T, program string) float64 {
	t.Helper()
	port := freePort(t)
	proxy := newFreezer(t, "127.0.0.1:"+port)
	row := probe(t, proxy, t.TempDir(), program, "etcd-done", port, proxy.addr)[0]
	t.Logf("measured: etcd %v", row)
	ms, _ := row["after_response_ms"].(float64)
	return ms
}
