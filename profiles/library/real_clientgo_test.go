package library

import "testing"

// TestRealClientGo: the edges of client-go's own validation, where a leader
// that lost the API server stops, and what the record keeps of a fraction.
func TestRealClientGo(t *testing.T) {
	t.Parallel()
	program := goProgram(t)
	edges := []string{
		"15s", "10s", "2s", "10s", "10s", "2s", "10001ms", "10s", "2s", "30s", "11s", "10s", "30s", "12s", "10s", "30s", "12001ms", "10s",
		"1s", "1s", "1s", "3s", "2s", "1s", "0s", "10s", "2s", "15s", "0s", "2s", "15s", "10s", "0s", "2s", "1s", "1ms", "900ms", "800ms", "100ms",
	}
	lib, err := Get("client-go")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range probe(t, nil, t.TempDir(), append([]string{program, "client-go-edge"}, edges...)...) {
		run := &Running{Library: lib, In: quiet(t, lib), Values: Values{"leaseDuration": {Text: row["lease"].(string)}, "renewDeadline": {Text: row["renew"].(string)}, "retryPeriod": {Text: row["retry"].(string)}}}
		v, err := Judge(run)
		if err != nil {
			t.Fatal(err)
		}
		refused := has(v, "LP640") || has(v, "LP641")
		if refused == (row["taken"] == true) {
			t.Errorf("client-go takes %v/%v/%v: %v; lockplan calls it an error: %v", row["lease"], row["renew"], row["retry"], row["taken"], refused)
		}
	}
	for _, row := range probe(t, nil, t.TempDir(), program, "client-go-lock", "leases", "endpoints", "configmaps", "endpointsleases", "configmapsleases", "lease", "Leases", "") {
		lock := row["lock"].(string)
		if refused := severityOf(judged(t, "client-go", "resourceLock="+lock), "LP645") == "error"; refused == (row["taken"] == true) {
			t.Errorf("client-go makes a lock of %q: %v; lockplan calls it an error: %v", lock, row["taken"], refused)
		}
	}
	rows := probe(t, nil, t.TempDir(), program, "client-go-stop")
	between(t, "client-go renewDeadline 2s, retryPeriod 1s: stops after the last success, ms", rows[0]["after_success_ms"], 2500, 5000)
	between(t, "client-go stores a leaseDuration of 4.9s as, s", rows[0]["stored_seconds"], 4, 4)
	rows = probe(t, nil, t.TempDir(), program, "client-go-hang")
	between(t, "client-go renewDeadline 2s, retryPeriod 1s, client timeout 120s, calls hang: stops after the last success, ms", rows[0]["after_success_ms"], 2500, 5000)
	_, run := saidOf(t, "client-go", map[string]string{"leaseDuration": "2s", "renewDeadline": "1s", "retryPeriod": "300ms"})
	least, most := run.Library.FreeMin(run.Lease.TTL), run.Library.FreeMax(run.Lease.TTL)
	for _, row := range probe(t, nil, t.TempDir(), program, "client-go-take") {
		between(t, "client-go leaseDuration 2s, retryPeriod 300ms: a follower leads after the last renewal, ms", row["ms"], float64(least.Milliseconds()), float64(most.Milliseconds())+300)
	}
}
