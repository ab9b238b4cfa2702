// Grafana reads a dashboard strictly, with the types that Grafana generates
// from its own schema, and fails at a field that the schema does not have.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

func main() {
	cog.NewRuntime().RegisterPanelcfgVariant(timeseries.VariantConfig())
	cog.NewRuntime().RegisterDataqueryVariant(prometheus.VariantConfig())
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	var board dashboard.Dashboard
	// It returns an empty list of errors, which is no nil, when there are none.
	var wrong cog.BuildErrors
	if err := board.UnmarshalJSONStrict(text); !errors.As(err, &wrong) || len(wrong) > 0 {
		fail(err)
	}
	if err := board.Validate(); err != nil {
		fail(err)
	}
	fmt.Printf("%d panels\n", len(board.Panels))
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "%v\n", err)
	os.Exit(1)
}
