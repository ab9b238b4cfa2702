package cmd

import (
	"encoding/json"
	"testing"
)

// TestCompareRefusesConsul: no setting of a Consul session frees a lock within
// 5 s of a crash (2 x 10 s + the delays).
func TestCompareRefusesConsul(t *testing.T) {
	code, stdout, _ := run("", "library", "compare", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s", "--have", "consul", "-o", "json")
	if code != exitNo {
		t.Errorf("exit %d", code)
	}
	var doc comparison
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Candidates {
		if c.Fits {
			t.Errorf("%s fits", c.Library)
		}
	}
}
