package source

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/finding"
)

// asked is a server that answers each expression from a map and notes what it
// was asked.
func asked(t *testing.T, answers map[string]string) (*httptest.Server, *[]string) {
	t.Helper()
	var queries []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		queries = append(queries, query)
		if covers(w, query) {
			return
		}
		if r.URL.Path != "/prefix/api/v1/query" || r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		result := answers[query]
		if result == "" {
			result = "[]"
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":%s}}`, result)
	}))
	t.Cleanup(server.Close)
	return server, &queries
}

// covers answers the questions about which time the samples cover: all of a
// week that ends at second 1e6.
func covers(w http.ResponseWriter, query string) bool {
	answer := map[string]string{"time()": "1000000"}[query]
	if strings.HasPrefix(query, "min_over_time") || strings.HasPrefix(query, "max_over_time") || strings.HasPrefix(query, "count_over_time") {
		answer = map[byte]string{'i': "395200", 'a': "1000000", 'o': "1000"}[query[1]]
	}
	if answer == "" {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"%s"]}]}}`, answer)
	return true
}

// answerNative is a server that has 100 samples, all in native form.
func answerNative(w http.ResponseWriter, r *http.Request) {
	result := "[]"
	if covers(w, r.FormValue("query")) {
		return
	}
	if !strings.Contains(r.FormValue("query"), "_bucket") {
		result = `[{"metric":{},"histogram":[1,{"count":"100","sum":"9","buckets":[[0,"0.5","1","100"]]}]}]`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":%s}}`, result)
}

func at(server *httptest.Server) Server {
	return Server{URL: server.URL + "/prefix", Window: 7 * 24 * time.Hour, Wait: func(context.Context, time.Duration) error { return nil }}
}

var hold = Query{Metric: "h_seconds"}

const classicAnswer = `[{"metric":{"le":"1"},"value":[1,"9000"]},{"metric":{"le":"2"},"value":[1,"9999.5"]},{"metric":{"le":"+Inf"},"value":[1,"9999.5"]}]`

func TestServerAddsUp(t *testing.T) {
	server, queries := asked(t, map[string]string{`sum by (le) (increase(h_seconds_bucket{service="a",pod=~"x\\d"}[604800s]))`: classicAnswer})
	q := hold
	q.Match = must(ParseMatch(`service="a",pod=~"x\\d"`))
	o, err := at(server).Read(t.Context(), q)
	if err != nil {
		t.Fatalf("%v, asked %q", err, *queries)
	}
	upper(t, o, map[float64]string{0.9: "1s", 0.999: "2s"})
	if *o.Window != 7*24*time.Hour || len(o.Findings) != 0 {
		t.Errorf("window %v, findings %v", o.Window, o.Findings)
	}
}

