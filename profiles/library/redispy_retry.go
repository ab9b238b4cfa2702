package library

import (
	"regexp"
	"strings"
)

var (
	pyRetry    = regexp.MustCompile(`\bRetry\(`)
	retryMade  = regexp.MustCompile(`^(?:[\w.]+\.)?Retry\(`)
	backoffFor = regexp.MustCompile(`^(?:[\w.]+\.)?(\w+)\(`)
)

// defaultCap is the longest back-off of redis-py's classes that are made
// without a cap, in seconds: redis/backoff.py of 4.6 to 8.1.
const defaultCap = "0.512"

// retryPolicies are the Retry(backoff, retries) that a file makes, by place and
// by keyword, and that what a client is given as its retry is made elsewhere.
// The keyword retries is read as any other.
func (p redisPy) retryPolicies(s source, done map[int]bool) []entry {
	retries, _ := p.Sheet().Key("retries")
	limit, _ := p.Sheet().Key("retry_backoff_cap")
	var out []entry
	add := func(e entry) {
		if !saidIn(e, out) {
			out = append(out, e)
		}
	}
	for _, at := range pyRetry.FindAllStringIndex(s.names, -1) {
		if done[s.line(at[0])] {
			continue
		}
		args := s.named(at[1], "backoff", "retries")
		if args["total"] != "" || args["backoff"] == "" { // urllib3's
			continue
		}
		text, known := s.longestBackoff(limit, args["backoff"], at[1])
		add(s.orUnknown(limit, text, known, at[0], args["backoff"]))
		if s.named(at[1])["retries"] == "" {
			c, ok := s.evaluate(args["retries"], 0)
			text, spelled := c.spell(retries, s.language, 0)
			add(s.orUnknown(retries, text, ok && spelled, at[0], args["retries"]))
		}
	}
	for _, at := range aCall.FindAllStringSubmatchIndex(s.names, -1) {
		given := ""
		if pyClient.MatchString(s.names[at[2]:at[3]]) && !done[s.line(at[0])] {
			given = s.named(at[1])["retry"]
		}
		if given == "" || given == "None" || retryMade.MatchString(given) {
			continue
		}
		if from, ok := s.madeOnce(given); ok && retryMade.MatchString(s.names[from:]) {
			continue
		}
		add(s.orUnknown(retries, "", false, at[0], given))
		add(s.orUnknown(limit, "", false, at[0], given))
	}
	return out
}

// named are a call's arguments by their names; those that stand by their place
// have the names given.
func (s source) named(from int, names ...string) map[string]string {
	args := map[string]string{}
	for i, arg := range s.arguments(from) {
		if keyword.MatchString(arg) {
			key, value, _ := strings.Cut(arg, "=")
			args[strings.TrimSpace(key)] = strings.TrimSpace(value)
		} else if strings.HasPrefix(arg, "*") {
			for _, name := range names { // whatever it holds
				args[name] = arg
			}
			break
		} else if i < len(names) {
			args[names[i]] = arg
		}
	}
	return args
}

// longestBackoff is the longest pause of a back-off, in the spelling of its key.
func (s source) longestBackoff(key Key, made string, from int) (string, bool) {
	at := strings.Index(s.code[from:], made) + from
	if plainName.MatchString(made) {
		var once bool
		if at, once = s.madeOnce(made); !once {
			return "", false
		}
	}
	m := backoffFor.FindStringSubmatchIndex(s.names[at:])
	if m == nil {
		return "", false
	}
	longest := ""
	switch s.names[at+m[2] : at+m[3]] {
	case "NoBackoff":
		longest = "0"
	case "ConstantBackoff":
		longest = s.named(at+m[1], "backoff")["backoff"]
	case "default_backoff":
		longest = defaultCap
	case "ExponentialBackoff", "FullJitterBackoff", "EqualJitterBackoff", "DecorrelatedJitterBackoff", "ExponentialWithJitterBackoff":
		if longest = s.named(at+m[1], "cap", "base")["cap"]; longest == "" {
			longest = defaultCap
		}
	}
	c, ok := s.evaluate(longest, 0)
	text, spelled := c.spell(key, s.language, 0)
	return text, ok && spelled
}

// madeOnce is where the value of a name begins that is assigned once.
func (s source) madeOnce(name string) (int, bool) {
	if !plainName.MatchString(name) {
		return 0, false
	}
	all := regexp.MustCompile(`(?m)^\s*`+name+`\s*(?::[^=\n]+)?=\s*`).FindAllStringIndex(s.names, -1)
	if len(all) != 1 {
		return 0, false
	}
	return all[0][1], true
}

// orUnknown is an entry, of a value that is not known where it could not be
// read.
func (s source) orUnknown(key Key, text string, known bool, offset int, said string) entry {
	e := s.constant(key, text, offset)
	if !known {
		e.Text = ""
		e.Unknown = "comes of " + clean(said) + ", which this file does not say"
	}
	return e
}
