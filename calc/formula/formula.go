// Package formula is the model told in words: every formula with its reason
// and a worked number, every symbol, and the terms of the trade. explain
// prints it and docs/model.md is made of it.
package formula

import (
	"slices"
	"strings"
)

// Entry is a formula of the model or a term.
type Entry struct {
	ID      string   // "F1"; a term is its own id
	Title   string   // what the formula gives; for a term the same as ID
	Also    []string // other names that find it
	Formula string   // empty for a term
	Symbols []string // names of Symbols that Formula uses
	Why     string   // in plain words, for somebody who is on call
	Example string   // worked with numbers
	See     []string // ids of other entries or rules
}

// Symbol is a letter of the model. All are durations unless the meaning says
// otherwise.
type Symbol struct {
	Name, Meaning, Default string
}

// Section is a part of the model: an introduction and its entries.
type Section struct {
	Title, Intro string
	Entries      []Entry
}

// Sections are the formulas in the order of the model.
var Sections = []Section{
	fixedLease, renewedLease, survives, recovery, acquire, maximumHold, library, observations, risk,
}

// Find returns the formula or the term of that name, in any case, with spaces,
// dashes and underscores alike.
func Find(name string) (Entry, bool) {
	name = fold(name)
	called := func(e Entry) bool {
		return fold(e.ID) == name || slices.ContainsFunc(e.Also, func(other string) bool { return fold(other) == name })
	}
	for _, s := range Sections {
		if i := slices.IndexFunc(s.Entries, called); i >= 0 {
			return s.Entries[i], true
		}
	}
	if i := slices.IndexFunc(Terms, called); i >= 0 {
		return Terms[i], true
	}
	return Entry{}, false
}

// Meaning returns the symbol of that name, in its own case: b and B differ.
func Meaning(name string) (Symbol, bool) {
	i := slices.IndexFunc(Symbols, func(s Symbol) bool { return s.Name == name })
	if i < 0 {
		return Symbol{}, false
	}
	return Symbols[i], true
}

// Uses are the ids of the formulas that a symbol stands in.
func Uses(symbol string) []string {
	var ids []string
	for _, s := range Sections {
		for _, e := range s.Entries {
			if slices.Contains(e.Symbols, symbol) {
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}

func fold(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_'
	}), " ")
}