// Of two forms with as many samples the native one is taken, and is not added
// to the classic one.
func TestServerPrefersNative(t *testing.T) {
	server, queries := asked(t, map[string]string{
		"sum(increase(h_seconds[604800s]))":                 `[{"metric":{},"histogram":[1,{"count":"10000","sum":"7500","buckets":[[0,"0.5","1","10000"]]}]}]`,
		"sum by (le) (increase(h_seconds_bucket[604800s]))": classicAnswer,
	})
	o, err := at(server).Read(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	if o.Dist.Count() != 10_000 || o.Dist.Max().Upper != time.Second || len(o.Findings) != 0 {
		t.Errorf("%d samples up to %v, findings %v, asked %q", o.Dist.Count(), o.Dist.Max(), o.Findings, *queries)
	}
}

// The parts that a refined question leaves, as the real Prometheus of
// TestRealPrometheusOfAFleet answers it.
const (
	nativePart  = `sum(increase(h_seconds[604800s]) unless ignoring (le) (0.999999 * increase(h_seconds_bucket{le="+Inf"}[604800s]) > ignoring (le) histogram_count(increase(h_seconds[604800s]))))`
	classicPart = `sum by (le) (increase(h_seconds_bucket[604800s]) unless ignoring (le) (histogram_count(increase(h_seconds[604800s])) >= ignoring (le) 0.999999 * increase(h_seconds_bucket{le="+Inf"}[604800s])))`
)

// Half of a fleet has native histograms already, of the fast half: both halves
// count, 5 000 up to 2 ms and 5 000 up to 8 s. As many samples in either form
// do not say that they are the same.
func TestServerOfAFleetBeingUpgraded(t *testing.T) {
	fast := `[{"metric":{},"histogram":[1,{"count":"5000","sum":"9","buckets":[[0,"0.001","0.002","5000"]]}]}]`
	slow := `[{"metric":{"le":"4"},"value":[1,"0"]},{"metric":{"le":"8"},"value":[1,"5000"]},{"metric":{"le":"+Inf"},"value":[1,"5000"]}]`
	server, queries := asked(t, map[string]string{
		"sum(increase(h_seconds[604800s]))":                 fast,
		"sum by (le) (increase(h_seconds_bucket[604800s]))": slow,
		classicPart: slow, nativePart: fast,
	})
	o, err := at(server).Read(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	upper(t, o, map[float64]string{0.5: "2ms", 0.51: "8s", 0.999: "8s"})
	f, ok := has(o, "LP209")
	if !ok || f.Severity != finding.Info || f.File == "" || o.Dist.Count() != 10_000 {
		t.Errorf("%d samples, findings %v, asked %q", o.Dist.Count(), o.Findings, *queries)
	}
	if *o.Window != 7*24*time.Hour {
		t.Errorf("window %v", o.Window)
	}
}

// Applications with VictoriaMetrics' ranges beside such with le: unlike series.
func TestServerOfRangesAndBuckets(t *testing.T) {
	ranges := `[{"metric":{"vmrange":"8.799e-02...1.000e-01"},"value":[1,"5"]}]`
	server, queries := asked(t, map[string]string{
		"sum by (vmrange) (increase(h_seconds_bucket[604800s]))":                                                                           ranges,
		"sum by (le) (increase(h_seconds_bucket[604800s]))":                                                                                classicAnswer,
		`sum by (le) (increase(h_seconds_bucket[604800s]) unless ignoring (le, vmrange) increase(h_seconds_bucket{vmrange!=""}[604800s]))`: classicAnswer,
	})
	o, err := at(server).Read(t.Context(), hold)
	if err != nil || o.Dist.Count() != 10_005 {
		t.Fatalf("%v, %v, asked %q", o, err, *queries)
	}
	if _, ok := has(o, "LP209"); !ok {
		t.Errorf("findings %v", o.Findings)
	}
}

// The classic form is not answered: the native one alone is no answer.
func TestServerThatFailsOnTheSecondForm(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.FormValue("query"), "by (le)") {
			http.Error(w, "boom", http.StatusInternalServerError)
			return
		}
		answerNative(w, r)
	}))
	defer server.Close()
	_, err := at(server).Read(t.Context(), hold)
	refused(t, err, fault.Tool, "500")
}

func TestServerOfVictoriaMetrics(t *testing.T) {
	server, _ := asked(t, map[string]string{"sum by (vmrange) (increase(h_seconds_bucket[604800s]))": `[{"metric":{"vmrange":"8.799e-02...1.000e-01"},"value":[1,"5"]}]`})
	o, err := at(server).Read(t.Context(), hold)
	if err != nil || o.Dist.Count() != 5 {
		t.Fatalf("%v, %v", o, err)
	}
}

// Two pods with unlike bounds: added up by the server, the count at le="2"
// lacks the other pod. Series by series both keep their own edges.
func TestServerWithMixedLayouts(t *testing.T) {
	server, queries := asked(t, map[string]string{
		"sum by (le) (increase(h_seconds_bucket[604800s]))": `[{"metric":{"le":"1"},"value":[1,"80"]},{"metric":{"le":"2"},"value":[1,"50"]},{"metric":{"le":"4"},"value":[1,"50"]},{"metric":{"le":"+Inf"},"value":[1,"100"]}]`,
		"increase(h_seconds_bucket[604800s])": `[{"metric":{"pod":"a","le":"1"},"value":[1,"40"]},{"metric":{"pod":"a","le":"4"},"value":[1,"50"]},{"metric":{"pod":"a","le":"+Inf"},"value":[1,"50"]},
{"metric":{"pod":"b","le":"1"},"value":[1,"40"]},{"metric":{"pod":"b","le":"2"},"value":[1,"50"]},{"metric":{"pod":"b","le":"+Inf"},"value":[1,"50"]}]`,
	})
	o, err := at(server).Read(t.Context(), hold)
	if err != nil {
		t.Fatalf("%v, asked %q", err, *queries)
	}
	upper(t, o, map[float64]string{0.8: "1s", 0.9: "2s", 0.91: "4s"})
	if _, ok := has(o, "LP209"); !ok {
		t.Errorf("findings %v", o.Findings)
	}
}

