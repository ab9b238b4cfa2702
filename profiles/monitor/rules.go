package monitor

import (
	"io"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc"
)

type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name  string     `yaml:"name"`
	Rules []ruleItem `yaml:"rules"`
}

type ruleItem struct {
	Record      string            `yaml:"record,omitempty"`
	Alert       string            `yaml:"alert,omitempty"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels,omitempty"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

// WriteRules writes a Prometheus rule file, a group a service. Records come
// before the alerts that read them.
func WriteRules(w io.Writer, watches []Watch) error {
	var file ruleFile
	for _, watch := range watches {
		group := ruleGroup{Name: "lockplan " + watch.Service}
		for _, r := range watch.Records {
			group.Rules = append(group.Rules, ruleItem{Record: r.Name, Expr: r.Expr, Labels: r.Labels})
		}
		for _, a := range watch.Alerts {
			item := ruleItem{Alert: a.Name, Expr: a.Expr,
				Labels:      escaped(map[string]string{"lock": watch.Service, "clock": a.Clock, "severity": a.Severity}),
				Annotations: escaped(map[string]string{"summary": a.Summary, "description": a.Description, "threshold": a.Threshold})}
			if a.For > 0 {
				item.For = promDuration(calc.CeilTo(a.For, time.Minute)) // an alert that is early is false
			}
			group.Rules = append(group.Rules, item)
		}
		file.Groups = append(file.Groups, group)
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(file); err != nil {
		return err
	}
	return encoder.Close()
}

// escaped keeps Prometheus from reading a service's name as a template, which
// it does in the labels and annotations of an alert, not in those of a record.
func escaped(in map[string]string) map[string]string {
	out := map[string]string{}
	for key, text := range in {
		out[key] = strings.ReplaceAll(text, "{{", `{{"{{"}}`)
	}
	return out
}
