package library

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// call is a function that takes settings by their place.
type call struct {
	name string   // a pattern
	args []string // keys; "" is something else, "unit" a java.util.concurrent.TimeUnit, "!x" an object that switches x on, "-x" a call that switches x off; more may follow "..."
}

// calls are how people pass settings to a library, by language.
var calls = map[string]map[string][]call{
	"redisson": {"java": {{"tryLock(?:AndGetToken)?(?:Async)?", []string{"waitTime", "leaseTime", "unit"}}, {"tryLock(?:Async)?", []string{"waitTime", "leaseTime", "unit", ""}},
		{"tryLock(?:AndGetToken)?(?:Async)?", []string{"waitTime", "unit"}},
		{"lock(?:Interruptibly|(?:AndGetToken)?(?:Async)?)", []string{"leaseTime", "unit"}}, {"lock(?:Async)?", []string{"leaseTime", "unit", ""}}}},
	"spring-integration": {"java": {{"RedisLockRegistry", []string{"", "", "expireAfter"}}, {"tryLock", []string{"waitTime", "unit"}}, {"setRenewalTaskScheduler", []string{"!renewalTaskScheduler"}}}},
	"curator":            {"java": {{"newClient", []string{"", "sessionTimeoutMs", "connectionTimeoutMs", "..."}}}},
	"shedlock": {"java": {{"RedisLockProvider", []string{"-safeUpdate", "..."}}, {"ReactiveRedisLockProvider", []string{"-safeUpdate", "..."}},
		{"JedisLockProvider", []string{"-safeUpdate"}}, {"JedisLockProvider", []string{"-safeUpdate", ""}}, {"JedisLockProvider", []string{"", "", "safeUpdate"}},
		{"LettuceLockProvider", []string{"-safeUpdate"}}, {"LettuceLockProvider", []string{"-safeUpdate", ""}}, {"LettuceLockProvider", []string{"", "", "safeUpdate"}},
		{"LockConfiguration", []string{"", "", "lockAtMostFor", "lockAtLeastFor"}}}},
	"zookeeper":    {"java": {{"ZooKeeper", []string{"", "sessionTimeout", "..."}}}},
	"go-zookeeper": {"go": {{"Connect", []string{"", "sessionTimeout", "..."}}}},
	"redislock":    {"go": append([]call{{"Obtain", []string{"", "", "ttl", ""}}, {"Obtain", []string{"", "", "", "ttl", ""}}}, redislockStrategies...)},
	"consul":       {"go": {{"CreateNoChecks", []string{"-healthChecks", "..."}}}},
	"node-redlock": {"js": {{"(?:acquire|using)(?:<[^()]*>)?", []string{"", "duration", "..."}}}},
}

// switchedOn reports whether any object that is given switches a key on.
func switchedOn(lib Library, key Key) bool {
	for _, of := range calls[lib.Name()] {
		if slices.ContainsFunc(of, func(c call) bool { return c.args[0] == "!"+key.Name }) {
			return true
		}
	}
	return false
}

var created = regexp.MustCompile(`^new ([\w.]+)\(((?s).*)\)$`)

// object is a key's text for an object of the library's own: a delay strategy
// of Redisson's, a policy of Curator's.
func (s source) object(key Key, value string) (string, bool) {
	m := created.FindStringSubmatch(value)
	if m == nil || key.Unit != Word {
		return "", false
	}
	class := m[1][strings.LastIndexByte(m[1], '.')+1:]
	if word, ok := strings.CutSuffix(class, "ConnectionStateErrorPolicy"); ok {
		return strings.ToLower(word), true
	}
	names := []string{"baseDelay", "maxDelay"}
	if class == "ConstantDelay" {
		names = []string{"delay"}
	}
	args := strings.Split(m[2], ",")
	if !strings.HasSuffix(class, "Delay") || len(args) != len(names) {
		return "", false
	}
	for i := range args {
		c, ok := s.evaluate(args[i], 0)
		d, isTime := c.duration(0)
		if !ok || !isTime {
			return "", false
		}
		args[i] = names[i] + ": " + ISOText.Format(d)
	}
	return "!<org.redisson.config." + class + "> {" + strings.Join(args, ", ") + "}", true
}

// passed are the constants among the arguments of the library's calls.
func (s source) passed(lib Library, done map[int]bool) ([]entry, error) {
	var out []entry
	for _, c := range calls[lib.Name()][s.language] {
		for _, at := range regexp.MustCompile(`\b`+c.name+`\(`).FindAllStringIndex(s.names, -1) {
			if done[s.line(at[0])] || defines.MatchString(s.code[s.starts[s.line(at[0])-1]:at[0]]) {
				continue
			}
			args := s.arguments(at[1])
			open := c.args[len(c.args)-1] == "..."
			if !open && len(args) != len(c.args) || open && len(args) < len(c.args)-1 {
				continue
			}
			found, err := s.pass(lib, c, args, at[0])
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

func (s source) pass(lib Library, c call, args []string, offset int) ([]entry, error) {
	var out []entry
	unit := time.Duration(0)
	for i, name := range c.args {
		if name == "unit" {
			text := args[i][strings.LastIndexByte(args[i], '.')+1:]
			var ok bool
			if unit, ok = timeUnits[text]; ok {
				continue
			}
			if key, leases := c.lease(lib); leases && unitNamed.MatchString(text) {
				return nil, s.unread(key, offset, strings.Join(args, ", "))
			}
			return nil, nil // another function of that name
		}
	}
	for i, name := range c.args {
		name, off := strings.CutPrefix(name, "-")
		key, ok := lib.Sheet().Key(name)
		if !ok {
			continue
		}
		if off {
			out = append(out, s.constant(key, "false", offset))
			continue
		}
		v, ok := s.evaluate(args[i], 0)
		text, spelled := v.spell(key, s.language, unit)
		if !ok || !spelled {
			return nil, s.unread(key, offset, args[i])
		}
		out = append(out, s.constant(key, text, offset))
	}
	return out, nil
}

// unitNamed is the name of a TimeUnit that is given from elsewhere.
var unitNamed = regexp.MustCompile(`(?i)^\w*unit(\(\))?$`)

// lease is the key among the arguments that says how long a lock is kept.
func (c call) lease(lib Library) (Key, bool) {
	for _, name := range c.args {
		if key, ok := lib.Sheet().Key(name); ok && key.leases() {
			return key, true
		}
	}
	return Key{}, false
}

// arguments are the texts between the commas of a call.
func (s source) arguments(from int) []string {
	var out []string
	for from < len(s.names) {
		text := s.until(from, func(i int) bool { return s.names[i] == ',' })
		from += len(text)
		if text = strings.TrimSpace(text); text == "" && (from >= len(s.names) || s.names[from] != ',') { // behind the last comma
			break
		}
		out = append(out, text)
		if from >= len(s.names) || s.names[from] != ',' {
			break
		}
		from++
	}
	return out
}
