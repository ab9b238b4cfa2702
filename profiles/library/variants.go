package library

import (
	"strconv"
	"time"
)

// Variants are a library under the settings of its surroundings that emit may
// choose where nothing fixes them, the usual ones first.
func Variants(lib Library, given Values) []Library {
	lib = Configured(lib, given)
	if v, ok := lib.(interface{ variants(Values) []Library }); ok {
		return append([]Library{lib}, v.variants(given)...)
	}
	return []Library{lib}
}

// variants of a server that nobody fixed: the coarser the tick, the less the
// server has to do; the finer, the sooner a session ends after its time.
func (z zooKeeper) choices(given Values) []zooKeeper {
	if _, fixed := given["tickTime"]; fixed {
		return nil
	}
	var out []zooKeeper
	for _, tick := range []time.Duration{3 * time.Second, 2 * time.Second, time.Second, 500 * time.Millisecond, 200 * time.Millisecond, 100 * time.Millisecond} {
		chosen := z.ticking(Values{"tickTime": {Text: Millis.Format(tick)}, "syncLimit": given["syncLimit"]})
		chosen.chosen = true
		out = append(out, chosen)
	}
	return out
}

func (z zooKeeper) variants(given Values) (out []Library) {
	for _, c := range z.choices(given) {
		out = append(out, c)
	}
	return out
}

func (c curator) variants(given Values) (out []Library) {
	for _, zk := range c.zk.choices(given) {
		c.zk = zk
		out = append(out, c)
	}
	return out
}

func (g goZooKeeper) variants(given Values) (out []Library) {
	for _, zk := range g.zk.choices(given) {
		g.zk = zk
		out = append(out, g)
	}
	return out
}

// variants of the lock delay, which only keeps a late holder off; the
// application's stop-work point does that too.
func (c consul) variants(given Values) (out []Library) {
	if _, fixed := given["LockDelay"]; fixed {
		return nil
	}
	for _, delay := range []time.Duration{10 * time.Second, 5 * time.Second, 2 * time.Second, time.Second, time.Millisecond} {
		c.delay = delay
		out = append(out, c)
	}
	return out
}

// limits are the sessions that the server grants: 2 to 20 ticks where nothing
// says otherwise. A maximum is raised with a tick that emit chooses.
func (z zooKeeper) limits() (least, most time.Duration) {
	least, most = 2*z.ticks(), 20*z.ticks()
	if z.chosen {
		most = 0
	}
	if z.least > 0 {
		least = z.least
	}
	if z.most > 0 {
		most = z.most
	}
	return least, most
}

// limited reads the limits that the surroundings fix.
func (z zooKeeper) limited(given Values) zooKeeper {
	for key, limit := range map[string]*time.Duration{"minSessionTimeout": &z.least, "maxSessionTimeout": &z.most} {
		if n, err := strconv.Atoi(given[key].Text); err == nil && n > 0 {
			*limit = time.Duration(n) * time.Millisecond
		}
	}
	return z
}
