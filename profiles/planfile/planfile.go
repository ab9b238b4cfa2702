// Package planfile reads lockplan.yaml strictly: unknown and duplicate keys,
// a second document, an unknown apiVersion and values without a unit are
// errors with file and line.
package planfile

import (
	"errors"
	"io"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/input"
)

// APIVersion is the only one there is.
const APIVersion = "lockplan/v1"

// maxBytes bounds a plan file; a real one has a few kilobytes.
const maxBytes = 8 << 20

// File is a plan file.
type File struct {
	Path     string
	Services []Service // in the order of the file
}

// Service is one lock to plan.
type Service struct {
	Name     string
	Line     int
	Defaults input.Set // of the whole file; counts less than Own
	Own      input.Set
	Chain    []Layer // outermost first
	Config   Path    // what runs today
	Emit     Emit
	Ignore   []Ignore
	Metrics  []Mapping // for monitor
}

// Layer is one timeout of the call chain around the lock.
type Layer struct {
	Name    string
	Timeout time.Duration
	Line    int
}

// Path is a file named in the plan file, already joined with its folder.
type Path struct {
	Path string
	Line int
}

// Emit says where emitted configuration goes and in which form.
type Emit struct {
	Dir    string
	Format string
}

// Mapping says what the user's Prometheus calls a metric of lockplan's.
type Mapping struct {
	Name, Said string
	Line       int
}

// Ignore suppresses a rule for a reason and until a day.
type Ignore struct {
	Rule   string
	Reason string
	Until  time.Time // zero is without end
	Line   int
}

// Read reads a plan file. All faults of all services are reported, not only
// the first: the error then joins one *fault.Error for each.
func Read(path string, r io.Reader) (File, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return File{}, fault.Toolf("%s: %w", path, err)
	}
	if len(text) > maxBytes {
		return File{}, fault.Usagef("%s: larger than %d MB, which is no plan file", path, maxBytes>>20)
	}
	root, err := parse(path, text)
	if err != nil {
		return File{}, err
	}
	d := decoder{path: path}
	file := d.file(root)
	if len(d.faults) > 0 {
		return File{}, errors.Join(d.faults...)
	}
	return file, nil
}

// file decodes the top level.
func (d *decoder) file(root *yaml.Node) File {
	f := File{Path: d.path}
	top := d.mapping(root, "the plan file")
	if root.Kind != yaml.MappingNode {
		return f // said once, not once for every key that is missing
	}
	version, said := top.take("apiVersion")
	switch {
	case !said:
		d.fail(root, "there is no apiVersion").Hintf("apiVersion: %s", APIVersion)
	case d.text(version, "apiVersion") != APIVersion:
		d.fail(version, "apiVersion %q is not known", version.Value).Hintf("apiVersion: %s", APIVersion)
	}
	defaults := input.Set{}
	if node, said := top.take("defaults"); said {
		defaults = d.inputs(d.mapping(node, "defaults"), "a default")
	}
	node, said := top.take("services")
	if !said {
		d.fail(root, "there are no services").Hintf("services: {checkout-stock: {p999: 800ms, pause: 1.5s}}")
	}
	top.rest("the plan file", "apiVersion", "defaults", "services")
	services := d.mapping(node, "services")
	for _, e := range services.entries {
		if d.tired() {
			break
		}
		f.Services = append(f.Services, d.service(e.key, e.value, defaults))
	}
	if said && len(services.entries) == 0 && len(d.faults) == 0 {
		d.fail(node, "services is empty").Hintf("services: {checkout-stock: {p999: 800ms, pause: 1.5s}}")
	}
	return f
}

func (d *decoder) service(key, node *yaml.Node, defaults input.Set) Service {
	s := Service{Name: key.Value, Line: key.Line, Defaults: defaults}
	if key.Value == "" || hasControl(key.Value) {
		d.fail(key, "service name %q has characters that do not print", key.Value)
	}
	body := d.mapping(node, "service "+quote(key.Value))
	if n, said := body.take("chain"); said {
		s.Chain = d.chain(n)
	}
	if n, said := body.take("config"); said {
		s.Config = Path{d.join(n, d.text(n, "config")), n.Line}
	}
	if n, said := body.take("emit"); said {
		m := d.mapping(n, "emit")
		if dir, said := m.take("dir"); said {
			s.Emit.Dir = d.join(dir, d.text(dir, "dir"))
		}
		if format, said := m.take("format"); said {
			s.Emit.Format = d.text(format, "format")
		}
		m.rest("emit", "dir", "format")
	}
	if n, said := body.take("ignore"); said {
		s.Ignore = d.ignores(n)
	}
	if n, said := body.take("metrics"); said {
		for _, e := range d.mapping(n, "metrics").entries {
			s.Metrics = append(s.Metrics, Mapping{e.key.Value, d.text(e.value, e.key.Value), e.key.Line})
		}
	}
	s.Own = d.inputs(body, "service "+quote(key.Value), "chain", "config", "emit", "ignore", "metrics")
	return s
}

func (d *decoder) chain(node *yaml.Node) []Layer {
	var out []Layer
	for _, item := range d.sequence(node, "chain") {
		m := d.mapping(item, "a layer of the chain")
		layer := Layer{Line: item.Line}
		if n, said := m.take("name"); said {
			layer.Name = d.text(n, "name")
		}
		n, said := m.take("timeout")
		if !said {
			d.fail(item, "a layer of the chain has no timeout").Hintf("{name: api, timeout: 1s}")
		} else if t, err := dur.Parse(d.text(n, "timeout")); err != nil {
			d.fail(n, "timeout: %s", err).Hint = fault.HintOf(err)
		} else {
			layer.Timeout = t
		}
		m.rest("a layer of the chain", "name", "timeout")
		out = append(out, layer)
	}
	return out
}

func (d *decoder) ignores(node *yaml.Node) []Ignore {
	var out []Ignore
	for _, item := range d.sequence(node, "ignore") {
		m := d.mapping(item, "a suppression")
		ig := Ignore{Line: item.Line}
		if n, said := m.take("rule"); said {
			ig.Rule = d.text(n, "rule")
		}
		if n, said := m.take("reason"); said {
			ig.Reason = d.text(n, "reason")
		}
		if n, said := m.take("until"); said {
			day, err := time.Parse(time.DateOnly, d.text(n, "until"))
			if err != nil {
				d.fail(n, "until %q is no day", n.Value).Hintf("until: 2027-03-01")
			}
			ig.Until = day
		}
		if ig.Rule == "" || strings.TrimSpace(ig.Reason) == "" {
			d.fail(item, "a suppression needs a rule and a reason").Hintf(`{rule: LP113, reason: "…", until: 2027-03-01}`)
		}
		m.rest("a suppression", "rule", "reason", "until")
		out = append(out, ig)
	}
	return out
}
