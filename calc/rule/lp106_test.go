package rule

import "testing"

func TestLP106(t *testing.T) {
	says(t, LP106, running(t, bare(), renewed("10s", "9999ms", ""), Setup{}), "")
	says(t, LP106, running(t, bare(), renewed("10s", "10s", ""), Setup{}), "error")
	says(t, LP106, running(t, bare(), fixed("10s"), Setup{}), "")
}
