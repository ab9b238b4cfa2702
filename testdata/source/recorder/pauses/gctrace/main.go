// Command gctrace allocates, so that GODEBUG=gctrace=1 has something to trace.
package main

import "time"

var kept [1 << 12][]byte

func main() {
	for i, end := 0, time.Now().Add(time.Second); time.Now().Before(end); i++ {
		kept[i%len(kept)] = make([]byte, 4<<10)
	}
}
