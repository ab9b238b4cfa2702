package rule

import (
	"testing"

	"github.com/lockplan/lockplan/calc"
)

func TestLP302(t *testing.T) {
	layers := func(timeouts ...string) Setup {
		var s Setup
		for i, timeout := range timeouts {
			s.Layers = append(s.Layers, Layer{Name: string(rune('a' + i)), Timeout: is(timeout)})
		}
		return s
	}
	says(t, LP302, running(t, bare(), fixed("5s"), layers("3s")), "not checked")
	says(t, LP302, running(t, bare(), fixed("5s"), layers("3s", "1s", "200ms")), "")
	says(t, LP302, running(t, bare(), fixed("5s"), layers("3s", "3s", "200ms")), "error")
	says(t, LP302, running(t, bare(), fixed("5s"), layers("1s", "2s", "3s")), "error error")
	says(t, LP302, running(t, bare(), fixed("5s"), layers("1s", "", "1s")), "error") // past a layer that is not known
	inner := layers("3s", "500ms")                                                   // D1: the lock wait stands inside the innermost layer
	inner.Wait = is("500ms")
	says(t, LP302, running(t, bare(), fixed("5s"), inner), "error")
	inner.Wait = is("499ms")
	says(t, LP302, running(t, bare(), fixed("5s"), inner), "")
	c := planned(t, calc.Inputs{Hold: is("100ms"), Pause: is("100ms"), Margin: is("100ms"), QueueSLA: is("30s")})
	c.Setup = layers("500ms")
	contains(t, first(t, LP302, c).Message, "the acquire wait may take 30s", "500ms")
	contains(t, first(t, LP302, running(t, bare(), fixed("5s"), layers("1s", "3s"))).Message, "b may take 3s", "a around it")
}
