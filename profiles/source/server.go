package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// Limits of one question to a server.
const (
	serverTimeout = 30 * time.Second
	serverBytes   = 64 << 20
	serverTries   = 4
	startBytes    = 4096 // hold any complaint
	firstPause    = 500 * time.Millisecond
	longestPause  = 10 * time.Second
)

// Server is a Prometheus-compatible server that is asked instead of a file:
// Prometheus, Thanos, Mimir, VictoriaMetrics. It adds the series up itself, so
// that a fleet costs one small answer.
type Server struct {
	URL    string        // up to, and without, /api/v1
	Window time.Duration // how far back, at least a second

	Token              string // bearer token
	Username, Password string // or basic auth

	CAFile            string // PEM of the authorities to trust instead of the system's
	CertFile, KeyFile string // client certificate
	ServerName        string // to expect in its certificate

	Timeout  time.Duration // for everything, tries included; 0 is 30s
	MaxBytes int64         // of one answer; 0 is 64 MiB

	// Wait is how the pause before another try passes; nil waits for real.
	Wait func(context.Context, time.Duration) error
}

// Read asks for the growth of q.Metric over the window, added up by the
// server: as native histograms, which are finer, as classic buckets, and as
// VictoriaMetrics' ranges. Instances with unlike buckets cannot be added up by
// a server; their series are then fetched one by one. Errors are *fault.Error:
// a server that does not answer is a tool failure.
func (s Server) Read(ctx context.Context, q Query) (*Observation, error) {
	base, err := s.check(q)
	if err != nil {
		return nil, err
	}
	client, err := s.client()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, or(s.Timeout, serverTimeout))
	defer cancel()
	q.Metric = strings.TrimSuffix(q.Metric, "_bucket")
	q.Format, q.Earlier = promJSON.name, nil
	matchers := q.Match
	q.Match = nil // the server applies them
	q.warned = new([]string)
	c := conversation{Server: s, ctx: ctx, client: client, base: base, q: q}
	o, err := c.forms(matchers, seconds(s.Window))
	warnings := distinct(*q.warned)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, fault.NoDataf("%s has no histogram %s over the last %s%s", show(redact(base)), show(q.Metric), dur.Format(s.Window), said(warnings)).
			Hintf("look at the metric's name, --match and --window")
	}
	o.warn(warnings)
	o.Findings = withoutWindow(o.Findings)
	if o.Dist != nil {
		c.judgeCover(o, matchers)
	}
	for i := range o.Findings {
		o.Findings[i].File = o.File
	}
	return o, nil
}

func (s Server) check(q Query) (*url.URL, error) {
	base, err := url.Parse(s.URL)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fault.Usagef("server %s is not a URL", show(s.URL)).Hintf("http://host:9090")
	case q.Metric == "":
		return nil, fault.Usagef("a server is asked for one metric").Hintf("--metric NAME")
	case s.Window < time.Second:
		return nil, fault.Usagef("window %s is shorter than a second", dur.Format(s.Window)).Hintf("--window 7d")
	case !isMetricName([]byte(q.Metric)):
		return nil, fault.Usagef("metric %s is not a name", show(q.Metric))
	}
	return base, refuseBuckets(q.Match)
}

// selector is name{label="value",…}, quoted for PromQL.
func selector(name string, ms []Matcher) string {
	var parts []string
	for _, m := range ms {
		parts = append(parts, m.Label+m.Op+strconv.Quote(m.Value))
	}
	if len(parts) == 0 {
		return name
	}
	return name + "{" + strings.Join(parts, ",") + "}"
}

// seconds is a PromQL duration; parts of a second are cut off, which makes the
// window shorter, never longer.
func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) + "s" }

