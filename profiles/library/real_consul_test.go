package library

import "testing"

// TestRealConsul: the Go API leaves a lock delay of 0 out of the request.
func TestRealConsul(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "consul-edge") {
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"LockDelay": {Text: row["delay"].(string)}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("measured: consul LockDelay %v: sent %v", row["delay"], row["sent"])
		if lost := row["sent"] == false; lost && !has(v, "LP621") {
			t.Errorf("a lock delay of %v is not sent, and lockplan does not say so", row["delay"])
		}
	}
}
