package library

import (
	"strings"
	"testing"
)

const elected = "LeaseDuration: 60 * time.Second, RenewDeadline: 40 * time.Second, RetryPeriod: 5 * time.Second"

// electionReadings are the files of TestParseElection, also seeds of FuzzParse:
// LeaderElectionConfig of client-go 0.34.1 and Options of controller-runtime, as
// literals and by assignment.
var electionReadings = map[string]reading{
	"literal":            {"client-go", "m.go", "func f() {\n\tleaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{Lock: l, ReleaseOnCancel: true, " + elected + ", Name: `x`})\n}\n", "@2 leaseDuration=1m0s releaseOnCancel=true renewDeadline=40s retryPeriod=5s"},
	"assigned":           {"client-go", "m.go", "func f(c *leaderelection.LeaderElectionConfig) {\n\tc.LeaseDuration = 60 * time.Second\n\tc.RenewDeadline = 40 * time.Second\n\tc.RetryPeriod = 5 * time.Second\n\tc.ReleaseOnCancel = true\n}\n", "@2 leaseDuration=1m0s releaseOnCancel=true renewDeadline=40s retryPeriod=5s"},
	"not":                {"client-go", "m.go", "func f() {\n\t_ = leaderelection.LeaderElectionConfig{ReleaseOnCancel: false, " + elected + "}\n}\n", "@2 leaseDuration=1m0s releaseOnCancel=false renewDeadline=40s retryPeriod=5s"},
	"elsewhere":          {"client-go", "m.go", "func f() {\n\t_ = leaderelection.LeaderElectionConfig{ReleaseOnCancel: o.Release, " + elected + "}\n}\n", `error: m.go:2: releaseOnCancel is set to "o.Release", which is no constant of this file`},
	"options":            {"client-go", "m.go", "func f() {\n\td := 60 * time.Second\n\trenew, retry := 40*time.Second, 5*time.Second\n\tctrl.NewManager(cfg, ctrl.Options{LeaseDuration: &d, RenewDeadline: &renew, RetryPeriod: ptr.To(retry), LeaderElectionReleaseOnCancel: true})\n}\n", "@4 leaseDuration=1m0s releaseOnCancel=true renewDeadline=40s retryPeriod=5s"},
	"pointers":           {"client-go", "m.go", "func f() {\n\t_ = manager.Options{LeaseDuration: ptr.To[time.Duration](60*time.Second), RenewDeadline: pointer.Duration(40*time.Second), RetryPeriod: lo.ToPtr(5*time.Second)}\n}\n", "@2 leaseDuration=1m0s renewDeadline=40s retryPeriod=5s"},
	"variables":          {"client-go", "m.go", "var (\n\tleaseDuration = 60 * time.Second\n\trenewDeadline = 40 * time.Second\n\tretryPeriod = 5 * time.Second\n)\nfunc f() {\n\t_ = ctrl.Options{LeaseDuration: &leaseDuration, RenewDeadline: &renewDeadline, RetryPeriod: &retryPeriod, LeaderElectionReleaseOnCancel: true}\n}\n", "@7 leaseDuration=1m0s releaseOnCancel=true renewDeadline=40s retryPeriod=5s"},
	"same names":         {"client-go", "m.go", "const LeaseDuration = 60 * time.Second\nfunc f() {\n\t_ = leaderelection.LeaderElectionConfig{LeaseDuration: LeaseDuration, ReleaseOnCancel: true}\n}\n", "@3 leaseDuration=1m0s releaseOnCancel=true"},
	"two":                {"client-go", "m.go", "const leaseDuration = 60 * time.Second\nfunc f() {\n\t_ = ctrl.Options{LeaseDuration: &leaseDuration}\n\t_ = ctrl.Options{LeaseDuration: &leaseDuration, LeaderElectionReleaseOnCancel: true}\n}\n", "line 3@3 leaseDuration=1m0s\nline 4@4 leaseDuration=1m0s releaseOnCancel=true"},
	"lock":               {"client-go", "m.go", "func f() {\n\tresourcelock.New(resourcelock.EndpointsLeasesResourceLock, ns, name, a, b, c)\n\t_ = leaderelection.LeaderElectionConfig{" + elected + "}\n}\n", "@2 leaseDuration=1m0s renewDeadline=40s resourceLock=endpointsleases retryPeriod=5s"},
	"option":             {"client-go", "m.go", "func f() {\n\t_ = ctrl.Options{LeaderElectionResourceLock: `configmaps`, LeaderElectionReleaseOnCancel: true}\n}\n", "@2 releaseOnCancel=true resourceLock=configmaps"},
	"leases":             {"client-go", "m.go", "func f() {\n\tresourcelock.New(resourcelock.LeasesResourceLock, ns, name, a, b, c)\n\t_ = ctrl.Options{LeaderElectionResourceLock: lock, LeaderElectionReleaseOnCancel: true}\n}\n", "@3 releaseOnCancel=true"},
	"timeout":            {"client-go", "m.go", "func f() {\n\tcfg, err := rest.InClusterConfig()\n\tcfg.Timeout = 20 * time.Second\n\t_ = leaderelection.LeaderElectionConfig{" + elected + "}\n}\n", "@3 clientTimeout=20s leaseDuration=1m0s renewDeadline=40s retryPeriod=5s"},
	"timeout, literal":   {"client-go", "m.go", "func f() {\n\tg(&rest.Config{Host: h, Timeout: 20 * time.Second})\n\th(&http.Client{Timeout: time.Minute})\n\t_ = leaderelection.LeaderElectionConfig{" + elected + "}\n}\n", "@2 clientTimeout=20s leaseDuration=1m0s renewDeadline=40s retryPeriod=5s"},
	"timeout, manager":   {"client-go", "m.go", "func f() {\n\tcfg := ctrl.GetConfigOrDie()\n\tcfg.Timeout = 20 * time.Second\n\tctrl.NewManager(cfg, ctrl.Options{LeaderElectionReleaseOnCancel: true})\n}\n", "@4 releaseOnCancel=true"},
	"timeout, another's": {"client-go", "m.go", "func f() {\n\tserver.Timeout = 20 * time.Second\n\t_ = leaderelection.LeaderElectionConfig{" + elected + "}\n}\n", "@3 leaseDuration=1m0s renewDeadline=40s retryPeriod=5s"},
	"a flag":             {"client-go", "x.flags", "operator --leader-elect-resource-lock=endpoints --leader-elect-lease-duration=60s\n", "@1 leaseDuration=60s resourceLock=endpoints"},
	"a file":             {"client-go", "x.yaml", "leaderElection: {leaseDuration: 60s, resourceLock: configmaps}\n", "@1 leaseDuration=60s resourceLock=configmaps"},
}

