package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/dist"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// file reads one of testdata/source, whose README says where it is from.
func file(t *testing.T, name string, q Query) (*Observation, error) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "source", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return Read(name, f, q)
}

func mustFile(t *testing.T, name string, q Query) *Observation {
	t.Helper()
	o, err := file(t, name, q)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return o
}

func text(name, content string, q Query) (*Observation, error) {
	return Read(name, strings.NewReader(content), q)
}

func mustText(t *testing.T, content string, q Query) *Observation {
	t.Helper()
	o, err := text("x", content, q)
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return o
}

// upper checks the value to plan with for each quantile; "inf" is unbounded.
func upper(t *testing.T, o *Observation, want map[float64]string) {
	t.Helper()
	if o.Dist == nil {
		t.Fatalf("no distribution, findings %v", o.Findings)
	}
	for q, text := range want {
		value := dist.Inf
		if text != "inf" {
			value = duration(t, text)
		}
		if got := o.Dist.Quantile(q).Upper; got != value {
			t.Errorf("P%v of %s = %v, want %s", q*100, o.Metric, got, text)
		}
	}
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// has finds the finding with that id.
func has(o *Observation, id string) (finding.Finding, bool) {
	for _, f := range o.Findings {
		if f.ID == id {
			return f, true
		}
	}
	return finding.Finding{}, false
}

// refused checks an error's class and that it names each part.
func refused(t *testing.T, err error, class fault.Class, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	if got := fault.ClassOf(err); got != class {
		t.Errorf("class %d, want %d: %v", got, class, err)
	}
	whole := err.Error() + "\n" + fault.HintOf(err)
	for _, part := range parts {
		if !strings.Contains(whole, part) {
			t.Errorf("%q does not name %q", whole, part)
		}
	}
}
