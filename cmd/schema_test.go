package cmd

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/plan"
)

// compiled is the schema that the program prints, read by a validator that is
// not ours.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	code, stdout, stderr := run("", "schema", name)
	if code != 0 {
		t.Fatalf("schema %s: exit %d: %s", name, code, stderr)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDocumentsMatchTheirSchema(t *testing.T) {
	for name, commands := range map[string][][]string{
		"plan": {
			{"ttl", "--p999", "800ms", "--pause", "1.5s"},
			{"ttl", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed", "--rto", "1m", "--holders", "7"},
			{"ttl", "--p999", "800ms", "--pause", "1.5s", "--rto", "2s"},
			{"ttl", "--p999", "800ms", "--pause", "1.5s", "--deadline", "500ms", "--work", "450ms", "--reply", "100ms"},
			{"ttl", "--hold", "../testdata/source/gen-lock-hold.prom.txt", "--metric", "lock_hold_seconds", "--percentile", "0.9999", "--mode", "fixed", "--pause", "1s"},
		},
		"plans": {{"plan", "-f", "../testdata/lockplan.yaml"}},
		"check": {
			{"check", "--ttl", "3s"},
			{"check", "--ttl", "30s", "--renew", "10s", "--renew-timeout", "2s", "--simulate"},
			{"check", "-f", "../testdata/lockplan.yaml"},
		},
		"tradeoff": {
			{"tradeoff", "--p999", "800ms", "--pause", "1.5s", "--rto", "5s"},
			{"tradeoff", "--p999", "800ms", "--pause", "1.5s"},
			{"tradeoff", "--p99", "20s", "--p999", "40s", "--pause", "1.5s", "--mode", "renewed", "--rto", "1m"},
		},
		// Importance sampling where e^(theta x) is beyond a float64.
		"simulation": {
			{"simulate", "--p999", "100ms", "--pause", "8s", "--margin", "5ms", "--mode", "fixed", "--fencing", "yes", "--queue-sla", "10m", "--scenario", "normal", "--trials", "20"},
			{"simulate", "--p999", "5ms", "--pause", "0s", "--margin", "700ms", "--mode", "fixed", "--fencing", "yes", "--queue-sla", "10m", "--scenario", "normal", "--trials", "20"},
		},
		"observation": {{"observe", "../testdata/source/locks.prom", "--metric", "lock_hold_seconds", "--match", `service="stock"`}},
	} {
		schema := compiled(t, name)
		for _, args := range commands {
			_, stdout, stderr := run("", append(args, "-o", "json")...)
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
			if err != nil {
				t.Errorf("%v: %v: %s", args, err, stderr)
				continue
			}
			if err := schema.Validate(document); err != nil {
				t.Errorf("%v: %v", args, err)
			}
		}
	}
}

func TestPlanFilesMatchTheirSchema(t *testing.T) {
	schema := compiled(t, "plan-file")
	for _, path := range []string{"init.yaml", "../testdata/lockplan.yaml"} {
		if err := schema.Validate(yamlAsJSON(t, path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := schema.Validate(map[string]any{"apiVersion": "lockplan/v1", "services": map[string]any{"a": map[string]any{"rto": "3"}}}); err == nil {
		t.Error("a duration without a unit passes")
	}
}

func yamlAsJSON(t *testing.T, path string) any {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// The neutral configuration parses back to the same plan.
func TestYAMLIsTheSamePlan(t *testing.T) {
	args := []string{"plan", "-f", "../testdata/lockplan.yaml", "-o"}
	_, asJSON, _ := run("", append(args, "json")...)
	_, asYAML, _ := run("", append(args, "yaml")...)

	var generic any
	if err := yaml.Unmarshal([]byte(asYAML), &generic); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(generic)
	if err != nil {
		t.Fatal(err)
	}
	var want, got struct{ Plans []plan.Document }
	if err := json.Unmarshal([]byte(asJSON), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &got); err != nil {
		t.Fatal(err)
	}
	if len(want.Plans) != 3 || !reflect.DeepEqual(got, want) {
		t.Errorf("the YAML says\n%+v\nthe JSON says\n%+v", got, want)
	}
}

// The same input gives the same bytes.
func TestOutputIsStable(t *testing.T) {
	args := []string{"plan", "-f", "../testdata/lockplan.yaml", "-o", "json"}
	_, first, _ := run("", args...)
	for range 5 {
		if _, again, _ := run("", args...); again != first {
			t.Fatal("two runs differ")
		}
	}
}
