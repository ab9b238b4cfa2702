package cmd

import (
	"reflect"
	"strings"

	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// testFileSchema is the schema of a file of plan tests. What it may expect is
// read off the plan's document.
func testFileSchema() object {
	rules := object{"type": "array", "items": object{"type": "string", "pattern": "^LP[0-9]{3}$"}}
	expect := object{"exit": object{"enum": []int{exitDone, exitTool, exitUsage, exitNo, exitNotKnown}}, "error": object{"type": "string"}, "findings": rules, "without": rules}
	document := reflect.TypeFor[plan.Document]()
	for i := range document.NumField() {
		name, _, _ := strings.Cut(document.Field(i).Tag.Get("json"), ",")
		if name != "schema" && document.Field(i).Type.Kind() != reflect.Slice {
			expect[strings.TrimSuffix(name, "_seconds")] = object{"type": []string{"string", "number", "boolean"}}
		}
	}
	test := closed(object{
		"name": object{"type": "string"}, "plan": object{"type": "string"}, "service": object{"type": "string"},
		"inputs": object{"$ref": "#/$defs/inputs"}, "expect": closed(expect),
	})
	test["required"] = []string{"name", "expect"}
	s := closed(object{
		"apiVersion": object{"const": planfile.TestAPIVersion},
		"tests":      object{"type": "array", "minItems": 1, "items": test},
	})
	s["$schema"], s["title"], s["required"] = draft, "lockplan.test.yaml", []string{"apiVersion", "tests"}
	s["$defs"] = object{"inputs": planFileSchema()["$defs"].(object)["inputs"]}
	return s
}
