package library

import (
	"io"
	"maps"
	"os"
	"testing"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/planfile"
	"github.com/lockplan/lockplan/profiles/workload"
)

// example are the services of testdata/lockplan.yaml on a library.
func example(t *testing.T, name string) map[string]Fitted {
	t.Helper()
	const path = "../../testdata/lockplan.yaml"
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file, err := planfile.Read(path, r)
	if err != nil {
		t.Fatal(err)
	}
	out := input.Outside{
		Open:    func(path string) (io.ReadCloser, error) { return os.Open(path) },
		Library: func(name string) (calc.Library, error) { return Get(name) },
	}
	fits := map[string]Fitted{}
	for _, s := range file.Services {
		own := maps.Clone(s.Own)
		own["library"] = input.Value{Texts: []string{name}, Source: "--library"}
		layers := []input.Set{s.Defaults, own}
		if said, ok := own["profile"]; ok {
			p, err := workload.Find(said.Text())
			if err != nil {
				t.Fatal(err)
			}
			layers = append([]input.Set{p.Set()}, layers...)
		}
		got, err := input.Resolve(input.Stack(layers...), out)
		if err != nil {
			t.Fatal(err)
		}
		in, err := got.Inputs.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		solved := calc.Solve(in)
		if !solved.Solved {
			t.Fatalf("%s: no plan on %s", s.Name, name)
		}
		fit, err := Fit(in.Library.(Library), Wanted{In: in, Lease: solved.Lease, Acquire: calc.SolveAcquire(in, 0), MaxHold: calc.MaxHold(in, solved)})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		fits[s.Name] = fit
	}
	if len(fits) != 3 {
		t.Fatalf("%d services", len(fits))
	}
	return fits
}
