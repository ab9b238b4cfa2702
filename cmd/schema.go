package cmd

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/planfile"
)

// schemas are the documents that have one, by the name that schema takes.
var schemas = []struct {
	name, about string
	schema      func() object
}{
	{"plan", "one plan, of ttl", func() object { return documentSchema(plan.Schema, plan.Document{}) }},
	{"plans", "several plans, of plan", func() object { return documentSchema(plan.ListSchema, planList{}) }},
	{"check", "the verdict of check", func() object { return documentSchema(checkSchema, checkDocument{}) }},
	{"emit", "what emit wrote", func() object { return documentSchema(emitSchema, emitDocument{}) }},
	{"comparison", "the answer of library compare", func() object { return documentSchema(comparisonSchema, comparison{}) }},
	{"tradeoff", "the table of tradeoff", func() object { return documentSchema(tradeoffSchema, tradeoffDoc{}) }},
	{"simulation", "what simulate played", func() object { return documentSchema(simulationSchema, simulationDoc{}) }},
	{"observation", "what observe prints", func() object { return documentSchema("lockplan/observation/v1", observationList{}) }},
	{"monitor", "what monitor watches", func() object { return documentSchema(watchesSchema, watchesDoc{}) }},
	{"rollout", "the steps of rollout", func() object { return documentSchema(rolloutSchema, rolloutDoc{}) }},
	{"tests", "the results of test", func() object { return documentSchema(testedSchema, testedDoc{}) }},
	{"plan-file", "lockplan.yaml", planFileSchema},
	{"test-file", "a file of plan tests", testFileSchema},
}

// object is a JSON object of a schema.
type object map[string]any

func newSchemaCmd(a *app) *cobra.Command {
	var names []string
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:       "schema [NAME]",
		Short:     "JSON Schema of lockplan.yaml and of the documents of -o json",
		ValidArgs: names,
		Args:      cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				rows := [][]string{{"schema", "of"}}
				for _, s := range schemas {
					rows = append(rows, []string{s.name, s.about})
				}
				return a.writeRows(names, rows)
			}
			for _, s := range schemas {
				if s.name == args[0] {
					return a.writeJSON(s.schema())
				}
			}
			return fault.Usagef("there is no schema %q", args[0]).Hintf("one of %s", strings.Join(names, ", "))
		},
	}
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// documentSchema is the schema of an output, read off its Go type: every key
// is there, and more may be added.
func documentSchema(id string, document any) object {
	s := schemaOf(reflect.TypeOf(document))
	s["$schema"], s["title"] = draft, id
	s["properties"].(object)["schema"] = object{"const": id}
	return s
}

func schemaOf(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[plan.Seconds]():
		return object{"type": "number", "description": "seconds"}
	case reflect.TypeFor[finding.Severity]():
		return object{"enum": []string{"info", "warning", "error"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := schemaOf(t.Elem())
		s["type"] = []any{s["type"], "null"}
		return s
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties, required := object{}, []string{}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			properties[name] = schemaOf(t.Field(i).Type)
			required = append(required, name)
		}
		return object{"type": "object", "properties": properties, "required": required}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	}
	return object{"type": "number"}
}

// planFileSchema is the schema of lockplan.yaml, built from the same keys
// that the decoder takes.
func planFileSchema() object {
	inputs := object{}
	for _, key := range input.Keys {
		if !input.IsOption(key.Name) {
			inputs[key.Name] = keySchema(key)
		}
	}
	for _, prefix := range []string{input.Hold, input.Pauses, input.RTTs} {
		inputs[prefix] = observationSchema(prefix)
	}
	service := closed(inputs)
	properties := service["properties"].(object)
	properties["chain"] = object{"type": "array", "description": "timeouts around the lock, outermost first",
		"items": closed(object{"name": object{"type": "string"}, "timeout": durationSchema})}
	properties["config"] = object{"type": "string", "description": "the configuration that runs today, for check"}
	properties["emit"] = closed(object{"dir": object{"type": "string"}, "format": object{"type": "string"}})
	properties["metrics"] = object{"type": "object", "additionalProperties": object{"type": "string"}, "description": "your metric names, for monitor"}
	properties["ignore"] = object{"type": "array", "items": object{"type": "object", "additionalProperties": false,
		"required":   []string{"rule", "reason"},
		"properties": object{"rule": object{"type": "string", "pattern": "^LP[0-9]{3}$"}, "reason": object{"type": "string"}, "until": object{"type": "string", "format": "date"}}}}
	s := closed(object{
		"apiVersion": object{"const": planfile.APIVersion},
		"defaults":   object{"$ref": "#/$defs/inputs"},
		"services":   object{"type": "object", "minProperties": 1, "additionalProperties": object{"$ref": "#/$defs/service"}},
	})
	s["$schema"], s["title"], s["required"] = draft, "lockplan.yaml", []string{"apiVersion", "services"}
	s["$defs"] = object{"service": service, "inputs": closed(inputsOnly(inputs))}
	return s
}

// inputsOnly copies the inputs without what only a service has.
func inputsOnly(all object) object {
	out := object{}
	for name, s := range all {
		if !slices.Contains([]string{"chain", "config", "emit", "ignore", "metrics"}, name) {
			out[name] = s
		}
	}
	return out
}

// closed is an object schema that allows no other keys.
func closed(properties object) object {
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

var durationSchema = object{"type": "string", "pattern": `^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h|d|w))+)$`}

func observationSchema(prefix string) object {
	file := object{"type": "string"}
	properties := object{"file": object{"anyOf": []any{file, object{"type": "array", "items": file}}}}
	for _, name := range input.Options() {
		key, _ := input.Find(input.OptionKey(prefix, name))
		properties[name] = keySchema(key)
	}
	return closed(properties)
}

func keySchema(key input.Key) object {
	s := object{"description": key.Help}
	switch key.Type {
	case input.Duration:
		s["type"], s["pattern"] = durationSchema["type"], durationSchema["pattern"]
	case input.Ratio, input.Quantile:
		s["type"] = "number"
	case input.Count:
		s["type"], s["minimum"] = "integer", 0
	case input.Switch, input.YesNo:
		s["type"] = "boolean"
	case input.Choice:
		s["enum"] = key.Choices
	default:
		s["type"] = "string"
	}
	return s
}
