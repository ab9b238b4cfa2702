// Package workload holds the built-in profiles: what a kind of work presets,
// why, and which holds it fits. A profile is a YAML file in this folder; all
// of them are embedded and validated.
package workload

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/input"
)

//go:embed *.yaml
var files embed.FS

// Profile is a kind of work.
type Profile struct {
	Name  string
	About string // one line
	Why   string // what decides for this kind of work
	// Fits is the range of the hold at the percentile Fits.Percentile.
	Fits   Fits
	Inputs []Preset // in the order of the file
}

// Fits is a range of hold times.
type Fits struct {
	Percentile float64
	From, To   time.Duration
}

// Preset is one input that a profile fills, with the reason.
type Preset struct {
	Key, Value, Why string
}

// Set is the profile's presets as a layer of inputs.
func (p Profile) Set() input.Set {
	set := input.Set{}
	for _, preset := range p.Inputs {
		set[preset.Key] = input.Value{Texts: []string{preset.Value}, Source: "profile " + p.Name, Preset: true}
	}
	return set
}

// All are the built-in profiles by name.
var All = sync.OnceValue(all)

func all() []Profile {
	entries, _ := files.ReadDir(".")
	var out []Profile
	for _, e := range entries {
		text, _ := files.ReadFile(e.Name())
		p, err := parse(text)
		if err != nil {
			panic("built-in profile " + e.Name() + ": " + err.Error()) // a test reads them all
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Profile) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Find is the profile of that name.
func Find(name string) (Profile, error) {
	var names []string
	for _, p := range All() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fault.Usagef("there is no profile %q", name).Hintf("one of %s", strings.Join(names, ", "))
}

// file is a profile as it is written.
type file struct {
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	Why   string `yaml:"why"`
	Fits  struct {
		Percentile float64 `yaml:"percentile"`
		From       string  `yaml:"from"`
		To         string  `yaml:"to"`
	} `yaml:"fits"`
	Inputs yaml.Node `yaml:"inputs"`
}

func parse(text []byte) (Profile, error) {
	var f file
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return Profile{}, err
	}
	p := Profile{Name: f.Name, About: f.About, Why: f.Why, Fits: Fits{Percentile: f.Fits.Percentile}}
	var err error
	if p.Fits.From, err = dur.Parse(f.Fits.From); err != nil {
		return p, err
	}
	if p.Fits.To, err = dur.Parse(f.Fits.To); err != nil {
		return p, err
	}
	for i := 0; i+1 < len(f.Inputs.Content); i += 2 {
		var body struct{ Value, Why string }
		if err := f.Inputs.Content[i+1].Decode(&body); err != nil {
			return p, err
		}
		name := f.Inputs.Content[i].Value
		key, known := input.Find(name)
		if !known {
			return p, fmt.Errorf("unknown input %q", name)
		}
		if err := input.Check(key, input.Value{Texts: []string{body.Value}, Source: name}); err != nil {
			return p, err
		}
		p.Inputs = append(p.Inputs, Preset{name, body.Value, body.Why})
	}
	return p, nil
}
