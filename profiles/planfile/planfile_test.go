package planfile

import (
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/profiles/input"
)

const whole = `apiVersion: lockplan/v1
defaults:
  rtt: 5ms
  fencing: true
services:
  Checkout.Stock:
    profile: inventory
    hold: {file: hold.prom, metric: lock_hold_seconds, match: 'service="checkout"'}
    pauses: {file: [gc-0.log, gc-1.log]}
    rto: 5s
    chain:
      - {name: gateway, timeout: 3s}
      - {name: api, timeout: 1s}
    config: deploy/redisson.yaml
    emit: {dir: build/locks}
    ignore: [{rule: LP113, reason: "reviewed", until: 2027-03-01}]
`

func TestWholeFile(t *testing.T) {
	f, err := Read("deploy/lockplan.yaml", strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Services) != 1 {
		t.Fatalf("%d services", len(f.Services))
	}
	s := f.Services[0]
	if s.Name != "Checkout.Stock" || s.Line != 6 {
		t.Errorf("name %q at line %d: case, dots and place are kept", s.Name, s.Line)
	}
	set := input.Stack(s.Defaults, s.Own)
	for key, want := range map[string]string{"rtt": "5ms", "fencing": "true", "profile": "inventory", "rto": "5s",
		"hold": "deploy/hold.prom", "metric": "lock_hold_seconds", "match": `service="checkout"`} {
		if got := set[key].Text(); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if got := set["pauses"].Texts; len(got) != 2 || got[1] != "deploy/gc-1.log" {
		t.Errorf("pauses are %v", got)
	}
	if got := set["rto"].Source; got != "deploy/lockplan.yaml:10" {
		t.Errorf("rto comes from %q", got)
	}
	if len(s.Chain) != 2 || s.Chain[0].Timeout != 3*time.Second || s.Chain[1].Line != 13 {
		t.Errorf("chain %+v", s.Chain)
	}
	if s.Config.Path != "deploy/deploy/redisson.yaml" || s.Emit.Dir != "deploy/build/locks" {
		t.Errorf("config %q, emit %q", s.Config.Path, s.Emit.Dir)
	}
	if len(s.Ignore) != 1 || !s.Ignore[0].Until.Equal(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("ignore %+v", s.Ignore)
	}
}

// One bad service does not hide the others' errors.
func TestAllFaultsAreTold(t *testing.T) {
	_, err := Read("p.yaml", strings.NewReader("apiVersion: lockplan/v1\nservices:\n  a: {rto: 3}\n  b: {paws: 1s}\n  c: {p999: 1s, rto: -1s}\n"))
	if err == nil {
		t.Fatal("read without an error")
	}
	for _, want := range []string{"p.yaml:3: rto", "p.yaml:4: ", "p.yaml:5: rto"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told in %q", want, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("apiVersion: lockplan/v1\nservices: &s\n  a: *s\n")
	f.Add("a: &a [*a]\n")
	f.Add("? {a: b}\n: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read("f.yaml", strings.NewReader(text))
		if err == nil && len(file.Services) == 0 {
			t.Error("a plan file without services is no error")
		}
	})
}
