package library

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// formFiles writes the grid of a library in a form.
func formFiles(t *testing.T, name, form string) (fits map[string]Fitted, files []string) {
	t.Helper()
	dir := t.TempDir()
	fits = map[string]Fitted{}
	for service, fit := range grid(t, name) {
		path := emitTo(t, dir, fit, service, form)
		files, fits[filepath.Base(path)] = append(files, path), fit
	}
	return fits, files
}

// withEnvironment starts a program with an env file in its environment, as
// shells do.
func withEnvironment(file string, command ...string) []string {
	return append([]string{"sh", "-c", `set -a; . "$0"; exec "$@"`, file}, command...)
}

// formRows holds what a program says of the numbers of a library's objects
// against the plans it loaded: every key that emit wrote.
func formRows(t *testing.T, fits map[string]Fitted, rows []map[string]any) {
	t.Helper()
	if len(rows) == 0 {
		t.Error("no file was looked at")
	}
	for _, row := range rows {
		fit := fits[row["service"].(string)]
		sameNumbers(t, fit, row)
		for _, s := range fit.Settings {
			if _, told := row[s.Key]; !told {
				t.Errorf("%v: %s = %s did not arrive", row["service"], s.Key, s.Text)
			}
		}
	}
}

// TestRealJavaForms: a Java program that loads the properties, JSON, YAML, TOML
// or environment that emit wrote builds the library's object with the plan's
// numbers.
func TestRealJavaForms(t *testing.T) {
	t.Parallel()
	jars := jarsOf(t, "java/spring")
	for redisson, libraries := range map[string]map[string]string{
		jars: {
			"redisson@3.52":      "properties json env toml", // its YAML is its own file: TestRealRedisson
			"spring-integration": "properties yaml json env toml",
			"shedlock":           "properties yaml json env toml",
			"curator":            "properties yaml json env toml",
			"zookeeper":          "yaml json env toml", // its properties are zoo.cfg: TestRealZooKeeperConfig
		},
		classpath(t, redissons["4.2"]) + ":" + jars: {"redisson@4.2": "properties json env toml"}, // before the other Redisson
	} {
		javaForms(t, append(javac(t, redisson, []string{"FormProbe"}, nil), "FormProbe"), libraries)
	}
}

// javaForms runs a program over the forms of libraries.
func javaForms(t *testing.T, java []string, libraries map[string]string) {
	t.Helper()
	all := map[string]Fitted{}
	var args []string
	var environments [][]string
	for lib, forms := range libraries {
		name, _, _ := strings.Cut(lib, "@")
		for _, form := range strings.Fields(forms) {
			fits, files := formFiles(t, lib, form)
			maps.Copy(all, fits)
			for _, file := range files {
				args = append(args, name, form, file)
			}
			if form == "env" { // a process an environment: one of the plans
				args = args[:len(args)-3*len(files)]
				environments = append(environments, []string{name, form, files[0]})
			}
		}
	}
	rows := probe(t, nil, t.TempDir(), slices.Concat(java, args)...)
	if len(rows) != len(args)/3 {
		t.Errorf("%d of %d files were looked at", len(rows), len(args)/3)
	}
	for _, e := range environments {
		rows = append(rows, probe(t, nil, t.TempDir(), withEnvironment(e[2], slices.Concat(java, e)...)...)...)
	}
	formRows(t, all, rows)
}

// TestRealPythonForms is TestRealJavaForms for redis-py.
func TestRealPythonForms(t *testing.T) {
	t.Parallel()
	command := append(pythonProgram(t), "forms")
	pairForms(t, "redis-py", command)
}

// TestRealNodeForms is TestRealJavaForms for node-redlock.
func TestRealNodeForms(t *testing.T) {
	t.Parallel()
	dir, command := nodeProgram(t)
	command[1] = filepath.Join(dir, command[1])
	pairForms(t, "node-redlock", append(command, "forms"))
}

// pairForms runs a program over FORM FILE pairs of each form; the .env files
// once as a shell exports them and once as a dotenv package reads them.
func pairForms(t *testing.T, lib string, command []string) {
	t.Helper()
	all := map[string]Fitted{}
	var args []string
	var environments []string
	for _, form := range []string{"properties", "yaml", "json", "toml", "dotenv"} {
		fits, files := formFiles(t, lib, strings.TrimPrefix(form, "dot"))
		maps.Copy(all, fits)
		for _, file := range files {
			args = append(args, form, file)
		}
		if form == "dotenv" {
			environments = files
		}
	}
	rows := probe(t, nil, t.TempDir(), slices.Concat(command, args)...)
	if len(rows) != len(args)/2 {
		t.Errorf("%d of %d files were looked at", len(rows), len(args)/2)
	}
	for _, file := range environments {
		rows = append(rows, probe(t, nil, t.TempDir(), withEnvironment(file, slices.Concat(command, []string{"env", file})...)...)...)
	}
	formRows(t, all, rows)
}
