package cmd

import (
	"slices"

	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/library"
)

const emitSchema = "lockplan/emit/v1"

// emitDocument is what emit -o json prints instead of the files' text.
type emitDocument struct {
	Schema   string            `json:"schema"`
	Services []serviceDocument `json:"services"`
}

type serviceDocument struct {
	Service      string                 `json:"service"`
	Library      string                 `json:"library"`
	Format       string                 `json:"format"`
	Path         string                 `json:"path"` // "" is none
	Settings     []settingDocument      `json:"settings"`
	Effective    map[string]string      `json:"effective"`
	Consequences consequenceDocument    `json:"consequences"`
	Findings     []plan.FindingDocument `json:"findings"`
	Text         string                 `json:"text"`
}

type settingDocument struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Unit  string `json:"unit"`
	Why   string `json:"why"`
}

func emitDocumentOf(all []emitted) emitDocument {
	doc := emitDocument{Schema: emitSchema, Services: []serviceDocument{}}
	for _, e := range all {
		row := serviceDocument{Service: e.service, Library: library.Title(e.fit.Library), Format: e.form, Path: e.path, Text: e.after,
			Effective: e.fit.Verdict.Run.Effective, Consequences: consequencesDocument(e.fit.Verdict.Consequences),
			Findings: plan.Documents(append(slices.Clone(e.fit.Verdict.Findings), e.evidence()...)), Settings: []settingDocument{}}
		for _, s := range e.fit.Settings {
			key, _ := e.fit.Library.Sheet().Key(s.Key)
			row.Settings = append(row.Settings, settingDocument{s.Key, s.Text, string(key.Unit), s.Why})
		}
		doc.Services = append(doc.Services, row)
	}
	return doc
}
