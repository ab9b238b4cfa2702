package rule

import "testing"

// What a file says must not reach the terminal as it is.
func TestLP206(t *testing.T) {
	f := Broken(Place{"hold.prom", 9}, "hold\x1b]0;title\a", `count falls from 90 at le="0.1" to 80 at le="1"`)
	contains(t, f.Message, `hold\x1b]0;title\a`, "falls from 90")
}
