package monitor

import (
	"encoding/json"
	"io"
	"time"
)

// Panel is one graph of the dashboard.
type Panel struct {
	Title string
	Unit  string // Grafana's unit id: "s", "percentunit", "short"
	Expr  string
	Limit *time.Duration // drawn as a line; nil is none
	Below bool           // the bad side is below the line
}

// The part of Grafana's dashboard model (schema version 39) that is written.
type (
	dashboard struct {
		UID           string      `json:"uid"`
		Title         string      `json:"title"`
		Tags          []string    `json:"tags"`
		Timezone      string      `json:"timezone"`
		Editable      bool        `json:"editable"`
		GraphTooltip  int         `json:"graphTooltip"`
		SchemaVersion int         `json:"schemaVersion"`
		Refresh       string      `json:"refresh"`
		Time          timeRange   `json:"time"`
		Templating    templating  `json:"templating"`
		Panels        []grafPanel `json:"panels"`
		Annotations   annotations `json:"annotations"`
	}
	timeRange struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Name  string `json:"name"`
		Label string `json:"label"`
		Type  string `json:"type"`
		Query string `json:"query"`
	}
	annotations struct {
		List []annotation `json:"list"`
	}
	annotation struct {
		Name       string     `json:"name"`
		Enable     bool       `json:"enable"`
		IconColor  string     `json:"iconColor"`
		Datasource datasource `json:"datasource"`
		Expr       string     `json:"expr"`
	}
	datasource struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	grafPanel struct {
		ID          int         `json:"id"`
		Type        string      `json:"type"`
		Title       string      `json:"title"`
		Collapsed   *bool       `json:"collapsed,omitempty"`
		GridPos     gridPos     `json:"gridPos"`
		Datasource  *datasource `json:"datasource,omitempty"`
		Targets     []target    `json:"targets,omitempty"`
		FieldConfig *fields     `json:"fieldConfig,omitempty"`
		Panels      *[]any      `json:"panels,omitempty"`
	}
	gridPos struct {
		H int `json:"h"`
		W int `json:"w"`
		X int `json:"x"`
		Y int `json:"y"`
	}
	target struct {
		RefID        string     `json:"refId"`
		Expr         string     `json:"expr"`
		LegendFormat string     `json:"legendFormat"`
		Datasource   datasource `json:"datasource"`
	}
	fields struct {
		Defaults  fieldDefaults `json:"defaults"`
		Overrides []any         `json:"overrides"`
	}
	fieldDefaults struct {
		Unit       string      `json:"unit"`
		Min        *float64    `json:"min,omitempty"`
		Thresholds *thresholds `json:"thresholds,omitempty"`
		Custom     custom      `json:"custom"`
	}
	thresholds struct {
		Mode  string `json:"mode"`
		Steps []step `json:"steps"`
	}
	step struct {
		Color string       `json:"color"`
		Value *json.Number `json:"value"`
	}
	custom struct {
		FillOpacity     int             `json:"fillOpacity"`
		ThresholdsStyle thresholdsStyle `json:"thresholdsStyle"`
	}
	thresholdsStyle struct {
		Mode string `json:"mode"`
	}
)

var fromVariable = datasource{Type: "prometheus", UID: "${datasource}"}

// WriteDashboard writes a Grafana dashboard: a row a service, a panel a clock,
// the plan's number as a line. Graphs read the recording rules.
func WriteDashboard(w io.Writer, watches []Watch) error {
	d := dashboard{
		UID: "lockplan", Title: "Lock timeouts", Tags: []string{"lockplan"}, Timezone: "browser", Editable: true, GraphTooltip: 1,
		SchemaVersion: 39, Refresh: "30s", Time: timeRange{"now-6h", "now"},
		Templating: templating{[]variable{{Name: "datasource", Label: "Prometheus", Type: "datasource", Query: "prometheus"}}},
		Annotations: annotations{[]annotation{{Name: "leases lost", Enable: true, IconColor: "red", Datasource: fromVariable,
			Expr: "lockplan:leases_lost:increase10m > 0.5"}}},
	}
	y, id := 0, 0
	for _, watch := range watches {
		id++
		d.Panels = append(d.Panels, grafPanel{ID: id, Type: "row", Title: watch.Service, Collapsed: new(bool), GridPos: gridPos{1, 24, 0, y}, Panels: &[]any{}})
		y++
		const width, height, perRow = 8, 7, 3
		for i, p := range watch.Panels {
			id++
			d.Panels = append(d.Panels, graph(id, p, watch.Service, gridPos{height, width, width * (i % perRow), y + height*(i/perRow)}))
		}
		y += height * ((len(watch.Panels) + perRow - 1) / perRow)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}

func graph(id int, p Panel, service string, at gridPos) grafPanel {
	zero := 0.0
	defaults := fieldDefaults{Unit: p.Unit, Min: &zero, Custom: custom{FillOpacity: 10, ThresholdsStyle: thresholdsStyle{"off"}}}
	if p.Limit != nil {
		limit := json.Number(number(*p.Limit, time.Second))
		good, bad := step{Color: "green"}, step{Color: "red", Value: &limit}
		if p.Below {
			good, bad = step{Color: "red"}, step{Color: "green", Value: &limit}
		}
		defaults.Thresholds = &thresholds{"absolute", []step{good, bad}}
		defaults.Custom.ThresholdsStyle.Mode = "line"
	}
	return grafPanel{ID: id, Type: "timeseries", Title: p.Title, GridPos: at, Datasource: &fromVariable,
		Targets:     []target{{RefID: "A", Expr: p.Expr, LegendFormat: service, Datasource: fromVariable}},
		FieldConfig: &fields{Defaults: defaults, Overrides: []any{}}}
}
