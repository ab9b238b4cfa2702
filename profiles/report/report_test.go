package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// The escapes are those of actions/toolkit: in the data %, CR and LF, in a
// property also the colon and the comma.
func TestGitHubEscapes(t *testing.T) {
	r := Report{Targets: []Target{{Name: "a\r\n::error::b", Findings: []finding.Finding{
		{ID: "LP101", Severity: finding.Error, Message: "100% wrong", Fix: "x", File: "a,b:c%.yaml", Line: 3},
		{ID: "LP999", Severity: finding.Info, Message: "m", Fix: "f"},
	}, Place: rule.Place{File: "-"}}}, Rules: rule.Catalogue}
	var out bytes.Buffer
	if err := Write(&out, "github", r); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac%25.yaml,line=3,title=LP101 ttl-below-minimum::a\uFFFD%0A::error::b: 100%25 wrong%0Afix: x\n" +
		"::notice title=LP999 LP999::a\uFFFD%0A::error::b: m%0Afix: f\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A report without a finding is a report in every form, and each finding of
// any text is one that a reader can read.
func TestFormsCanBeRead(t *testing.T) {
	nasty := "]]> <b> \x00 \x1b[31m \u202e \xff \" ' | ` \n end"
	for _, r := range []Report{{}, {Targets: []Target{{Name: nasty}}}, {Targets: []Target{{Name: nasty, Library: "generic",
		Findings: []finding.Finding{{ID: "LP101", Message: nasty, Fix: nasty, File: nasty, Line: 1}},
		SetAside: []SetAside{{Finding: finding.Finding{ID: "LP102", Message: nasty}, Reason: nasty}}}}}} {
		for _, form := range Forms() {
			var out bytes.Buffer
			if err := Write(&out, form, r); err != nil {
				t.Errorf("%s: %v", form, err)
			}
			text := out.String()
			if strings.ContainsAny(text, "\x00\x1b") {
				t.Errorf("%s lets a control character through", form)
			}
			switch form {
			case "sarif":
				if !json.Valid(out.Bytes()) {
					t.Errorf("%s", text)
				}
			case "junit":
				if err := xml.Unmarshal(out.Bytes(), new(xmlSuites)); err != nil {
					t.Errorf("%v: %s", err, text)
				}
			case "html":
				if strings.Contains(text, "<b>") {
					t.Errorf("%s", text)
				}
			}
		}
	}
}

func TestRed(t *testing.T) {
	warned := Target{Findings: []finding.Finding{{ID: "LP114", Severity: finding.Warning}}}
	if (Report{FailOn: finding.Error}).Red(warned) || !(Report{FailOn: finding.Warning}).Red(warned) || (Report{}).Red(Target{}) {
		t.Error("the gate is red from its severity on, and only then")
	}
}
