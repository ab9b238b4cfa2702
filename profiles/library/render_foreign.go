package library

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// loaded refuses a document whose root nobody reads for a lock: Compose, and
// manifests of Kubernetes. What it says of the lock stands in arguments and
// variables, or nowhere.
func loaded(fit Fitted, doc *yamlText, text string, hits map[string]hit) error {
	line, what, hint := foreignRoot(fit.Library, doc.root)
	var first *hit
	for _, h := range hits {
		if (h.variable || h.argument()) && (first == nil || h.Line < first.Line) {
			first = &h
		}
	}
	switch {
	case first != nil && first.variable:
		return fault.Usagef("%s%s is a variable of a container", place(first.Value), first.path).Hintf("change it there, or %s", variablesHint)
	case first != nil:
		if _, err := setArguments(fit, text, 0); err == nil {
			return fault.Usagef("%s%s is an argument of a command", place(first.Value), first.path).Hintf("--format flags changes it")
		}
		return fault.Usagef("%s%s is an argument of a command", place(first.Value), first.path).Hintf("change it there, or %s", variablesHint)
	case line == 0:
		if r, ok := fit.Library.(interface{ rootless(*yaml.Node) error }); ok && doc.root != nil {
			if home, err := homeIn(fit, hits, text, 0); err == nil && len(home.at) < 2 { // setKeys tells the error
				return r.rootless(doc.root)
			}
		}
		return nil
	}
	if _, err := setArguments(fit, text, 0); err == nil {
		hint = "--format flags for its arguments"
	} else if flagged(fit) {
		hint = "--format flags without a file prints its arguments; or emit into the component's own configuration"
	}
	return fault.Usagef("line %d: this is %s, where nobody reads %s at the root", line, what, whereIn(fit, fit.Settings[0].Key)[0]).Hintf("%s", hint)
}

const variablesHint = "--format env --dir DIR writes variables into a file of their own"

// argument reports whether a setting is a word of a command line.
func (h hit) argument() bool {
	return h.text() == nil && slices.ContainsFunc(h.where(), func(s step) bool { return s.kind == inText })
}

// foreignRoot says what a document is whose root is somebody else's; line 0 is
// none.
func foreignRoot(lib Library, root *yaml.Node) (line int, what, hint string) {
	if root == nil || root.Kind != yaml.MappingNode {
		return 0, "", ""
	}
	for i, k := range keyNodes(root) {
		services := root.Content[2*i+1]
		if k.Value == "services" && slices.ContainsFunc(services.Content, func(n *yaml.Node) bool { return isService([]step{{name: "services"}}, n) }) {
			return k.Line, "a file of Compose", "--format env --dir DIR, and env_file: in the service; or emit into the file that the service loads"
		}
	}
	kind, version := child(root, "kind"), scalar(root, "apiVersion")
	if kind == nil || kind.Kind != yaml.ScalarNode || version == "" && !slices.Contains(workloads, kind.Value) || component(lib, version, kind.Value, root) {
		return 0, "", ""
	}
	return kind.Line, "a manifest of a " + kind.Value, "--format env --dir DIR, and envFrom: with a ConfigMap of it; or emit into the file that the program loads, also as a text in a ConfigMap"
}

// workloads are kinds that need no apiVersion to be known.
var workloads = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "List", "ConfigMap"}

// component tells the configurations of Kubernetes components, in which
// client-go's election stands.
func component(lib Library, apiVersion, kind string, root *yaml.Node) bool {
	_, elects := lib.(clientGo)
	switch {
	case !elects || strings.HasPrefix(apiVersion, "kubeadm.k8s.io/") || strings.HasPrefix(apiVersion, "kubelet.") || strings.HasPrefix(apiVersion, "kubeproxy."):
		return false
	case child(root, "leaderElection") != nil:
		return true
	}
	return strings.HasSuffix(kind, "Configuration") || strings.HasSuffix(kind, "Config")
}
