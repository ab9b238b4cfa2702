package rule

import "testing"

func TestLP108(t *testing.T) {
	for _, tt := range []struct{ ttl, interval, call, backoff, want string }{
		{"30s", "10s", "9999ms", "", ""}, // 10 + 2 x 9.999 still fits into 30
		{"30s", "10s", "10s", "", "error"},
		{"30s", "14s", "8s", "", ""}, // exactly two attempts fit
		{"30s", "14s", "8001ms", "", "error"},
		{"30s", "14s", "8s", "1ms", "error"},
	} {
		l := renewed(tt.ttl, tt.interval, tt.call)
		l.Backoff = d(tt.backoff)
		says(t, LP108, running(t, bare(), l, Setup{}), tt.want)
	}
	slow := bare()
	slow.RTT, slow.Margin = is("200ms"), is("300ms") // R2: Tr >= rtt
	says(t, LP108, running(t, slow, renewed("30s", "10s", "199ms"), Setup{}), "error")
	says(t, LP108, running(t, slow, renewed("30s", "10s", "200ms"), Setup{}), "")
	says(t, LP108, running(t, slow, renewed("30s", "10s", ""), Setup{}), "") // not told
	says(t, LP108, running(t, bare(), fixed("30s"), Setup{}), "")
	contains(t, first(t, LP108, running(t, bare(), renewed("30s", "10s", "16.5s"), Setup{})).Fix, "at most 5s")
	contains(t, first(t, LP108, running(t, bare(), renewed("10s", "10s", "1s"), Setup{})).Fix, "3.333s")
}

// Two calls end after 10 s + 2 x 7 s, a lease worth 24 s does too.
func TestLP108Skew(t *testing.T) {
	says(t, LP108, running(t, bare(), renewed("30s", "10s", "7s"), Setup{ClockSkew: is("6s")}), "")
	c := running(t, bare(), renewed("30s", "10s", "7s"), Setup{ClockSkew: is("8s")})
	says(t, LP108, c, "error")
	contains(t, first(t, LP108, c).Message, "30s (22s to its holder)")
	contains(t, first(t, LP108, c).Fix, "at most 5s")
}
