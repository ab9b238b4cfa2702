// Command slow is an HTTP server: most answers take some milliseconds, 1 in 50
// takes 1.2 s, 1 in 40 is 503 at once, and 1 in 60 comes after 30 s.
package main

import (
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	var n atomic.Int64
	http.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		i := n.Add(1)
		switch {
		case i%60 == 30:
			select {
			case <-q.Context().Done():
			case <-time.After(30 * time.Second):
			}
		case i%40 == 7:
			w.WriteHeader(503)
			return
		case i%50 == 11:
			time.Sleep(1200 * time.Millisecond)
		default:
			time.Sleep(time.Duration(2+i%7) * time.Millisecond)
		}
		fmt.Fprintln(w, "ok")
	})
	http.ListenAndServe(os.Args[1], nil)
}
