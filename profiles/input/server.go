package input

import (
	"io"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/profiles/source"
)

// ServerKeys are the inputs about a Prometheus-compatible server. A token or
// a password itself comes from LOCKPLAN_PROMETHEUS_TOKEN and
// LOCKPLAN_PROMETHEUS_PASSWORD or from a file, never from the command line.
var ServerKeys = []Key{
	{Name: "prometheus", Type: Text, Help: "URL of a Prometheus-compatible server to ask for --metric, --pauses-metric and --rtts-metric"},
	{Name: "window", Type: Duration, Help: "how far back the server is asked (default 7d)"},
	{Name: "prometheus-token-file", Type: Text, Help: "file with a bearer token"},
	{Name: "prometheus-user", Type: Text, Help: "user for basic auth"},
	{Name: "prometheus-password-file", Type: Text, Help: "file with the password for basic auth"},
	{Name: "prometheus-ca", Type: Text, Help: "PEM file of the authorities to trust"},
	{Name: "prometheus-cert", Type: Text, Help: "PEM file of a client certificate"},
	{Name: "prometheus-key", Type: Text, Help: "PEM file of the client certificate's key"},
	{Name: "prometheus-timeout", Type: Duration, Help: "for all of its answers, retries included (default 30s)"},
}

// defaultWindow is a week: every day of it has its traffic in it.
const defaultWindow = 7 * dur.Day

// maxSecret bounds a token's or a password's file.
const maxSecret = 1 << 16

// asked is the value that names the metric to ask a server for, where the
// observation has no files.
func (r *resolver) asked(prefix string) (Value, bool) {
	metric, named := r.set[OptionKey(prefix, "metric")]
	_, server := r.set["prometheus"]
	_, files := r.set[prefix]
	return metric, named && server && !files
}

// server is the server as it was described.
func (r *resolver) server() source.Server {
	text := func(name string) string { s, _ := value[string](r, name); return s }
	s := source.Server{URL: text("prometheus"), Window: defaultWindow, Username: text("prometheus-user"),
		CAFile: text("prometheus-ca"), CertFile: text("prometheus-cert"), KeyFile: text("prometheus-key")}
	if window, given := value[time.Duration](r, "window"); given {
		s.Window = window
	}
	s.Timeout, _ = value[time.Duration](r, "prometheus-timeout")
	s.Token = r.secret("PROMETHEUS_TOKEN", "prometheus-token-file")
	s.Password = r.secret("PROMETHEUS_PASSWORD", "prometheus-password-file")
	return s
}

// ServerOf is the server that a set describes.
func ServerOf(set Set, out Outside) (source.Server, error) {
	r := resolver{set: set, out: out}
	s := r.server()
	return s, r.err
}

// secret is the first line of a file, or what the environment says.
func (r *resolver) secret(variable, key string) string {
	path, given := value[string](r, key)
	if !given {
		if r.out.Secret == nil {
			return ""
		}
		return r.out.Secret(variable)
	}
	file, err := r.out.Open(path)
	if err != nil {
		r.err = r.set[key].Wrap(key, err)
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSecret))
	if err != nil {
		r.err = fault.Toolf("%s: %w", path, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
