package rule

import "testing"

func TestLP204(t *testing.T) {
	for _, tt := range []struct {
		value, rtt string
		want       bool
	}{
		{"0s", "", true}, {"3ms", "", true}, {"5ms", "", true}, {"5001us", "", false},
		{"100ms", "20ms", true}, {"101ms", "20ms", false},
		{"23h59m", "", false}, {"1d", "", true},
	} {
		f, ok := LP204.unitSuspect(Place{}, "the TTL", d(tt.value), d(tt.rtt))
		if ok != tt.want || ok && f.ID != "LP204" {
			t.Errorf("unitSuspect(%s, %s) = %v, %v", tt.value, tt.rtt, f, ok)
		}
	}
	f, _ := LP204.unitSuspect(Place{}, "the TTL", d("3ms"), 0)
	contains(t, f.Message, "3ms or 3s?") // 3 SECONDS typed as 3 MILLISECONDS

	if _, ok := UnitPeers(Place{}, "a", d("999ms"), "b", d("1ms")); ok {
		t.Error("999 is below a factor of 1000")
	}
	f, ok := UnitPeers(Place{}, "P50 of a.prom", d("1s"), "b.prom", d("1ms"))
	if !ok {
		t.Error("a factor of 1000 is suspect")
	}
	contains(t, f.Message, "1s", "1ms", "b.prom")

	says(t, LP204, running(t, bare(), fixed("3ms"), Setup{Wait: is("0s")}), "error")
	says(t, LP204, running(t, bare(), fixed("3s"), Setup{Wait: is("3ms")}), "error")
	says(t, LP204, running(t, bare(), fixed("1d"), Setup{}), "error")
	says(t, LP204, running(t, bare(), fixed("1d"), Setup{AtMost: is("1d")}), "") // a job of a day
}
