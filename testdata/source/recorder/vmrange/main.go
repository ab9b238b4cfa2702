// Command vmrange writes a page of VictoriaMetrics' client: 2 000 holds, most of
// some milliseconds, 1 in 100 of 1.2 s and one of 45 s.
package main

import (
	"math/rand/v2"
	"os"

	"github.com/VictoriaMetrics/metrics"
)

func main() {
	r := rand.New(rand.NewPCG(1, 2))
	h := metrics.NewHistogram(`lock_hold_seconds{service="stock"}`)
	for i := range 2000 {
		switch {
		case i == 1500:
			h.Update(45.2)
		case i%100 == 7:
			h.Update(1.2 + r.Float64()/10)
		default:
			h.Update(0.002 + r.ExpFloat64()*0.004)
		}
	}
	metrics.WritePrometheus(os.Stdout, false)
}