// TestParseElection: what a program says of its election.
func TestParseElection(t *testing.T) {
	for name, r := range electionReadings {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

// No flag of a component of the control plane makes it release
// (research/libs-coordination.md, section 5): a comment that says so does not
// count, and emit writes none.
func TestComponentDoesNotRelease(t *testing.T) {
	lib, err := Get("client-go")
	if err != nil {
		t.Fatal(err)
	}
	flags := "# lockplan: releaseOnCancel = true\n%s --leader-elect-lease-duration=60s\n"
	for program, want := range map[string]string{"kube-controller-manager": "", "/usr/local/bin/kube-scheduler": "", "cloud-controller-manager": "", "my-operator": "true"} {
		all, err := ParseAll(lib, "x.flags", []byte(strings.ReplaceAll(flags, "%s", program)))
		if err != nil || len(all) != 1 || all[0].Values["releaseOnCancel"].Text != want || (len(all[0].Notes) == 0) != (want == "true") {
			t.Errorf("%s: %v %v", program, err, all)
		}
		given, err := Surrounding(lib, Values{}, "x.flags", program+" --leader-elect=true\n")
		if _, fixed := given["releaseOnCancel"]; err != nil || fixed == (want == "true") {
			t.Errorf("%s: emit is given %v, %v", program, given, err)
		}
	}
	said := Values{"releaseOnCancel": {Text: "true"}}
	if _, err := Surrounding(lib, said, "x.yaml", "kind: KubeSchedulerConfiguration\n"); err == nil || len(said) != 1 {
		t.Error("a component is told to release")
	}
	released := judged(t, "client-go", "leaseDuration=60s", "renewDeadline=40s", "retryPeriod=5s", "releaseOnCancel=true", "--rtt=5ms")
	kept := judged(t, "client-go", "leaseDuration=60s", "renewDeadline=40s", "retryPeriod=5s", "--rtt=5ms")
	if a, b := *released.Consequences.TakeoverClean, *kept.Consequences.TakeoverClean; a >= b {
		t.Errorf("a release is taken over after %s, none after %s", a, b)
	}
}
