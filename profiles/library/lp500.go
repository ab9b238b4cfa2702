package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/near"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP500 is redisson-key-not-known.
var LP500 = rule.Rule{
	ID: "LP500", Name: "redisson-key-not-known", Severity: finding.Error,
	Condition: "a key or a delay that the version's loader does not have: retryInterval from 4.0 on; retryDelay before 3.48; fairLockWaitTimeout before 3.46; " +
		"lockWatchdogBatchSize before 3.44; ConstantDelay in YAML before 4.0; any unknown key in Redisson's own file; lockType fenced before 3.19",
	Why: "The YAML loader of that version refuses the file, and the application does not start after the upgrade. " +
		"Java code is another matter: there every version takes a ConstantDelay, and 4.x still has setRetryInterval.",
	Fix:     "retryInterval up to 3.52, retryDelay from 4.0 on; the key as Redisson spells it",
	Example: rule.Example{Args: []string{"check", "--library", "redisson@4.2", "--set", "retryInterval=1500"}},
}

// versioned are keys of the sheet that not every version has, with their place
// in Redisson's file and what to do without them.
var versioned = []struct{ block, key, instead string }{
	{"block", "retryInterval", ""},
	{"block", "retryDelay", "retryInterval in ms"},
	{"block", "subscriptionTimeout", "Redisson 3.24 or later"},
	{"", "slavesSyncTimeout", "Redisson 3.22 or later"},
	{"", "lockWatchdogBatchSize", "Redisson 3.44 or later"},
	{"", "fairLockWaitTimeout", "Redisson 3.46 or later"},
}

func lp500(run *Running, l redisson) {
	for _, v := range versioned {
		when := l.lacking(spanOf(v.block, v.key))
		source := inSource(run.Values[v.key])
		if when == "" || !run.Given(v.key) || source && v.key == "retryInterval" {
			continue
		}
		refused := "the file is refused"
		if source {
			refused = "it does not compile"
		}
		if v.key == "retryInterval" {
			v.instead = "retryDelay: !<org.redisson.config.ConstantDelay> {delay: " + ISOText.Format(run.Dur("retryInterval")) + "}"
		}
		run.say(LP500, v.key, fmt.Sprintf("Redisson %s %s %s: %s", l.name(), when, v.key, refused), v.instead)
	}
	if text := run.Text("retryDelay"); text != "" && l.lacking(spanOf("block", "retryDelay")) == "" {
		if _, why := l.delayStrategy(text, inSource(run.Values["retryDelay"])); why != "" {
			fix := "retryDelay: !<org.redisson.config.ConstantDelay> {delay: PT0.5S}"
			if l.before(4, 0) {
				fix = "retryInterval in ms"
			}
			run.say(LP500, "retryDelay", fmt.Sprintf("Redisson %s refuses the file: retryDelay %s", l.name(), why), fix)
		}
	}
	if run.Text("lockType") == "fenced" && l.before(3, 19) {
		run.say(LP500, "lockType", fmt.Sprintf("Redisson %s has no getFencedLock: it does not compile, and no other lock of it gives a fencing token", l.name()), "Redisson 3.19 or later")
	}
	for spot := range strings.SplitSeq(run.Text(strangeKeys), ", ") {
		if colon := strings.LastIndexByte(spot, ':'); colon > 0 {
			line, _ := strconv.Atoi(spot[colon+1:])
			lp500Strange(run, l, spot[:colon], line)
		}
	}
}

// lp500Strange says of one "block.key" what is meant by it.
func lp500Strange(run *Running, l redisson, name string, line int) {
	block, key, inBlock := strings.Cut(name, ".")
	where := "in " + block
	if !inBlock {
		block, key, where = "", name, "at the root"
	}
	severity, fix := finding.Error, "without it"
	meant := near.Name(key, ownKeys(block))
	when := l.lacking(spanOf(block, key))
	switch {
	case when != "" && slices.Contains(ownKeys(block), key):
		fix = "without it, or another version"
	case redissonOnly[meant] != nil: // nothing that stands in it is read
		fix = "did you mean " + meant
	case meant != "":
		fix = meant
	case block == "" && slices.Contains(redissonEvery, key):
		fix = "in the block of the mode"
	case block != "" && slices.Contains(redissonRoot, key):
		fix = "at the root of the file"
	case !l.looked(): // it may be a key of a version that nobody asked
		severity = finding.Warning
	}
	refused := "the file is refused"
	if severity == finding.Warning {
		refused = "neither do 3.43 to 4.2, which would refuse the file"
	}
	f := run.say(LP500, strangeKeys, fmt.Sprintf("Redisson %s has no key %s %s: %s", l.name(), clean(key), where, refused), fix)
	f.Severity, f.Line = severity, line
}
