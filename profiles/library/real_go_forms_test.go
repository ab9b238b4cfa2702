package library

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRealGoForms: a program that loads the file that emit wrote, with the
// loader of its form, sets its library up with what emit meant, key by key.
func TestRealGoForms(t *testing.T) {
	t.Parallel()
	program, dir := goProgram(t), t.TempDir()
	fits, missing := map[string]Fitted{}, map[string]bool{}
	for _, name := range goLibraries {
		for service, fit := range grid(t, name) {
			fits[service] = fit
			for _, form := range fit.Library.Sheet().Formats {
				if form == "go" || form == "flags" && !flagged(fit) { // compiled into the probe, see TestRealGoValues; refused
					continue
				}
				text, err := Render(fit, service, form, "")
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name+"--"+service+Extension(form)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				missing[service+" as "+form] = true
			}
		}
	}
	for _, row := range probe(t, nil, dir, program, "forms", dir, freePort(t)) {
		service, form := row["service"].(string), row["form"].(string)
		fit, what := fits[service], service+" as "+form
		delete(missing, what)
		sameAsEmitted(t, fit, what, row)
		for _, s := range fit.Settings {
			if _, told := row[s.Key]; !told && owned(fit, s, form) {
				t.Errorf("%s: %s = %s did not arrive", what, s.Key, s.Text)
			}
			key, _ := fit.Library.Sheet().Key(s.Key)
			effective, known := fit.Verdict.Run.Effective[s.Key]
			if known && key.Unit.IsTime() {
				emitted, err := key.Unit.Parse(s.Text)
				if ours, bad := key.Unit.Parse(effective); err != nil || bad != nil || emitted != ours {
					t.Errorf("%s: %s is emitted as %s, effective is %s", what, s.Key, s.Text, effective)
				}
			} else if known && effective != s.Text {
				t.Errorf("%s: %s is emitted as %s, effective is %s", what, s.Key, s.Text, effective)
			}
		}
	}
	for what := range missing {
		t.Errorf("%s was not loaded", what)
	}
}
