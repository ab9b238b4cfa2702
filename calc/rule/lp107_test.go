package rule

import "testing"

// 10 s of 30 s is the rule of thumb, 5 s of 10 s was argued about, and 800 ms
// of 1 s lost locks (node-redlock).
func TestLP107(t *testing.T) {
	for _, tt := range []struct{ ttl, interval, want string }{
		{"30s", "10s", ""},
		{"30s", "10000000001ns", "warning"},
		{"10s", "5s", "warning"},
		{"10s", "5000000001ns", "error"},
		{"1s", "800ms", "error"},
		{"1s", "2s", "error"},
	} {
		says(t, LP107, running(t, bare(), renewed(tt.ttl, tt.interval, ""), Setup{}), tt.want)
	}
	says(t, LP107, running(t, bare(), fixed("30s"), Setup{}), "")
	contains(t, first(t, LP107, running(t, bare(), renewed("1s", "800ms", ""), Setup{})).Fix, "at most 333ms")
}

// Worth 25 s, every 13 s is above a half.
func TestLP107Skew(t *testing.T) {
	skew := Setup{ClockSkew: is("5s")}
	says(t, LP107, running(t, bare(), renewed("30s", "13s", ""), skew), "error")
	says(t, LP107, running(t, bare(), renewed("30s", "12.5s", ""), skew), "warning")
	says(t, LP107, running(t, bare(), renewed("30s", "8.3s", ""), skew), "")
	contains(t, first(t, LP107, running(t, bare(), renewed("30s", "13s", ""), skew)).Fix, "at most 8.333s")
}

func TestLP107OfAFixedShare(t *testing.T) {
	f := first(t, LP107, running(t, bare(), renewed("60s", "30s", ""), Setup{RenewFixed: true}))
	contains(t, f.Fix, "another library")
}
