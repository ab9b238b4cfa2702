package cmd

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the program prints into docs and scripts")

// console is a block that shows commands and what they print. They run in the
// root of the repository.
var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// otherBlocks are the fences that may show a command without its output.
var shell = regexp.MustCompile("(?ms)^```(?:sh|bash|shell)\n(.*?)^```$")

// TestDocs runs every console block of the README and of docs, and compares.
func TestDocs(t *testing.T) {
	t.Chdir("..")
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(path, func(t *testing.T) {
			now := console.ReplaceAllFunc(text, func(block []byte) []byte {
				body := console.FindSubmatch(block)[1]
				return []byte("```console\n" + replay(t, string(body)) + "```")
			})
			if bytes.Equal(now, text) {
				return
			}
			if *update {
				if err := os.WriteFile(path, now, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s shows something else than the program prints; go test ./cmd -run TestDocs -update\n%s", path, firstDifference(string(text), string(now)))
		})
		for _, block := range shell.FindAllSubmatch(text, -1) {
			for _, line := range strings.Split(string(block[1]), "\n") {
				if strings.HasPrefix(strings.TrimPrefix(line, "$ "), "lockplan ") {
					t.Errorf("%s: %q stands in a block that no test runs; use ```console", path, line)
				}
			}
		}
	}
}

func documents(t *testing.T) []string {
	paths := []string{"README.md"}
	err := filepath.WalkDir("docs", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// replay runs the commands of a block ("$ lockplan …", lines joined by a
// final backslash) and returns the block as it should be.
func replay(t *testing.T, body string) string {
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "$ ") {
			continue // output of the last command, replaced
		}
		command := strings.TrimPrefix(lines[i], "$ ")
		out.WriteString(lines[i] + "\n")
		for strings.HasSuffix(command, "\\") && i+1 < len(lines) {
			i++
			command = strings.TrimSuffix(command, "\\") + strings.TrimSpace(lines[i])
			out.WriteString(lines[i] + "\n")
		}
		out.WriteString(execute(t, command))
	}
	return out.String()
}

// execute runs one documented command; stderr follows stdout.
func execute(t *testing.T, command string) string {
	words := words(command)
	switch {
	case len(words) > 0 && words[0] == "lockplan":
		words = words[1:]
	case len(words) > 2 && strings.Join(words[:3], " ") == "go run .":
		words = words[3:]
	default:
		t.Errorf("a console block shows %q, which no test can run", command)
		return ""
	}
	_, stdout, stderr := run("", words...)
	return stdout + stderr
}

// words splits a command line as a shell does, with single and double quotes.
func words(line string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	started := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ':
			if started {
				out = append(out, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if started {
		out = append(out, word.String())
	}
	return out
}

func firstDifference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			got := ""
			if i < len(b) {
				got = b[i]
			}
			return "shown:   " + a[i] + "\nprinted: " + got
		}
	}
	return "the program prints more"
}
