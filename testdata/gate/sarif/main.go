// Sarif validates a SARIF log against the OASIS schema of version 2.1.0. The
// schema is the copy that go-sarif carries in its source, which is read from
// the module's folder: as a constant it is not exported, and its own
// validation sees only the fields that its types have.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if err := validate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func validate(path string) error {
	text, err := schemaText()
	if err != nil {
		return err
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", schema); err != nil {
		return err
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		return err
	}
	log, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// schemaText is the constant "schema" of go-sarif.
func schemaText() (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return "", err
	}
	for _, decl := range file.Decls {
		constant, ok := decl.(*ast.GenDecl)
		if !ok || constant.Tok != token.CONST {
			continue
		}
		spec := constant.Specs[0].(*ast.ValueSpec)
		if spec.Names[0].Name != "schema" {
			continue
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return "", fmt.Errorf("go-sarif's schema is no literal")
		}
		return strconv.Unquote(literal.Value)
	}
	return "", fmt.Errorf("go-sarif has no constant schema")
}
