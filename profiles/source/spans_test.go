package source

import "testing"

// Exports from before 2022 call a scope an instrumentation library; both names
// may stand in one file.
func TestSpansUnderTheOldName(t *testing.T) {
	o := mustText(t, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"2000"}]}],"instrumentationLibrarySpans":[{"spans":[{"name":"lock","startTimeUnixNano":"1000","endTimeUnixNano":"9000001000"}]}]}]}`, Query{})
	upper(t, o, map[float64]string{0.5: "1us", 1: "9s"})
	if o.Dist.Count() != 2 {
		t.Errorf("%d spans, want 2", o.Dist.Count())
	}
}
