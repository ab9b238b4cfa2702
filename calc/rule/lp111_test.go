package rule

import (
	"testing"
	"time"
)

func TestLP111(t *testing.T) {
	lease := renewed("30s", "10s", "1s") // C2: 10 x floor((30 - 0 - 10) / 10)
	says(t, LP111, running(t, bare(), lease, Setup{}), "not checked")
	says(t, LP111, running(t, bare(), lease, Setup{Outage: is("20s")}), "")
	says(t, LP111, running(t, bare(), lease, Setup{Outage: is("20001ms")}), "error")
	says(t, LP111, running(t, bare(), lease, Setup{Outage: is("60s"), Failover: is("21s")}), "error error")
	says(t, LP111, running(t, bare(), fixed("30s"), Setup{Outage: is("60s")}), "")
	contains(t, first(t, LP111, running(t, bare(), lease, Setup{Outage: is("60s")})).Fix, "at least 70s")

	c := running(t, bare(), lease, Setup{Outage: is("10s")})
	own := time.Duration(0) // client-go's 30/15/10
	c.Survives.Outage = &own
	says(t, LP111, c, "error")
}
