package library

import "testing"

// research/libs-redis.md RU2: KeyMajority must be equal in all processes; 2 is
// the default, and what 0 and below mean.
func TestLP530(t *testing.T) {
	for _, c := range []struct {
		a, b    []string
		differs bool
	}{
		{[]string{"KeyMajority=1"}, []string{"KeyMajority=2"}, true},
		{[]string{"KeyMajority=1"}, nil, true},
		{[]string{"KeyMajority=2"}, nil, false},
		{[]string{"KeyMajority=0"}, []string{"KeyMajority=-1"}, false},
		{[]string{"KeyMajority=3"}, []string{"KeyMajority=3"}, false},
	} {
		a, b := judged(t, "rueidislock", c.a...), judged(t, "rueidislock", c.b...)
		f, differs := MajorityDiffers(a.Run, "orders", b.Run)
		if differs != c.differs || differs && (f.ID != "LP530" || f.Severity.String() != "error") {
			t.Errorf("%v and %v: %v %+v", c.a, c.b, differs, f)
		}
	}
	if _, differs := MajorityDiffers(judged(t, "rueidislock", "KeyMajority=1").Run, "orders", judged(t, "go-redis", "ttl=1s").Run); differs {
		t.Error("go-redis has no KeyMajority")
	}
}
