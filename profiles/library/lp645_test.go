package library

import "testing"

// resourcelock/interface.go of client-go 0.23.17, 0.24.0, 0.27.0, 0.28.0 and
// 0.37.2: what New makes and what it refuses.
func TestLP645(t *testing.T) {
	ruleEdges(t, "LP645", []ruleEdge{
		{"", "client-go", nil},
		{"", "client-go", []string{"resourceLock=leases"}},
		{"error", "client-go", []string{"resourceLock=endpoints"}},
		{"error", "client-go", []string{"resourceLock=configmaps"}},
		{"error", "client-go", []string{"resourceLock=endpointsleases"}},
		{"error", "client-go", []string{"resourceLock=configmapsleases"}},
		{"error", "client-go", []string{"resourceLock=lease"}},
		{"error", "client-go", []string{"resourceLock="}},
		{"error", "client-go@0.24", []string{"resourceLock=endpoints"}},
		{"", "client-go@0.23", []string{"resourceLock=endpoints"}},
		{"", "client-go@0.23", []string{"resourceLock=configmaps"}},
		{"error", "client-go@0.28", []string{"resourceLock=endpointsleases"}},
		{"", "client-go@0.27", []string{"resourceLock=endpointsleases"}},
		{"", "client-go@0.27", []string{"resourceLock=configmapsleases"}},
		{"", "client-go@0.37", []string{"resourceLock=leases"}},
	})
}
