package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
)

// The part of SARIF 2.1.0 (OASIS, errata 01) that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		Help    sarifText    `json:"help"`
		HelpURI string       `json:"helpUri"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   map[string]string  `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home        = "https://github.com/lockplan/lockplan"
)

var sarifLevels = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "note"}

// writeSARIF writes SARIF 2.1.0. What was set aside stays in the log, as
// suppressed.
func writeSARIF(w io.Writer, r Report) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Tool: sarifTool{sarifDriver{Name: "lockplan", Version: r.Version, InformationURI: home, Rules: []sarifRule{}}}}
	index := map[string]int{}
	add := func(t Target, f finding.Finding, suppressions ...sarifSuppression) {
		i, known := index[f.ID]
		if !known {
			i = len(run.Tool.Driver.Rules)
			index[f.ID] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r.sarifRule(f.ID))
		}
		run.Results = append(run.Results, sarifResult{RuleID: f.ID, RuleIndex: i, Level: sarifLevels[f.Severity],
			Message: sarifText{printable(f.Message + ". Fix: " + f.Fix)}, Locations: t.sarifLocations(f), Suppressions: suppressions,
			Properties: map[string]string{"target": printable(t.Name), "library": t.Library}})
	}
	for _, t := range r.Targets {
		for _, f := range t.Findings {
			add(t, f)
		}
		for _, s := range t.SetAside {
			add(t, s.Finding, sarifSuppression{"external", printable(s.Reason)})
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func (r Report) sarifRule(id string) sarifRule {
	known := r.rule(id)
	return sarifRule{ID: id, Name: pascal(known.Name), Short: sarifText{known.Condition}, Full: sarifText{known.Why}, Help: sarifText{known.Fix},
		HelpURI: home + "/blob/main/docs/rules/" + id + ".md", Default: sarifDefault{sarifLevels[known.Severity]}}
}

func (t Target) sarifLocations(f finding.Finding) []sarifLocation {
	p, ok := t.place(f)
	if !ok {
		return nil
	}
	location := sarifLocation{sarifPhysical{Artifact: sarifArtifact{uri(p.File)}}}
	if p.Line > 0 {
		location.Physical.Region = &sarifRegion{p.Line}
	}
	return []sarifLocation{location}
}

// uri is a path as a URI reference: relative to the repository where it is
// relative.
func uri(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}

// pascal is the spelling that SARIF asks of a rule's name.
func pascal(name string) string {
	words := strings.Split(name, "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), "")
}
