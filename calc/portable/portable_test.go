package portable

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The standard library is the second method: it differs in the last bits only.
func TestAgainstStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 700).Draw(t, "x")
		near(t, "exp", Exp(x), math.Exp(x))
		near(t, "expm1", Expm1(x), math.Expm1(x))
		small := rapid.Float64Range(-0.4, 0.4).Draw(t, "small")
		near(t, "expm1", Expm1(small), math.Expm1(small))
		y := rapid.Float64Range(1e-300, 1e300).Draw(t, "y")
		near(t, "log", Log(y), math.Log(y))
		one := rapid.Float64Range(0.5, 2).Draw(t, "one")
		near(t, "log", Log(one), math.Log(one))
	})
}

func near(t *rapid.T, name string, got, want float64) {
	t.Helper()
	if diff := math.Abs(got - want); diff > 2e-15*math.Abs(want) && diff > 1e-300 {
		t.Fatalf("%s: got %v, want %v", name, got, want)
	}
}

func TestEdges(t *testing.T) {
	if got := Exp(0); got != 1 {
		t.Errorf("Exp(0) = %v", got)
	}
	if got := Log(1); got != 0 {
		t.Errorf("Log(1) = %v", got)
	}
	if got := Exp(-1000); got != 0 {
		t.Errorf("Exp(-1000) = %v", got)
	}
	if got := Exp(1000); !math.IsInf(got, 1) {
		t.Errorf("Exp(1000) = %v", got)
	}
	if got := Log(0); !math.IsInf(got, -1) {
		t.Errorf("Log(0) = %v", got)
	}
	if got := Log(-1); got == got {
		t.Errorf("Log(-1) = %v", got)
	}
}

// Bits that were computed on amd64: another machine must give the same.
func TestBitsAreFixed(t *testing.T) {
	for _, c := range []struct {
		name string
		got  float64
		want uint64
	}{
		{"exp(-10)", Exp(-10), 0x3f07cd79b5647c9a},
		{"log(10)", Log(10), 0x40026bb1bbb55516},
	} {
		if math.Float64bits(c.got) != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, math.Float64bits(c.got), c.want)
		}
	}
}
