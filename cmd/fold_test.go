package cmd

import (
	"slices"
	"testing"
)

func TestFold(t *testing.T) {
	for text, want := range map[string][]string{
		"takes 2 995 samples":       {"takes", "2 995", "samples"},
		"of 1 200 000, seen":        {"of", "1 200 000,", "seen"},
		"one two":                   {"one two"},
		"a-word-that-is-too-long x": {"a-word-that-is-too-long", "x"},
		"":                          {""},
	} {
		if got := fold(text, 8); !slices.Equal(got, want) {
			t.Errorf("%q folds to %q, want %q", text, got, want)
		}
	}
}
