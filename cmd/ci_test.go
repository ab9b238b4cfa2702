package cmd

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// recipe is the block of docs/ci.md that contains a text.
func recipe(t *testing.T, language, contains string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(text, -1) {
		if bytes.Contains(block[1], []byte(contains)) {
			return string(block[1])
		}
	}
	t.Fatalf("docs/ci.md has no %s block with %q", language, contains)
	return ""
}

// onPath builds lockplan and puts it first on PATH.
func onPath(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "lockplan"), "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// shellIn runs a script with bash and returns what it printed and its exit
// code.
func shellIn(t *testing.T, script string, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(installed(t, "bash"), "-euo", "pipefail", "-c", script)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// validates holds a file against a schema that check-jsonschema carries.
func validates(t *testing.T, schema, path string) {
	t.Helper()
	checker := installed(t, "check-jsonschema")
	if out, err := exec.Command(checker, "--builtin-schema", schema, path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestActionScript runs what the GitHub Action runs, with the files that
// GitHub gives it.
func TestActionScript(t *testing.T) {
	script, err := filepath.Abs("../.github/actions/lockplan/check.sh")
	if err != nil {
		t.Fatal(err)
	}
	onPath(t)
	sample(t)
	gate := func() (string, int, string, string) {
		write(t, "output", "")
		write(t, "summary", "")
		out, code := shellIn(t, `"`+script+`"`, "GITHUB_OUTPUT=output", "GITHUB_STEP_SUMMARY=summary",
			"GATE_FILE=lockplan.yaml", "GATE_TESTS=lockplan.test.yaml", "GATE_BASELINE=", "GATE_FAIL_ON=error", "GATE_REPORTS=reports")
		output, _ := os.ReadFile("output")
		summary, _ := os.ReadFile("summary")
		return out, code, string(output), string(summary)
	}
	out, code, output, summary := gate()
	if code != 3 || !strings.Contains(out, "::error file=deploy/locks/stock.yaml,line=2,title=LP101") || !strings.Contains(summary, "LP303") {
		t.Errorf("exit %d: %s\n%s", code, out, summary)
	}
	for line := range strings.Lines(output) {
		name, path, _ := strings.Cut(strings.TrimSpace(line), "=")
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("output %s: %v", name, err)
		}
	}
	if out, code := shellIn(t, "lockplan emit -f lockplan.yaml --dir deploy/locks"); code != 0 {
		t.Fatal(out)
	}
	if out, code, _, _ := gate(); code != 0 {
		t.Errorf("after emit: exit %d: %s", code, out)
	}
	write(t, "lockplan.test.yaml", "apiVersion: lockplan/test/v1\ntests: [{name: a, inputs: {p999: 1s}, expect: {ttl: 1s}}]\n")
	if out, code, _, _ := gate(); code != 3 || !strings.Contains(out, "FAIL  a") {
		t.Errorf("a red test: exit %d: %s", code, out)
	}
}

// TestActionSetsAside: code scanning opens an alert for a suppressed result,
// so none is in the log that the action hands on.
func TestActionSetsAside(t *testing.T) {
	installed(t, "jq")
	script, err := filepath.Abs("../.github/actions/lockplan/check.sh")
	if err != nil {
		t.Fatal(err)
	}
	onPath(t)
	t.Chdir(t.TempDir())
	write(t, "lockplan.yaml", "apiVersion: lockplan/v1\nservices:\n  stock: {p999: 800ms, pause: 1.5s, margin: 700ms, ignore: [{rule: LP114, reason: tokens come}]}\n")
	out, code := shellIn(t, `"`+script+`"`, "GITHUB_OUTPUT=output", "GITHUB_STEP_SUMMARY=summary",
		"GATE_FILE=lockplan.yaml", "GATE_TESTS=", "GATE_BASELINE=", "GATE_FAIL_ON=error", "GATE_REPORTS=reports")
	log, err := os.ReadFile("reports/lockplan.sarif")
	if err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if !bytes.Contains(log, []byte(`"ruleId": "LP307"`)) || bytes.Contains(log, []byte(`"ruleId": "LP114"`)) {
		t.Errorf("%s", log)
	}
}

// TestActionDescribesItsScript compares the inputs that the action declares
// with those that its steps hand on and the recipe uses.
func TestActionDescribesItsScript(t *testing.T) {
	text, err := os.ReadFile("../.github/actions/lockplan/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Steps []struct{ Env map[string]string }
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	handed := map[string]bool{}
	for _, step := range action.Runs.Steps {
		for _, value := range step.Env {
			for _, m := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(value, -1) {
				handed[m[1]] = true
			}
		}
	}
	for name := range action.Inputs {
		if !handed[name] {
			t.Errorf("input %s is handed to no step", name)
		}
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "yaml", "jobs:")), &workflow); err != nil {
		t.Fatal(err)
	}
	used := false
	for _, step := range workflow.Jobs["lockplan"].Steps {
		if !strings.Contains(step.Uses, "actions/lockplan") {
			continue
		}
		used = true
		for name := range step.With {
			if _, known := action.Inputs[name]; !known {
				t.Errorf("the recipe gives %s, which is no input", name)
			}
		}
	}
	if !used {
		t.Error("the recipe does not use the action")
	}
	if os.Getenv("LOCKPLAN_REAL") != "1" {
		t.Skip("the schemas come with check-jsonschema; LOCKPLAN_REAL=1 requires it")
	}
	validates(t, "vendor.github-actions", "../.github/actions/lockplan/action.yml")
	path := filepath.Join(t.TempDir(), "locks.yml")
	write(t, path, recipe(t, "yaml", "jobs:"))
	validates(t, "vendor.github-workflows", path)
}

// TestGitLabRecipe runs the script of the GitLab example: installing is this
// machine's build, everything else is as pasted.
func TestGitLabRecipe(t *testing.T) {
	text := recipe(t, "yaml", "image: golang")
	var pipeline struct {
		Lockplan struct {
			Script    []string
			Artifacts struct {
				Paths   []string
				Reports struct{ JUnit []string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &pipeline); err != nil {
		t.Fatal(err)
	}
	job := pipeline.Lockplan
	install := slices.IndexFunc(job.Script, func(line string) bool { return strings.HasPrefix(line, "go install github.com/lockplan/lockplan@") })
	if install < 0 {
		t.Fatalf("the script installs nothing: %q", job.Script)
	}
	script := strings.Join(slices.Delete(slices.Clone(job.Script), install, install+1), "\n")
	onPath(t)
	sample(t)
	if out, code := shellIn(t, script); code != 3 || !strings.Contains(out, "LP101") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, path := range append(job.Artifacts.Paths, job.Artifacts.Reports.JUnit...) {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("artifact %s: %v", path, err)
		}
	}
	if out, code := shellIn(t, "lockplan emit -f lockplan.yaml --dir deploy/locks\n"+script); code != 0 {
		t.Errorf("after emit: exit %d: %s", code, out)
	}
	if os.Getenv("LOCKPLAN_REAL") != "1" {
		t.Skip("the schema comes with check-jsonschema; LOCKPLAN_REAL=1 requires it")
	}
	path := filepath.Join(t.TempDir(), ".gitlab-ci.yml")
	write(t, path, text)
	validates(t, "vendor.gitlab-ci", path)
}

// TestBaselineRecipe runs the plain shell recipe: green becomes the baseline,
// a longer pause is worse than it.
func TestBaselineRecipe(t *testing.T) {
	script := recipe(t, "bash", "baseline.json")
	onPath(t)
	t.Chdir(t.TempDir())
	const file = "apiVersion: lockplan/v1\nservices:\n  stock: {p999: 800ms, pause: 1.5s, rtt: 10ms, queue-sla: 1m, fencing: yes}\n"
	write(t, "lockplan.yaml", file)
	if out, _ := shellIn(t, script); strings.Contains(out, "error") {
		t.Fatalf("%s", out)
	}
	before, err := os.ReadFile("baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "lockplan.yaml", strings.Replace(file, "pause: 1.5s", "pause: 2s", 1))
	cmd := exec.Command(installed(t, "bash"), "-c", script) // nothing but the recipe itself makes it fail
	out, err := cmd.CombinedOutput()
	if !strings.Contains(string(out), "LP406") || cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("%v\n%s", err, out)
	}
	if after, err := os.ReadFile("baseline.json"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a red answer became the baseline: %v", err)
	}
}

// TestJenkinsRecipe runs the steps of the Jenkins example as Jenkins does, a
// shell each, and asks for the reports that it keeps.
func TestJenkinsRecipe(t *testing.T) {
	text := recipe(t, "groovy", "pipeline {")
	onPath(t)
	sample(t)
	var codes []int
	for _, m := range regexp.MustCompile(`sh '([^']*)'`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "go install github.com/lockplan/lockplan@") {
			_, code := shellIn(t, m[1])
			codes = append(codes, code)
		}
	}
	if !slices.Equal(codes, []int{0, 3}) {
		t.Errorf("the steps exit with %v", codes)
	}
	for _, m := range regexp.MustCompile(`(?:junit|artifacts:) '([^']*)'`).FindAllStringSubmatch(text, -1) {
		if found, err := filepath.Glob(m[1]); err != nil || len(found) == 0 {
			t.Errorf("%s: %v %v", m[1], found, err)
		}
	}
}

// TestPreCommitHooks lets pre-commit build the hooks from this repository and
// run them on the sample.
func TestPreCommitHooks(t *testing.T) {
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	config := recipe(t, "yaml", "repos:")
	onPath(t)
	for _, h := range hooks {
		if !strings.Contains(config, "id: "+h.ID+"\n") {
			t.Errorf("the recipe has no hook %s", h.ID)
		}
		if h.Files != "" && !regexp.MustCompile(h.Files).MatchString("deploy/lockplan.test.yaml") {
			t.Errorf("%s: files %q", h.ID, h.Files)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sample(t)
	if out, code := shellIn(t, hooks[0].Entry); code != 3 {
		t.Errorf("%s: exit %d: %s", hooks[0].Entry, code, out)
	}
	if out, code := shellIn(t, hooks[1].Entry+" lockplan.test.yaml"); code != 0 {
		t.Errorf("%s: exit %d: %s", hooks[1].Entry, code, out)
	}
	if os.Getenv("LOCKPLAN_REAL") != "1" || testing.Short() {
		t.Skip("pre-commit builds the hooks; LOCKPLAN_REAL=1 requires it")
	}
	preCommit, git := installed(t, "pre-commit"), installed(t, "git")
	write(t, ".pre-commit-config.yaml", config)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	// Git reads neither the user's configuration nor a hook's environment.
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	env = append(env, "PRE_COMMIT_HOME="+filepath.Join(t.TempDir(), "pre-commit"), "GOMODCACHE="+strings.TrimSpace(string(modules)),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	run := func(name string, args ...string) (string, int) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		if out, code := run(git, args...); code != 0 {
			t.Fatalf("git %v: %s", args, out)
		}
	}
	for _, args := range [][]string{{"validate-manifest", filepath.Join(root, ".pre-commit-hooks.yaml")}, {"validate-config", ".pre-commit-config.yaml"}} {
		if out, code := run(preCommit, args...); code != 0 {
			t.Errorf("pre-commit %v: %s", args, out)
		}
	}
	// The hooks of the last commit: pre-commit takes a repository.
	clone := filepath.Join(t.TempDir(), "lockplan")
	if out, code := run(git, "clone", "-q", root, clone); code != 0 {
		t.Fatal(out)
	}
	if out, code := run("go", "-C", clone, "build", "-o", os.DevNull, "."); code != 0 {
		t.Skipf("the last commit does not build: %s", out)
	}
	out, code := run(preCommit, "try-repo", clone, "lockplan-check", "--all-files")
	if code != 1 || !strings.Contains(out, "LP101") || !strings.Contains(out, "exit code: 3") {
		t.Errorf("lockplan-check: exit %d: %s", code, out)
	}
	if out, code := run(preCommit, "try-repo", clone, "lockplan-test", "--all-files"); code != 0 || !strings.Contains(out, "Passed") {
		t.Errorf("lockplan-test: exit %d: %s", code, out)
	}
}
