package library

import (
	"regexp"

	"github.com/lockplan/lockplan/calc/fault"
)

// redislockStrategies are the functions that make a retry strategy.
var redislockStrategies = []call{
	{"LinearBackoff", []string{"backoff"}}, {"ExponentialBackoff", []string{"backoff", "maxBackoff"}}, {"LimitRetry", []string{"", "retries"}},
}

const strategyCall = `(?:\w+\.)?(?:LinearBackoff|ExponentialBackoff|LimitRetry|NoRetry)\(`

var (
	madeStrategy = regexp.MustCompile(`^` + strategyCall)
	plainName    = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

// strategy reports whether what stands behind a name is a retry strategy of
// redislock's, which is read where it is made, whatever the name. Its error is
// an option RetryStrategy that the file does not make.
func (s source) strategy(lib Library, name string, at int, value string) (bool, error) {
	if lib.Name() != "redislock" || s.language != "go" {
		return false, nil
	}
	switch {
	case madeStrategy.MatchString(value):
		return true, nil
	case name != "RetryStrategy" || value == "nil":
		return false, nil
	case plainName.MatchString(value) && regexp.MustCompile(`\b`+value+`\b[^=\n]*=\s*`+strategyCall).MatchString(s.names):
		return true, nil
	}
	return true, fault.Usagef("%s:%d: RetryStrategy is %q, which this file does not make", s.file, s.line(at), value).
		Hintf("check the file that makes it, or leave this one out and give the keys as --set")
}
