package cmd

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestOperationDocumentsMatchTheirSchema(t *testing.T) {
	for name, args := range map[string][]string{
		"monitor": {"monitor", "-f", watched},
		"rollout": {"rollout", "../testdata/rollout/fixed.yaml", "../testdata/rollout/renewed.yaml"},
		"tests":   {"test", redTests, greenTests},
	} {
		_, stdout, stderr := run("", append(args, "-o", "json")...)
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Errorf("%v: %v: %s", args, err, stderr)
			continue
		}
		if err := compiled(t, name).Validate(document); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	schema := compiled(t, "test-file")
	for _, path := range []string{redTests, greenTests, "../testdata/gate/sample/lockplan.test.yaml"} {
		if err := schema.Validate(yamlAsJSON(t, path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := schema.Validate(map[string]any{"apiVersion": "lockplan/test/v1", "tests": []any{map[string]any{"name": "a", "expect": map[string]any{"tll": "3s"}}}}); err == nil {
		t.Error("a value that no plan has passes")
	}
}
