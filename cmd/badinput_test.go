package cmd

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// good is a histogram that plans; the bad ones are its neighbours.
const good = "# TYPE h_seconds histogram\nh_seconds_bucket{le=\"1\"} 9999\nh_seconds_bucket{le=\"+Inf\"} 10000\nh_seconds_sum 90\nh_seconds_count 10000\n"

const goodPlan = "apiVersion: lockplan/v1\nservices:\n  a:\n    p999: 1s\n    pause: 1s\n"

// badFiles are inputs of ttl --hold.
var badFiles = map[string]string{
	"empty":                     "",
	"blank lines":               "\n\n\n",
	"only comments":             "# HELP h_seconds nothing\n# TYPE h_seconds histogram\n",
	"binary":                    "\x00\x01\x02\xff\xfe\x00\x80",
	"png":                       "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
	"utf-16":                    "\xff\xfeh\x00_\x00",
	"html":                      "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
	"10 MB line":                "h_seconds_bucket{le=\"" + strings.Repeat("1", 10<<20) + "\"} 1\n",
	"10 MB label":               "h_seconds_bucket{pod=\"" + strings.Repeat("x", 10<<20) + "\",le=\"1\"} 1\n",
	"10 MB without end":         strings.Repeat("a", 10<<20),
	"truncated in label":        good[:60],
	"truncated in value":        "# TYPE h_seconds histogram\nh_seconds_bucket{le=\"1\"} ",
	"no value":                  "h_seconds_bucket{le=\"1\"}\n",
	"falling counts":            "h_seconds_bucket{le=\"1\"} 9\nh_seconds_bucket{le=\"2\"} 5\nh_seconds_bucket{le=\"+Inf\"} 10\nh_seconds_count 10\n",
	"NaN count":                 "h_seconds_bucket{le=\"1\"} NaN\nh_seconds_bucket{le=\"+Inf\"} 10\n",
	"negative count":            "h_seconds_bucket{le=\"1\"} -5\nh_seconds_bucket{le=\"+Inf\"} 10\n",
	"infinite count":            "h_seconds_bucket{le=\"1\"} +Inf\nh_seconds_bucket{le=\"+Inf\"} +Inf\n",
	"huge count":                "h_seconds_bucket{le=\"1\"} 1e308\nh_seconds_bucket{le=\"+Inf\"} 1e308\n",
	"le is no number":           "h_seconds_bucket{le=\"fast\"} 5\nh_seconds_bucket{le=\"+Inf\"} 10\n",
	"negative le":               "h_seconds_bucket{le=\"-1\"} 5\nh_seconds_bucket{le=\"+Inf\"} 10\n",
	"bucket without le":         "# TYPE h_seconds histogram\nh_seconds_bucket{pod=\"a\"} 5\n",
	"no +Inf":                   "h_seconds_bucket{le=\"1\"} 5\nh_seconds_bucket{le=\"2\"} 10\n",
	"duplicate series":          good + good,
	"bytes":                     strings.ReplaceAll(good, "h_seconds", "h_bytes"),
	"counter only":              "# TYPE x_total counter\nx_total 5\n",
	"zero samples":              "h_seconds_bucket{le=\"1\"} 0\nh_seconds_bucket{le=\"+Inf\"} 0\nh_seconds_sum 0\nh_seconds_count 0\n",
	"control characters":        "h_seconds_bucket{pod=\"\x1b[31m\x07\",le=\"1\"} x\n",
	"control in metric":         "h\x1b[2J_seconds_bucket{le=\"1\"} 5\n",
	"unterminated quote":        "h_seconds_bucket{le=\"1} 5\n",
	"two metrics":               good + strings.ReplaceAll(good, "h_seconds", "g_seconds"),
	"gzip of nothing":           zipped(""),
	"truncated gzip":            zipped(good)[:40],
	"gzip bomb":                 zipped(strings.Repeat("h_seconds_bucket{le=\"x\"} 1\n", 400_000)),
	"json null":                 "null",
	"json empty object":         "{}",
	"json number":               "3",
	"json array of numbers":     "[1,2,3]",
	"json truncated":            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"le\":\"1\"},\"value\":[1,\"5\"",
	"json error status":         "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}",
	"json no result":            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
	"json scalar result":        "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"5\"]}}",
	"json wrong types":          "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":[],\"value\":\"x\"}]}}",
	"json value no number":      "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"__name__\":\"h_seconds_bucket\",\"le\":\"1\"},\"value\":[1,\"x\"]}]}}",
	"json deep":                 strings.Repeat("[", 200_000),
	"json deep result":          "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":" + strings.Repeat("[", 100_000) + "}}",
	"json duplicate bucket":     "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"le\":\"1\"},\"value\":[1,\"5\"]},{\"metric\":{\"le\":\"1\"},\"value\":[1,\"6\"]}]}}",
	"json control characters":   "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"__name__\":\"\\u001b[31m\",\"le\":\"1\"},\"value\":[1,\"x\"]}]}}",
	"openmetrics without end":   "# TYPE h_seconds histogram\n# UNIT h_seconds seconds\nh_seconds_bucket{le=\"1.0\"} 5 # {trace_id=\"a\"} 0.5\n",
	"negative native histogram": "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"__name__\":\"h_seconds\"},\"histogram\":[1,{\"count\":\"5\",\"sum\":\"1\",\"buckets\":[[0,\"-2\",\"-1\",\"5\"]]}]}]}}",
}

