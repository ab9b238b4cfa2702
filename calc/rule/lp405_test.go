package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

// Celery: an hour of visibility for two hours of work comes again every hour.
func TestLP405(t *testing.T) {
	in := bare()
	for hold, want := range map[string]string{"59m": "", "1h": "error", "2h": "error"} {
		in.Hold = is(hold)
		says(t, LP405, running(t, in, calc.Lease{}, Setup{Visibility: is("1h")}), want)
	}
	says(t, LP405, running(t, in, calc.Lease{}, Setup{}), "not checked")
}
