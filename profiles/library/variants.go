package library

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/fault"
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
		chosen.chosen, chosen.raises = true, true
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
	if z.raises {
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

// serverKeyNames are keys of the lock service's own file, which a plan of one
// service leaves as it finds them.
func (z zooKeeper) serverKeyNames() []string {
	var names []string
	for _, k := range serverKeys {
		names = append(names, k.Name)
	}
	return names
}
func (c curator) serverKeyNames() []string     { return c.zk.serverKeyNames() }
func (g goZooKeeper) serverKeyNames() []string { return g.zk.serverKeyNames() }
func (etcd) serverKeyNames() []string          { return []string{"heartbeat-interval", "election-timeout"} }

// Surrounding is given with the settings of the lock service that an existing
// file has and that lockplan did not write. A file that cannot be read as one
// configuration adds none; what is wrong with it is said when it is merged.
func Surrounding(lib Library, given Values, path, existing string) (Values, error) {
	if s, ok := lib.(interface {
		surround(Values, string) (Values, error)
	}); ok {
		return s.surround(maps.Clone(given), existing)
	}
	s, ok := lib.(interface{ serverKeyNames() []string })
	if !ok || existing == "" {
		return given, nil
	}
	values, err := Parse(lib, path, []byte(existing))
	if err != nil {
		return given, nil
	}
	said, out := whys(path, existing), maps.Clone(given)
	for _, name := range s.serverKeyNames() {
		v, there := values[name]
		if _, typed := given[name]; !there || typed || v.Line < 1 {
			continue
		}
		if why := said(name, v.Line); why == "" || strings.TrimSuffix(why, yours) == "given" {
			if v.Unknown != "" {
				return nil, fault.Usagef("%s%s: %s", place(v), name, v.Unknown).Hintf("--set %s=VALUE says what it is", name)
			}
			out[name] = v
		}
	}
	return out, nil
}

// whys tell where lockplan took the number of a key of a file from that it
// wrote, "" where it did not: the comment above the line, in JSON the object for
// it.
func whys(path, existing string) func(key string, line int) string {
	if extension(path) == ".json" {
		var doc struct {
			Why map[string]string `json:"lockplan_why"`
		}
		_ = json.Unmarshal([]byte(existing), &doc) // what is no JSON has been refused
		return func(key string, _ int) string {
			for name, why := range doc.Why {
				own := name[strings.LastIndexByte(name, '.')+1:]
				if own == key || own == key+"_ms" {
					return why
				}
			}
			return ""
		}
	}
	lines := strings.Split(existing, "\n")
	return func(_ string, line int) string {
		if line < 2 || line > len(lines) {
			return ""
		}
		above := strings.TrimSpace(lines[line-2])
		unit := provenance.FindString(above)
		if unit == "" {
			return ""
		}
		return above[len(unit):]
	}
}

// WhyNoRenewal is why a library cannot renew a lease as a plan needs it; nil
// where it can, or where its facts say no more.
func WhyNoRenewal(lib Library, in calc.Inputs) error {
	if !lib.Traits().NoRenewed {
		return nil
	}
	_, err := lib.Express(Ask{In: in, Lease: calc.RenewedLease(in, time.Minute)})
	return err
}
