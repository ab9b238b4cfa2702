package library

import (
	"regexp"
	"slices"

	"github.com/lockplan/lockplan/calc/fault"
)

// controlPlane are components whose election takes no more than their flags and
// their configuration can say. kube-controller-manager exits without a release,
// but for a feature gate from 1.36 on; what kube-scheduler does is fixed in it.
var controlPlane = regexp.MustCompile(`\b(kube-controller-manager|cloud-controller-manager|kube-scheduler|KubeControllerManagerConfiguration|CloudControllerManagerConfiguration|KubeSchedulerConfiguration)\b`)

// unheard are the comments of a file that nobody can act on, with the reason:
// no flag and no key of a component sets releaseOnCancel.
func (clientGo) unheard(text string, remarks []entry) (rest []entry, notes []string) {
	component := controlPlane.FindString(text)
	rest = slices.DeleteFunc(remarks, func(e entry) bool {
		if component == "" || e.path != "releaseOnCancel" || e.Text == "false" {
			return false
		}
		notes = append(notes, place(e.Value)+"the comment's releaseOnCancel is not counted: no flag or key of "+component+" sets it")
		return true
	})
	return rest, notes
}

// surround is given with what an existing file of a component fixes.
func (clientGo) surround(given Values, existing string) (Values, error) {
	component := controlPlane.FindString(existing)
	if component == "" {
		return given, nil
	}
	if v, typed := given["releaseOnCancel"]; typed && v.Text != "false" {
		return nil, fault.Usagef("--set releaseOnCancel=%s: no flag or key of %s sets it", v.Text, component).Hintf("leave it out; check takes it as --set where a feature gate does it")
	}
	given["releaseOnCancel"] = Value{Text: "false"}
	return given, nil
}
