// Command probe runs the real Go lock libraries: it prints what they make of
// configuration that lockplan emitted, and how long they take when their
// server freezes. A test of lockplan drives it; see ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"time"
)

// probes are by name; each prints JSON objects, one a line.
var probes = map[string]func(args []string) error{
	"values":         values,
	"forms":          forms,
	"redsync-edge":   edges(redsyncEdge),
	"redislock-edge": edges(redislockEdge),
	"goredis-edge":   edges(goredisEdge),
	"rueidis-edge":   edges(rueidislockEdge),
	"takeover":       takeover,
	"redsync-try":    redsyncTry,
	"redsync-again":  redsyncAgain,
	"goredis-frozen": goredisFrozen,
	"goredis-hole":   goredisPartition,
	"rueidis-late":   rueidisLate,
	"rueidis-storm":  rueidisStorm,
	"client-go-edge": clientGoEdge,
	"client-go-lock": clientGoLocks,
	"client-go-hang": clientGoHang,
	"client-go-stop": clientGoStop,
	"client-go-take": clientGoTakeover,
	"etcd-edge":      etcdEdge,
	"etcd-regrant":   etcdRegrant,
	"etcd-done":      etcdDone,
	"etcd-expiry":    etcdExpiry,
	"zk-clamp":       zkClamp,
	"zk-expiry":      zkExpiry,
	"consul-body":    consulBody,
	"consul-edge":    edges(consulEdge),
	"consul-free":    consulFree,
	"consul-health":  consulHealth,
	"consul-opts":    consulOpts,
	"consul-renew":   consulRenew,
	"consul-sent":    consulSent,
}

func main() {
	if len(os.Args) < 2 || probes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: probe NAME args…")
		os.Exit(2)
	}
	if err := probes[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// say prints one line for the test.
func say(v map[string]any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

var stdin = bufio.NewReader(os.Stdin)

// ready tells the test that it may freeze the server now, and waits until it
// has.
func ready() {
	say(map[string]any{"ready": true})
	stdin.ReadString('\n')
}

// ms is a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// field is an unexported number of a struct.
func field(v any, name string) int64 {
	f := reflect.Indirect(reflect.ValueOf(v)).FieldByName(name)
	switch f.Kind() {
	case reflect.Float64:
		return int64(f.Float() * 1e9)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return f.Int()
	}
	panic("no number " + name)
}
