package planfile

import (
	"errors"
	"io"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/input"
)

// TestAPIVersion is the version of a file of plan tests.
const TestAPIVersion = "lockplan/test/v1"

// Test is one unit test of a plan: inputs, and what must come of them.
type Test struct {
	Name    string
	Line    int
	Plan    Path   // the plan file whose service is tested; none is a plan of Inputs alone
	Service string // "" with a Plan that has one service
	Inputs  input.Set
	Values  []Expected
	// Findings are all the rules that speak, when Listed; Without are rules
	// that do not.
	Findings []Expected
	Listed   bool
	Without  []Expected
	Exit     *Expected // the exit code; nil is whatever the plan says
	Error    *Expected // a part of the error's text
}

// Expected is what a test wants of a value, as written.
type Expected struct {
	Key  string
	Text string
	Line int
}

// ReadTests reads a file of plan tests as strictly as a plan file: all faults
// are reported, not only the first.
func ReadTests(path string, r io.Reader) ([]Test, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fault.Toolf("%s: %w", path, err)
	}
	if len(text) > maxBytes {
		return nil, fault.Usagef("%s: larger than %d MB, which is no file of tests", path, maxBytes>>20)
	}
	root, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	d := decoder{path: path}
	top := d.mapping(root, "the test file")
	version, said := top.take("apiVersion")
	switch {
	case !said:
		d.fail(root, "there is no apiVersion").Hintf("apiVersion: %s", TestAPIVersion)
	case d.text(version, "apiVersion") != TestAPIVersion:
		d.fail(version, "apiVersion %q is not known", version.Value).Hintf("apiVersion: %s", TestAPIVersion)
	}
	var tests []Test
	names := map[string]int{}
	node, said := top.take("tests")
	if !said {
		d.fail(root, "there are no tests").Hintf("tests: [{name: …, inputs: {p999: 800ms}, expect: {ttl: 3s}}]")
	} else {
		for _, item := range d.sequence(node, "tests") {
			t := d.test(d.mapping(item, "a test"))
			t.Line = item.Line
			if first, twice := names[t.Name]; twice {
				d.fail(item, "the test %s is there twice, first in line %d", quote(t.Name), first)
			}
			names[t.Name] = t.Line
			tests = append(tests, t)
		}
	}
	top.rest("the test file", "apiVersion", "tests")
	if len(tests) == 0 && len(d.faults) == 0 {
		d.fail(root, "there are no tests").Hintf("a file without a test passes nothing")
	}
	if len(d.faults) > 0 {
		return nil, errors.Join(d.faults...)
	}
	return tests, nil
}

func (d *decoder) test(m *mapping) Test {
	t := Test{Inputs: input.Set{}}
	if n, said := m.take("name"); said {
		t.Name = d.text(n, "name")
		if hasControl(t.Name) {
			d.fail(n, "name %q has characters that do not print", t.Name)
		}
	}
	if n, said := m.take("plan"); said {
		t.Plan = Path{d.join(n, d.text(n, "plan")), n.Line}
	}
	if n, said := m.take("service"); said {
		t.Service = d.text(n, "service")
	}
	if n, said := m.take("inputs"); said {
		t.Inputs = d.inputs(d.mapping(n, "inputs"), "inputs")
	}
	expect, said := m.take("expect")
	m.rest("a test", "name", "plan", "service", "inputs", "expect")
	if !said {
		if t.Name != "" {
			d.faults = append(d.faults, fault.Usagef("%s: the test %s expects nothing", d.path, quote(t.Name)).Hintf("expect: {ttl: 3s, findings: [LP208]}"))
		}
		return t
	}
	if t.Name == "" {
		d.fail(expect, "a test has no name")
	}
	for _, e := range d.mapping(expect, "expect").entries {
		want := Expected{Key: e.key.Value, Line: e.key.Line}
		switch e.key.Value {
		case "findings", "without":
			var rules []Expected
			for _, item := range d.sequence(e.value, e.key.Value) {
				rules = append(rules, Expected{Key: e.key.Value, Text: strings.ToUpper(d.text(item, e.key.Value)), Line: item.Line})
			}
			if e.key.Value == "findings" {
				t.Findings, t.Listed = rules, true
			} else {
				t.Without = rules
			}
			continue
		}
		want.Text = d.text(e.value, want.Key)
		switch e.key.Value {
		case "exit":
			t.Exit = &want
		case "error":
			t.Error = &want
		default:
			t.Values = append(t.Values, want)
		}
	}
	return t
}
