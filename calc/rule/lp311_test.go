package rule

import "testing"

func TestLP311(t *testing.T) {
	for _, tt := range []struct {
		pool Pool
		want string
	}{
		{Pool{}, "not checked"},
		{Pool{MinIdle: 10}, ""},
		{Pool{MinIdle: 9}, "warning"},
		{Pool{SharedWithBusiness: true, MinIdle: 10}, "warning"},
		{Pool{Size: 64, Pods: 100, MaxClients: 6400}, ""},
		{Pool{Size: 64, Pods: 101, MaxClients: 6400}, "warning"},
		{Pool{SharedWithBusiness: true, Pods: 3, MaxClients: 100}, "warning"}, // a size that is not known
	} {
		says(t, LP311, running(t, bare(), fixed("5s"), Setup{Pool: tt.pool}), tt.want)
	}
}
