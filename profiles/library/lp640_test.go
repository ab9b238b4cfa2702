package library

import "testing"

// research/libs-coordination.md 5.1: NewLeaderElector's order, measured at 13
// edges by TestRealClientGo.
func TestLP640(t *testing.T) {
	ruleEdges(t, "LP640", []ruleEdge{
		{"", "client-go", nil},
		{"error", "client-go", []string{"leaseDuration=10s", "renewDeadline=10s", "retryPeriod=2s"}},
		{"", "client-go", []string{"leaseDuration=10s1ms", "renewDeadline=10s", "retryPeriod=2s"}},
		{"error", "client-go", []string{"leaseDuration=0s"}},
		{"error", "client-go", []string{"renewDeadline=0s"}},
		{"error", "client-go", []string{"retryPeriod=0s"}},
	})
}

// TestClientGoSource: controller-runtime takes pointers, so the values stand in
// variables.
func TestClientGoSource(t *testing.T) {
	for name, body := range map[string]string{
		"one":      "ld := 30 * time.Second\n\trd := 20 * time.Second\n\to := ctrl.Options{LeaseDuration: &ld, RenewDeadline: &rd}",
		"a line":   "ld := 30 * time.Second; rd := 20 * time.Second; o := ctrl.Options{LeaseDuration: &ld, RenewDeadline: &rd}",
		"together": "ld, rd := 30*time.Second, 20*time.Second\n\to := ctrl.Options{LeaseDuration: &ld, RenewDeadline: &rd}",
		"twice":    "ld, rd := 30*time.Second, 20*time.Second\n\to := ctrl.Options{LeaseDuration: &ld, RenewDeadline: &rd}\n}\n\nfunc g() {\n\tld := 30 * time.Second",
		"var":      "var ld, rd = 30 * time.Second, 20 * time.Second\n\to := ctrl.Options{LeaseDuration: &ld, RenewDeadline: &rd}",
	} {
		lib, err := Get("client-go")
		if err != nil {
			t.Fatal(err)
		}
		values, err := Parse(lib, "main.go", []byte("package a\n\nfunc f() {\n\t"+body+"\n}\n"))
		if err != nil || values["leaseDuration"].Text != "30s" || values["renewDeadline"].Text != "20s" {
			t.Errorf("%s: read as %v: %v", name, values, err)
		}
	}
	// Which of two values a name has is not known.
	lib, _ := Get("client-go")
	two := "package a\n\nfunc f() {\n\tld := 30 * time.Second\n\tld = 20 * time.Second\n\to := ctrl.Options{LeaseDuration: &ld}\n}\n"
	if values, err := Parse(lib, "main.go", []byte(two)); err == nil {
		t.Errorf("two values are read as %v", values)
	}
}