// badPlans are inputs of plan -f.
var badPlans = map[string]string{
	"empty":             "",
	"binary":            "\x00\x01\x02",
	"not yaml":          "{{{{",
	"tab indentation":   "apiVersion: lockplan/v1\nservices:\n\ta: 1\n",
	"list":              "- a\n- b\n",
	"scalar":            "hello\n",
	"no services":       "apiVersion: lockplan/v1\n",
	"services a list":   "apiVersion: lockplan/v1\nservices: [a]\n",
	"service a scalar":  "apiVersion: lockplan/v1\nservices: {a: 3}\n",
	"unknown version":   strings.Replace(goodPlan, "v1", "v2", 1),
	"second document":   goodPlan + "---\n" + goodPlan,
	"duplicate key":     goodPlan + "    pause: 2s\n",
	"duplicate service": goodPlan + "  a: {p999: 1s}\n",
	"unknown key":       goodPlan + "    paws: 2s\n",
	"unit missing":      goodPlan + "    rto: 3\n",
	"wrong type":        goodPlan + "    rto: [3s]\n",
	"null":              goodPlan + "    rto: null\n",
	"negative":          goodPlan + "    rto: -3s\n",
	"path outside":      goodPlan + "    hold: {file: ../../etc/passwd}\n",
	"absent file":       goodPlan + "    pauses: {file: absent.log}\n",
	"deep nesting":      "apiVersion: lockplan/v1\nservices: " + strings.Repeat("{a: ", 5000) + "1" + strings.Repeat("}", 5000) + "\n",
	"very deep nesting": "a: " + strings.Repeat("[", 200_000),
	"alias bomb":        aliasBomb(),
	"cyclic alias":      "apiVersion: lockplan/v1\nservices: &s\n  a: *s\n",
	"10 MB line":        "apiVersion: lockplan/v1\nx: " + strings.Repeat("y", 10<<20) + "\n",
	"control in name":   "apiVersion: lockplan/v1\nservices: {\"a\\x1b[31m\": {p999: 1s}}\n",
	"control in key":    goodPlan + "    \"\\x1b[31mpause\": 2s\n",
	"merge key":         goodPlan + "    <<: {rto: 3s}\n",
	"bad day":           goodPlan + "    ignore: [{rule: LP113, reason: x, until: soon}]\n",
	"no reason":         goodPlan + "    ignore: [{rule: LP113}]\n",
	"chain no timeout":  goodPlan + "    chain: [{name: api}]\n",
	"unknown profile":   goodPlan + "    profile: nope\n",
	"unknown library":   goodPlan + "    library: nope\n",
}

