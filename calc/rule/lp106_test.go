package rule

import "testing"

func TestLP106(t *testing.T) {
	says(t, LP106, running(t, bare(), renewed("10s", "9999ms", ""), Setup{}), "")
	says(t, LP106, running(t, bare(), renewed("10s", "10s", ""), Setup{}), "error")
	says(t, LP106, running(t, bare(), fixed("10s"), Setup{}), "")
}

func TestLP106Skew(t *testing.T) {
	says(t, LP106, running(t, bare(), renewed("30s", "10s", ""), Setup{ClockSkew: is("19999ms")}), "")
	c := running(t, bare(), renewed("30s", "10s", ""), Setup{ClockSkew: is("20s")})
	says(t, LP106, c, "error")
	contains(t, first(t, LP106, c).Message, "30s (10s to its holder)")
}
