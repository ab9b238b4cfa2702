// Command failures is a server of which load tests see every kind of failure:
// 1 of 10 requests is refused, 1 of 20 outlasts a timeout of a second.
package main

import (
	"net/http"
	"sync/atomic"
	"time"
)

func main() {
	var n atomic.Int64
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		switch i := n.Add(1); {
		case i%20 == 0:
			time.Sleep(1500 * time.Millisecond)
		case i%10 == 5:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		time.Sleep(2 * time.Millisecond)
		w.Write([]byte("ok"))
	})
	http.ListenAndServe("127.0.0.1:18099", nil)
}