// badFlags are arguments of ttl after --pause 1s.
var badFlags = map[string][]string{
	"exponent":         {"--p999", "1e400s"},
	"spaces":           {"--p999", " 3 s"},
	"full-width":       {"--p999", "３s"},
	"NaN":              {"--p999", "NaN"},
	"infinite":         {"--p999", "Inf"},
	"overflow":         {"--p999", "99999999999999999999s"},
	"overflow by unit": {"--p999", "9999999w"},
	"bare":             {"--p999", "3"},
	"negative":         {"--p999", "-3s"},
	"too fine":         {"--p999", "0.0000000001s"},
	"empty":            {"--p999", ""},
	"control":          {"--p999", "3s\x1b[31m"},
	"comma":            {"--p999", "1,5s"},
	"zero hold":        {"--p999", "0s"},
	"no value":         {"--p999"},
	"unknown flag":     {"--p999", "1s", "--paws", "1s"},
	"bad mode":         {"--p999", "1s", "--mode", "sometimes"},
	"bad percentile":   {"--p999", "1s", "--percentile", "99.9"},
	"bad drift":        {"--p999", "1s", "--drift", "1"},
	"bad rate":         {"--p999", "1s", "--rate", "fast"},
	"bad fencing":      {"--p999", "1s", "--fencing", "maybe"},
	"bad output":       {"--p999", "1s", "-o", "xml"},
	"bad match":        {"--hold", "x", "--match", "a=b"},
	"stray option":     {"--p999", "1s", "--metric", "x"},
	"jitter alone":     {"--p999", "1s", "--jitter", "1ms"},
	"margin below rtt": {"--p999", "1s", "--margin", "1ms", "--rtt", "2ms"},
	"absent file":      {"--hold", "absent.prom"},
	"a folder":         {"--hold", "."},
	"argument":         {"p999"},
}

// TestBadInput holds every bad input to the same promise: exit 2 or 4, errors
// of one line each, nothing that a terminal obeys, nothing half-written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	check := func(t *testing.T, code int, stderr string) {
		t.Helper()
		if code != exitUsage && code != exitNotKnown {
			t.Errorf("exit %d, want 2 or 4", code)
		}
		errors := 0
		for _, line := range strings.Split(strings.TrimSuffix(stderr, "\n"), "\n") {
			switch {
			case strings.HasPrefix(line, "lockplan: error: "):
				errors++
			case !strings.HasPrefix(line, "lockplan: hint: "):
				t.Errorf("stderr has the line %.200q", line)
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != ' ' }); i >= 0 {
				t.Errorf("stderr has a control character: %.200q", line)
			}
			if len(line) > 1000 {
				t.Errorf("a line of %d bytes on stderr", len(line))
			}
		}
		if errors != 1 {
			t.Errorf("%d error lines, want 1: %.400q", errors, stderr)
		}
	}
	for name, content := range badFiles {
		t.Run("file "+name, func(t *testing.T) {
			path := filepath.Join(dir, "bad.prom")
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			code, _, stderr := run("", "ttl", "--hold", path, "--pause", "1s", "--margin", "700ms", "--mode", "fixed")
			check(t, code, stderr)
			code, _, stderr = run(content, "observe", "-")
			check(t, code, stderr)
		})
	}
	for name, content := range badPlans {
		t.Run("plan "+name, func(t *testing.T) {
			path := filepath.Join(dir, "lockplan.yaml")
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := run("", "plan", "-f", path)
			check(t, code, stderr)
			if stdout != "" {
				t.Errorf("half an answer on stdout: %.200q", stdout)
			}
		})
	}
	for name, args := range badFlags {
		t.Run("flag "+name, func(t *testing.T) {
			code, stdout, stderr := run("", append([]string{"ttl", "--pause", "1s"}, args...)...)
			check(t, code, stderr)
			if stdout != "" {
				t.Errorf("half an answer on stdout: %.200q", stdout)
			}
		})
	}
}

func zipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	return out.String()
}

// aliasBomb is nine levels of nine aliases each.
func aliasBomb() string {
	var out strings.Builder
	out.WriteString("apiVersion: lockplan/v1\nl0: &l0 [x,x,x,x,x,x,x,x,x]\n")
	for i := '1'; i <= '9'; i++ {
		ref := "*l" + string(i-1)
		out.WriteString("l" + string(i) + ": &l" + string(i) + " [" + strings.Repeat(ref+",", 8) + ref + "]\n")
	}
	out.WriteString("services: {a: *l9}\n")
	return out.String()
}
