package library

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// A container gets an item of its list as one argument: each flag is an item,
// and no other item changes.
func TestArgumentsAreItems(t *testing.T) {
	const head = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: a\n        image: x\n"
	const lease, deadline, period = "--leader-elect-lease-duration=6s", "--leader-elect-renew-deadline=3.3s", "--leader-elect-retry-period=1s"
	for _, c := range []struct {
		name, list string
		want       []string
	}{
		{"a block", "        args:\n        - --leader-elect=true\n        - --leader-elect-lease-duration=15s\n        - --v=2\n", []string{"--leader-elect=true", lease, "--v=2", deadline, period}},
		{"one flag", "        args:\n        - --leader-elect\n", []string{"--leader-elect", lease, deadline, period}},
		{"command", "        command:\n        - kube-scheduler\n        - --leader-elect-retry-period=2s # mine\n", []string{"kube-scheduler", period, lease, deadline}},
		{"both", "        command: [kube-scheduler]\n        args: [--v=2]\n", []string{"--v=2", lease, deadline, period}},
		{"quotes", "        args: [\"--leader-elect-lease-duration=15s\", '--leader-elect-renew-deadline', '10s', x]\n", []string{lease, "--leader-elect-renew-deadline", "3.3s", "x", period}},
		{"a list over lines", "        args: [\n          a,\n          -leader-elect-retry-period=2s,\n        ]\n", []string{"a", "-leader-elect-retry-period=1s", lease, deadline}},
		{"an empty list", "        args: []\n", []string{lease, deadline, period}},
		{"a default", "        args:\n        - \"--leader-elect-lease-duration=${LEASE:-15s}\"\n", []string{"--leader-elect-lease-duration=${LEASE:-6s}", deadline, period}},
	} {
		file := head + c.list + "      restartPolicy: Always\n"
		text, err := merged(t, "client-go", "flags", "f.yaml", file)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
			continue
		}
		var doc struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers    []struct{ Args, Command []string }
						RestartPolicy string `yaml:"restartPolicy"`
					}
				}
			}
		}
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		container := doc.Spec.Template.Spec.Containers[0]
		got := container.Args
		if got == nil {
			got = container.Command
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") || doc.Spec.Template.Spec.RestartPolicy != "Always" {
			t.Errorf("%s: %q, want %q\n%s", c.name, got, c.want, text)
		}
	}
	for _, c := range []struct{ name, file, want, hint string }{
		{"two containers", "spec:\n  containers:\n  - name: a\n    args: [x]\n  - name: b\n    args: [y]\n", "line 3: none of 2 containers has a flag of client-go", "--leader-elect-lease-duration=VALUE in the args:"},
		{"two elections", "spec:\n  containers:\n  - name: a\n    args: [--leader-elect-lease-duration=15s]\n  - name: b\n    args: [--leader-elect-lease-duration=16s]\n", "line 6: a lock of its own beside that of line 4", "a file each"},
		{"a shell's command", "spec:\n  containers:\n  - name: a\n    args:\n    - sh\n    - -c\n    - exec x --leader-elect-lease-duration=15s\n", "line 7: the item holds more than --leader-elect-lease-duration", "an item an argument"},
		{"a command of one text", "services:\n  a:\n    image: x\n    command: x --leader-elect-lease-duration=15s\n", "line 4: leader-elect-lease-duration stands in a command of one text", "as a list"},
		{"no arguments", "spec:\n  containers:\n  - name: a\n", "line 1: no container has args: or command:", "args: [--leader-elect-lease-duration=VALUE]"},
		{"a folded item", "spec:\n  containers:\n  - name: a\n    args:\n    - --v=2\n    - >-\n      --x=1\n", "line 6: the argument is written in a way that cannot be changed in place", "- --flag=value"},
		{"a shared list", "x: &l [--v=2]\nspec:\n  containers:\n  - name: a\n    args: *l\n", "line 1: no container has args", "in the container"},
	} {
		fit, _ := fitted(t, "client-go", nil)
		text, err := Render(fit, "", "flags", c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(fault.HintOf(err), c.hint) {
			t.Errorf("%s: %v; %s\n%s", c.name, err, fault.HintOf(err), text)
		}
	}
}

// FuzzArguments: whatever manifest stands there, emit refuses it, or check
// reads back what the plan says.
func FuzzArguments(f *testing.F) {
	f.Add("kind: Deployment\nspec:\n- args:\n  - --leader-elect-lease-duration\n  - '15s'\n")
	f.Add("spec: {args: [\"a\", # x\n  '--leader-elect-lease-duration=${A:-1s}']}\n")
	f.Add("args: &a\n- x\n---\nargs: []\n")
	f.Fuzz(func(t *testing.T, existing string) {
		if formOf("", existing) != YAML {
			return
		}
		lib, err := Get("client-go")
		if err != nil {
			t.Fatal(err)
		}
		v, err := Judge(&Running{Library: lib, In: quiet(t, lib), Values: Values{"leaseDuration": {Text: "20s"}}})
		if err != nil {
			t.Fatal(err)
		}
		fit := Fitted{Library: lib, Settings: []Setting{{"leaseDuration", "20s", "lease TTL"}}, Verdict: v}
		text, err := Render(fit, "x", "flags", existing)
		if err != nil {
			usage(t, err)
			return
		}
		values, err := Parse(lib, "x.yaml", []byte(text))
		if err != nil {
			usage(t, err)
			return
		}
		if values["leaseDuration"].Text != "20s" {
			t.Fatalf("the lease is read back as %q from\n%s", values["leaseDuration"].Text, text)
		}
	})
}
