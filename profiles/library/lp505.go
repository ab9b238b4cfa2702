package library

import (
	"fmt"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP505 is redisson-nested-placeholder.
var LP505 = rule.Rule{
	ID: "LP505", Name: "redisson-nested-placeholder", Severity: finding.Warning,
	Condition: "spring.redis.redisson.config holds ${NAME:-default}, or Redisson's own file ${NAME:default}: an error where a number is meant",
	Why: "Spring resolves the placeholders of a text nested in an application.yaml before Redisson sees it, and its own spelling is ${NAME:default}: " +
		"the default of ${X:-30000} is -30000. In a file of Redisson's own ${X:-30000} is 30000, and ${X:30000} stays as it is: " +
		"where a number is meant, the application does not start.",
	Fix:     "${NAME:default} in the nested text, ${NAME:-default} in Redisson's own file",
	Example: rule.Example{Args: []string{"check", "--library", "redisson@3.52", "--set", "spring.redis.redisson.config=X:-30000", "--set", "lockWatchdogTimeout=30000"}},
}

func lp505(run *Running) {
	if key, form, ok := strings.Cut(run.Text(springDefault), "="); ok {
		does, severity := "takes it as it stands", finding.Warning
		if refused(key) {
			does, severity = "refuses the file", finding.Error
		}
		name, value, _ := strings.Cut(form, ":")
		run.say(LP505, springDefault, fmt.Sprintf("%s holds ${%s}, which is Spring's spelling: Redisson fills in ${NAME:-default} alone and %s", clean(key), clean(form), does),
			fmt.Sprintf("${%s:-%s}", clean(name), clean(value))).Severity = severity
	}
	text := run.Text(springText)
	if text == "" {
		return
	}
	name, value, _ := strings.Cut(text, ":")
	run.say(LP505, springText, fmt.Sprintf("Spring resolves the nested ${%s:%s} itself, as %q when %s is not set", clean(name), clean(value), value, clean(name)),
		fmt.Sprintf("${%s:%s}", clean(name), clean(strings.TrimPrefix(value, "-"))))
}

// clean is a text of a file without what a terminal would obey.
func clean(text string) string { return strings.Trim(fmt.Sprintf("%q", text), `"`) }