func TestServerWithoutTheMetric(t *testing.T) {
	server, _ := asked(t, nil)
	_, err := at(server).Read(t.Context(), hold)
	refused(t, err, fault.NoData, "h_seconds", "7d")
	_, err = at(server).Read(t.Context(), Query{})
	refused(t, err, fault.Usage, "--metric")
	for _, url := range []string{"", "host:9090", "ftp://x", "http://"} {
		_, err = Server{URL: url, Window: time.Hour}.Read(t.Context(), hold)
		refused(t, err, fault.Usage, "URL")
	}
	_, err = Server{URL: "http://x", Window: time.Millisecond}.Read(t.Context(), hold)
	refused(t, err, fault.Usage, "--window")
}

// A server that is unwell: each ends in a clear error within its limit.
func TestServersThatFail(t *testing.T) {
	forever := strings.Repeat(" ", 64<<10)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		says    []string
	}{
		"500": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "boom", http.StatusInternalServerError) }, []string{"500"}},
		"503": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "9999999")
			http.Error(w, "boom", http.StatusServiceUnavailable)
		}, []string{"503"}},
		"401":  {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "who?", http.StatusUnauthorized) }, []string{"401", "token"}},
		"404":  {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, []string{"404", "/api/v1"}},
		"HTML": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>login</html>") }, []string{"text/html", "login page"}},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"status":`)
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(forever)); err != nil {
					return
				}
			}
		}, []string{"more than 1048576 bytes"}},
		"bad query": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"status":"error","errorType":"execution","error":"query timed out \u001b[2J"}`)
		}, []string{"422", `query timed out`}},
		"an error with 200": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"status":"error","errorType":"timeout","error":"query timed out \u001b[2J"}`)
		}, []string{"query timed out"}},
		"a long error with 200": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"status":"error","errorType":"too_many","error":"`, strings.Repeat("x", 9000), `"}`)
		}, []string{"too_many"}},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"le":"0.`)
		}, []string{"answer", "cut off"}},
		"broken off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "20000")
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[`, strings.Repeat(" ", 9000))
		}, []string{"breaks off its answer"}},
		"empty": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
		}, []string{"nothing"}},
		"another API": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"name":"node-1","cluster_name":"es"}`)
		}, []string{"no Prometheus"}},
		"nothing but braces": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{}`)
		}, []string{"no Prometheus"}},
		"hung up": {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, []string{"cannot be reached"}},
	} {
		server := httptest.NewServer(c.handler)
		s := at(server)
		s.MaxBytes = 1 << 20
		o, err := s.Read(t.Context(), hold)
		consistent(t, o, err)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else {
			refused(t, err, fault.Tool, c.says...)
		}
		server.Close()
	}
}

func TestServerThatIsSlow(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"before the answer": func(w http.ResponseWriter, r *http.Request) {
			r.ParseForm() // the server sees the client go only when the body was read
			<-r.Context().Done()
		},
		"in the answer": func(w http.ResponseWriter, r *http.Request) {
			r.ParseForm()
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"status":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		server := httptest.NewServer(handler)
		s := at(server)
		s.Timeout = 50 * time.Millisecond
		_, err := s.Read(t.Context(), hold)
		t.Log(name)
		refused(t, err, fault.Tool, "50ms", "--window")
		server.Close()
	}
}

// A server that restarts: asked again, with growing pauses.
func TestServerIsAskedAgain(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries < 4 {
			w.Header().Set("Retry-After", "2")
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		answerNative(w, r)
	}))
	defer server.Close()
	s := at(server)
	var pauses []time.Duration
	s.Wait = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	o, err := s.Read(t.Context(), hold)
	if err != nil || o.Dist.Count() != 100 {
		t.Fatalf("%v, %v", o, err)
	}
	if len(pauses) != 3 || pauses[0] != 2*time.Second || pauses[2] != 2*time.Second {
		t.Errorf("pauses %v", pauses)
	}
}

func TestServerCredentials(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer server.Close()
	s := at(server)
	s.Token = "secret"
	_, err := s.Read(t.Context(), hold)
	if got != "Bearer secret" || strings.Contains(err.Error(), "secret") {
		t.Errorf("%q, %v", got, err)
	}
	s.Token, s.Username, s.Password = "", "u", "p"
	s.URL = strings.Replace(s.URL, "http://", "http://me:hidden@", 1)
	_, err = s.Read(t.Context(), hold)
	if !strings.HasPrefix(got, "Basic ") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestServerCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answerNative(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	s := at(server)
	_, err := s.Read(t.Context(), hold)
	refused(t, err, fault.Tool, "certificate")
	s.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	write := func(content []byte) {
		if err := os.WriteFile(s.CAFile, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write([]byte("nothing"))
	_, err = s.Read(t.Context(), hold)
	refused(t, err, fault.Usage, "PEM")
	write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	if o, err := s.Read(t.Context(), hold); err != nil || o.Dist.Count() != 100 {
		t.Errorf("%v, %v", o, err)
	}
	s.ServerName = "elsewhere.example"
	_, err = s.Read(t.Context(), hold)
	refused(t, err, fault.Tool, "certificate")
	s.CertFile = "absent.pem"
	_, err = s.Read(t.Context(), hold)
	refused(t, err, fault.Usage, "client certificate")
}

// asOf answers like a server whose samples were taken at these seconds, by the
// steps of the subquery; it holds that nothing else is asked.
func asOf(t *testing.T, taken func(second int) (at int, ok bool), now int) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		w.Header().Set("Content-Type", "application/json")
		say := func(value int) {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"%d"]}]}}`, value)
		}
		var window, step int
		at := strings.LastIndexByte(query, '[')
		switch {
		case query == "time()":
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[1,"%d"]}}`, now)
			return
		case strings.HasPrefix(query, "sum by (le)"):
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":%s}}`, classicAnswer)
			return
		case !strings.Contains(query, "timestamp("):
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
			return
		}
		if _, err := fmt.Sscanf(query[at:], "[%ds:%ds])", &window, &step); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if window/step > 11_000 {
			t.Errorf("%s: more steps than a server takes", query)
		}
		count, least, most := 0, now, 0
		for s := now / step * step; s > now-window; s -= step {
			if at, ok := taken(s); ok {
				count, least, most = count+1, min(least, at), max(most, at)
			}
		}
		switch {
		case count == 0:
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
		case strings.HasPrefix(query, "count"):
			say(count)
		case strings.HasPrefix(query, "min"):
			say(least)
		default:
			say(most)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// A rate is over the time that the samples cover, not over the window asked
// for: 9999.5 samples of a process that began 25 seconds, an hour, or two days
// ago, or that ran on one day of the week.
func TestServerRatesAreOverWhatIsCovered(t *testing.T) {
	const now, day = 10_000_000, 86_400
	from := func(begin, end int) func(int) (int, bool) {
		return func(s int) (int, bool) { return min(s, end), s >= begin && s < end+5 }
	}
	for _, c := range []struct {
		taken       func(int) (int, bool)
		least, most time.Duration
	}{
		{from(now-25, now), 20 * time.Second, 25 * time.Second},
		{from(now-3600, now), 58 * time.Minute, time.Hour},
		{from(now-2*day, now), 47 * time.Hour, 48 * time.Hour},
		{from(now-3*day, now-2*day), 23 * time.Hour, 24 * time.Hour},
		{from(0, now), 168 * time.Hour, 168 * time.Hour},
		{func(s int) (int, bool) { return s, s < now-6*day || s > now-day }, 46 * time.Hour, 48 * time.Hour}, // in two runs
	} {
		server := asOf(t, c.taken, now)
		s := at(server)
		s.URL = server.URL
		o, err := s.Read(t.Context(), hold)
		if err != nil {
			t.Fatal(err)
		}
		if o.Window == nil || *o.Window < c.least || *o.Window > c.most {
			t.Errorf("window %v, want %v to %v", o.Window, c.least, c.most)
			continue
		}
		if f, told := has(o, "LP207"); told != (*o.Window < s.Window) {
			t.Errorf("%v: %v", *o.Window, f)
		}
	}
	server := asOf(t, func(int) (int, bool) { return 0, false }, now)
	s := at(server)
	s.URL = server.URL
	o, err := s.Read(t.Context(), hold)
	if f, told := has(o, "LP207"); err != nil || o.Window != nil || !told || !strings.Contains(f.Message, "no rate") {
		t.Errorf("%v, %v", o, err)
	}
}