// withoutWindow drops LP207: here the window is known.
func withoutWindow(fs []finding.Finding) (kept []finding.Finding) {
	for _, f := range fs {
		if f.ID != "LP207" {
			kept = append(kept, f)
		}
	}
	return kept
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func redact(u *url.URL) string {
	plain := *u
	plain.User = nil
	return plain.String()
}

func (s Server) client() (*http.Client, error) {
	config := &tls.Config{ServerName: s.ServerName, MinVersion: tls.VersionTLS12}
	if s.CAFile != "" {
		pem, err := os.ReadFile(s.CAFile)
		if err != nil {
			return nil, fault.Toolf("the authorities' file %s cannot be read: %w", show(s.CAFile), err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fault.Usagef("%s holds no PEM certificate", show(s.CAFile))
		}
	}
	if s.CertFile != "" || s.KeyFile != "" {
		pair, err := tls.LoadX509KeyPair(s.CertFile, s.KeyFile)
		if err != nil {
			return nil, fault.Usagef("the client certificate %s with key %s cannot be used: %w", show(s.CertFile), show(s.KeyFile), err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = config
	return &http.Client{Transport: transport}, nil
}

// again is an error that another try may not meet.
type again struct {
	error
	after time.Duration
}

// reading takes a successful answer of the query API.
type reading func(name string, answer io.Reader) (*Observation, error)

// ask puts one question, several times while the server is only unwell.
func (s Server) ask(ctx context.Context, client *http.Client, base *url.URL, expression string, read reading) (*Observation, error) {
	wait := s.Wait
	if wait == nil {
		wait = sleep
	}
	pause := firstPause
	for try := 1; ; try++ {
		o, err := s.once(ctx, client, base, expression, read)
		retry, unwell := errors.AsType[again](err)
		if !unwell {
			return o, err
		}
		if try == serverTries || ctx.Err() != nil {
			return nil, retry.error
		}
		if wait(ctx, min(max(pause, retry.after), longestPause)) != nil {
			return nil, retry.error
		}
		pause *= 2
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s Server) once(ctx context.Context, client *http.Client, base *url.URL, expression string, read reading) (*Observation, error) {
	where := base.JoinPath("api/v1/query")
	body := strings.NewReader(url.Values{"query": {expression}}.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, where.String(), body)
	if err != nil {
		return nil, fault.Usagef("server %s: %w", show(redact(base)), err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	switch {
	case s.Token != "":
		request.Header.Set("Authorization", "Bearer "+s.Token)
	case s.Username != "":
		request.SetBasicAuth(s.Username, s.Password)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, s.unreachable(ctx, base, err)
	}
	defer response.Body.Close()
	name := show(redact(base))
	limit := or(s.MaxBytes, serverBytes)
	answer := &limited{ctx: ctx, r: response.Body, left: limit, explain: func() error {
		return fault.Toolf("%s sends more than %d bytes", name, limit).Hintf("--match fewer series")
	}, timedOut: func() error { return s.tooSlow(base) }, brokenOff: func(err error) error {
		return again{fault.Toolf("%s breaks off its answer: %w", name, err), 0}
	}}
	if err := refusal(base, response, answer); err != nil {
		return nil, err
	}
	// Status 200 does not say that the query went well.
	start, err := io.ReadAll(io.LimitReader(answer, startBytes))
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(start)) == 0 {
		return nil, fault.Toolf("%s answers with nothing", name)
	}
	switch wrong, ok := complaint(start); {
	case wrong != "":
		return nil, fault.Toolf("%s answers: %s", name, show(wrong))
	case !ok:
		return nil, fault.Toolf("%s answers with JSON that does not say its status: it is no Prometheus-compatible server", name).
			Hintf("the address of the query API, without /api/v1")
	}
	o, err := read(redact(base), io.MultiReader(bytes.NewReader(start), answer))
	if errors.Is(err, errSyntax) {
		return nil, fault.Toolf("the answer of %w", err)
	}
	return o, err
}

// complaint is what the query API says went wrong, "" where it says nothing.
// ok is that it says how it went, which the query API does first.
func complaint(start []byte) (wrong string, ok bool) {
	j := newJSON(&input{r: bufio.NewReader(bytes.NewReader(start))})
	var status, kind string
	j.object(func(key []byte) {
		ok = ok || string(key) == "status" // its value may end beyond the start
		at := map[string]*string{"status": &status, "errorType": &kind, "error": &wrong}[string(key)]
		if at == nil || j.peek() != '"' {
			j.skip()
			return
		}
		*at = string(j.str())
	})
	if status == "" || status == "success" {
		return "", ok
	}
	return cmp.Or(wrong, kind, status), ok
}

// refusal is what an answer other than JSON with status 200 means.
func refusal(base *url.URL, response *http.Response, answer io.Reader) error {
	name := show(redact(base))
	code := response.StatusCode
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fault.Toolf("%s refuses: %d %s", name, code, http.StatusText(code)).Hintf("--prometheus-token-file or LOCKPLAN_PROMETHEUS_TOKEN with a bearer token, or --prometheus-user and --prometheus-password-file")
	case code == http.StatusTooManyRequests || code >= 500:
		after, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return again{fault.Toolf("%s answers %d %s", name, code, http.StatusText(code)), time.Duration(min(max(after, 0), 3600)) * time.Second}
	case code == http.StatusOK && (kind == "application/json" || kind == ""):
		return nil
	case kind == "application/json":
		start, _ := io.ReadAll(io.LimitReader(answer, startBytes))
		wrong, _ := complaint(start)
		return fault.Toolf("%s answers %d %s: %s", name, code, http.StatusText(code), show(or(wrong, "no reason")))
	case code >= 300:
		return fault.Toolf("%s answers %d %s", name, code, http.StatusText(code)).Hintf("is this the address of the query API, without /api/v1?")
	}
	return fault.Toolf("%s answers with %s, not with JSON: a login page or another server", name, show(or(kind, "nothing"))).
		Hintf("the address of the query API, without /api/v1")
}

func (s Server) tooSlow(base *url.URL) error {
	return fault.Toolf("%s does not answer within %s", show(redact(base)), dur.Format(or(s.Timeout, serverTimeout))).
		Hintf("a shorter --window, a recording rule, or a longer --prometheus-timeout")
}

func (s Server) unreachable(ctx context.Context, base *url.URL, err error) error {
	name := show(redact(base))
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err // without the address, which may hold a password
	}
	if ctx.Err() != nil {
		return s.tooSlow(base)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fault.Toolf("%s: its certificate is not trusted: %w", name, err).Hintf("%s", untrusted(s.CAFile))
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return fault.Toolf("%s is not known: %w", name, err)
	}
	return again{fault.Toolf("%s cannot be reached: %w", name, err), 0}
}

// untrusted is what to do about a certificate that is not trusted.
func untrusted(caFile string) string {
	if caFile != "" {
		return "its name or its authority is not what --prometheus-ca stands for: look at the host name in the URL, and at the file"
	}
	return "--prometheus-ca with the PEM of its authority, if you know it"
}

// limited stops an answer that does not end, and says why one was not whole.
type limited struct {
	ctx       context.Context
	r         io.Reader
	left      int64
	explain   func() error
	timedOut  func() error
	brokenOff func(error) error
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, l.explain()
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case l.ctx.Err() != nil:
		return n, l.timedOut()
	}
	return n, l.brokenOff(err)
}
