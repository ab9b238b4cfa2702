package cmd

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A server that answers the classic question with the worked buckets: P99.9
// in (0.4, 0.8].
func server(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		// Its samples cover the whole day that is asked for.
		if at, ok := map[string]string{"time(": "1764500000", "count": "1000", "min_o": "1764413600", "max_o": "1764500000"}[r.FormValue("query")[:5]]; ok {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1764500000,%q]}]}}`, at)
			return
		}
		var rows []string
		if strings.HasPrefix(r.FormValue("query"), `sum by (le) (increase(lock_hold_seconds_bucket{service="checkout"}[86400s]))`) {
			for _, row := range [][2]string{{"0.05", "9000"}, {"0.1", "96000"}, {"0.2", "99000"}, {"0.4", "99850"}, {"0.8", "99950"}, {"1.6", "100000"}, {"+Inf", "100000"}} {
				rows = append(rows, fmt.Sprintf(`{"metric":{"le":%q},"value":[1764500000,%q]}`, row[0], row[1]))
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, strings.Join(rows, ","))
	}))
	t.Cleanup(s.Close)
	return s
}

func TestPrometheusServer(t *testing.T) {
	s := server(t)
	args := []string{"ttl", "--prometheus", s.URL, "--metric", "lock_hold_seconds", "--match", `service="checkout"`, "--window", "1d", "--pause", "1.5s", "--margin", "700ms", "-o", "json"}
	if code, _, stderr := run("", args...); code != exitTool || !strings.Contains(stderr, "refuses: 401") {
		t.Errorf("without a token: exit %d: %s", code, stderr)
	}
	t.Setenv("LOCKPLAN_PROMETHEUS_TOKEN", "secret")
	code, stdout, stderr := run("", args...)
	if code != 0 || !strings.Contains(stdout, `"ttl_min_seconds": 3,`) {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	if strings.Contains(stdout+stderr, "secret") {
		t.Error("the token is shown")
	}
	code, stdout, _ = run("", "observe", "--prometheus", s.URL, "--metric", "lock_hold_seconds", "--match", `service="checkout"`, "--window", "1d")
	if code != 0 || !strings.Contains(stdout, "over 1d") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	if code, _, stderr := run("", "ttl", "--prometheus", s.URL, "--metric", "lock_hold_seconds", "--p999", "1s", "--pause", "1s"); code != exitUsage {
		t.Errorf("a claim beside the server: exit %d: %s", code, stderr)
	}
	if code, _, stderr := run("", "ttl", "--prometheus", s.URL, "--metric", "nothing_seconds", "--pause", "1s"); code != exitNotKnown {
		t.Errorf("a metric that is not there: exit %d: %s", code, stderr)
	}
}
