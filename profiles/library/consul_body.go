package library

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// bareSeconds is below which the server takes a lock delay for seconds, and
// for nanoseconds else.
const bareSeconds = 1000

// bodyKeys are of the body of PUT /v1/session/create and not of LockOptions.
var bodyKeys = map[string]bool{"TTL": true, "Behavior": true, "Checks": true, "NodeChecks": true, "ServiceChecks": true}

// pick reads a session as JSON as the HTTP API takes it, in the keys of the Go
// API.
func (consul) pick(entries []entry) []entry {
	bodies := map[string]entry{} // by the mapping: one of its values
	keys := map[string]map[string]bool{}
	checked, without := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		body, name := lastStep(e)
		if keys[body] == nil {
			keys[body] = map[string]bool{}
		}
		keys[body][name] = true
		named := keys[body]["Name"] && keys[body]["LockDelay"] // LockOptions have no Name
		if !bodyKeys[name] && !named || extension(e.File) != ".json" {
			continue
		}
		bodies[body] = e
		switch name {
		case "Checks", "NodeChecks": // one that is empty takes serfHealth off both
			checked[body] = true
			without[body] = without[body] || e.none
		}
	}
	if len(bodies) == 0 {
		return entries
	}
	var out []entry
	for _, e := range entries {
		body, name := lastStep(e)
		if _, is := bodies[body]; is {
			switch name {
			case "LockDelay":
				e.Text = serverDelay(e)
			case "ServiceChecks":
				checked[body] = true
				without[body] = without[body] && e.none
			}
		}
		out = append(out, e)
	}
	for body, e := range bodies {
		e.list, e.none = false, false
		http := e.lift(0, "http")
		http.Text = "true"
		out = append(out, http)
		if checked[body] {
			checks := e.lift(0, "healthChecks")
			checks.Text = strconv.FormatBool(!without[body])
			out = append(out, checks)
		}
	}
	return out
}

// lastStep is an entry's own key and the mapping that it stands in.
func lastStep(e entry) (in, name string) {
	last := len(e.at) - 1
	if last < 0 {
		return "", ""
	}
	return fmt.Sprint(e.at[:last]), e.at[last].name
}

// serverDelay is a lock delay as the server reads it, in Go's text: a number is
// nanoseconds, a text Go's, and what is below 1000 ns counts as seconds.
func serverDelay(e entry) string {
	d, err := time.ParseDuration(e.Text)
	if !e.word {
		var n float64
		n, err = strconv.ParseFloat(e.Text, 64)
		d = time.Duration(max(min(n, math.MaxInt64/2), math.MinInt64/2))
	}
	if err != nil {
		return e.Text // which the server refuses, too
	}
	if d < bareSeconds && d > -bareSeconds {
		d *= time.Second
	}
	return GoText.Format(d)
}
