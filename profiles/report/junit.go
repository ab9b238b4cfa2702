package report

import (
	"encoding/xml"
	"io"
	"strconv"

	"github.com/lockplan/lockplan/calc/finding"
)

// Suite is one group of test cases in the JUnit form that CI systems read
// (the schema of Jenkins' xunit plugin). Times are 0: the same input gives the
// same bytes.
type Suite struct {
	Name  string
	Cases []Case
}

// Case is one test case; it passed when nothing failed.
type Case struct {
	Name     string
	Failures []Failure
	Output   string
}

// Failure is why a case failed.
type Failure struct{ Type, Message, Text string }

type (
	xmlSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Suites   []xmlSuite `xml:"testsuite"`
	}
	xmlSuite struct {
		Name     string    `xml:"name,attr"`
		Tests    int       `xml:"tests,attr"`
		Failures int       `xml:"failures,attr"`
		Errors   int       `xml:"errors,attr"`
		Skipped  int       `xml:"skipped,attr"`
		Time     string    `xml:"time,attr"`
		Cases    []xmlCase `xml:"testcase"`
	}
	xmlCase struct {
		Name     string       `xml:"name,attr"`
		Class    string       `xml:"classname,attr"`
		Time     string       `xml:"time,attr"`
		Failures []xmlFailure `xml:"failure"`
		Output   string       `xml:"system-out,omitempty"`
	}
	xmlFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes suites as JUnit XML.
func WriteJUnit(w io.Writer, suites []Suite) error {
	doc := xmlSuites{Name: "lockplan"}
	for _, s := range suites {
		out := xmlSuite{Name: printable(s.Name), Tests: len(s.Cases), Time: "0"}
		for _, c := range s.Cases {
			row := xmlCase{Name: printable(c.Name), Class: printable(s.Name), Time: "0", Output: printable(c.Output)}
			for _, f := range c.Failures {
				row.Failures = append(row.Failures, xmlFailure{printable(f.Message), f.Type, printable(f.Text)})
			}
			if len(c.Failures) > 0 {
				out.Failures++
			}
			out.Cases = append(out.Cases, row)
		}
		doc.Tests += out.Tests
		doc.Failures += out.Failures
		doc.Suites = append(doc.Suites, out)
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// writeJUnit is a suite a target and a case a finding; one that does not fail
// the gate passes, and says so in its output.
func writeJUnit(w io.Writer, r Report) error {
	var suites []Suite
	for _, t := range r.Targets {
		s := Suite{Name: t.Name}
		for _, f := range t.Findings {
			text := t.text(f) + f.Message + "\nfix: " + f.Fix
			c := Case{Name: f.ID + " " + r.rule(f.ID).Name}
			if f.Severity >= r.FailOn {
				c.Failures = []Failure{{Type: f.Severity.String(), Message: f.Message, Text: text}}
			} else {
				c.Output = f.Severity.String() + ": " + text
			}
			s.Cases = append(s.Cases, c)
		}
		for _, aside := range t.SetAside {
			s.Cases = append(s.Cases, Case{Name: aside.Finding.ID + " " + r.rule(aside.Finding.ID).Name, Output: "set aside: " + aside.Why()})
		}
		if !r.Red(t) {
			s.Cases = append(s.Cases, Case{Name: "no rule is violated"})
		}
		suites = append(suites, s)
	}
	return WriteJUnit(w, suites)
}

// text is "file:line: ", or "".
func (t Target) text(f finding.Finding) string {
	p, ok := t.place(f)
	switch {
	case !ok:
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": "
}
