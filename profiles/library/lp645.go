package library

import (
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP645 is client-go-lock-removed.
var LP645 = rule.Rule{
	ID: "LP645", Name: "client-go-lock-removed", Severity: finding.Error,
	Condition: "resourceLock endpoints or configmaps from 0.24 on; endpointsleases or configmapsleases from 0.28 on; a word that is none of them",
	Why:       "resourcelock.New refuses it, and the component does not start: an upgrade of Kubernetes stops it for good.",
	Fix:       "leases; coming from endpoints or configmaps, first the lock that keeps both, on a client-go before 0.28, in every replica",
	Example:   rule.Example{Args: []string{"check", "--library", "client-go", "--set", "resourceLock=endpoints"}},
}

// removed are the locks that client-go had, with its minor version that has
// them no more.
var removed = map[string]int{"leases": 0, "endpoints": 24, "configmaps": 24, "endpointsleases": 28, "configmapsleases": 28}

func lp645(run *Running, c clientGo) {
	lock := strings.TrimSpace(run.Text("resourceLock"))
	since, known := removed[lock]
	if known && (since == 0 || c.before(0, since)) {
		return
	}
	message := "is no lock of client-go"
	if known {
		message = "was removed in client-go 0." + strconv.Itoa(since)
	}
	fix := "leases"
	if known && since == 24 && c.before(0, 28) {
		fix = lock + "leases in every replica, then leases"
	}
	run.say(LP645, "resourceLock", "resourceLock "+clean(lock)+" "+message+": the component does not start", fix)
}
