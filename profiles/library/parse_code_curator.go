package library

import (
	"regexp"
	"strings"
)

var (
	policies = regexp.MustCompile(`\b(?:new\s+)?(?:\w+\.)*((?:Bounded)?ExponentialBackoffRetry|RetryNTimes|RetryOneTime|RetryForever|RetryUntilElapsed)\(`)
	// A builder's call, not the declaration of a function.
	policyCall = regexp.MustCompile(`(?:^|[^\w\s>]\s*)\bretryPolicy\(`)
	clientCall = regexp.MustCompile(`(?:\bCuratorFrameworkFactory\s*\.\s*|[^.\w]\s*)newClient\(`)
)

// coded: the policies are read where they are made.
func (curator) coded(key Key) bool { return key.Name == "retryPolicy" }

// code are the retry policies that a source file makes. A client whose policy
// comes from elsewhere cannot be read.
func (curator) code(s source, done map[int]bool) ([]entry, error) {
	policy, _ := curatorSheet.Key("retryPolicy")
	tries, _ := curatorSheet.Key("retries")
	sleep, _ := curatorSheet.Key("retrySleepMs")
	var out []entry
	for _, at := range policies.FindAllStringSubmatchIndex(s.names, -1) {
		if done[s.line(at[0])] {
			continue
		}
		class, args := s.names[at[2]:at[3]], s.arguments(at[1])
		made := s.code[at[0]:at[1]] + s.until(at[1], func(int) bool { return false }) + ")"
		for i := range args {
			c, ok := s.evaluate(args[i], 0)
			text, spelled := c.spell(tries, s.language, 0)
			if !ok || !spelled {
				return nil, s.unread(policy, at[0], made)
			}
			args[i] = text
		}
		text := class + "(" + strings.Join(args, ", ") + ")"
		if _, err := retryPolicyOf(text); err != nil {
			return nil, s.unread(policy, at[0], made)
		}
		switch class {
		case "RetryNTimes":
			out = append(out, s.constant(tries, args[0], at[0]), s.constant(sleep, args[1], at[0]))
		case "RetryOneTime":
			out = append(out, s.constant(tries, "1", at[0]), s.constant(sleep, args[0], at[0]))
		default:
			out = append(out, s.constant(policy, text, at[0]))
		}
	}
	for _, at := range policyCall.FindAllStringIndex(s.names, -1) {
		for _, arg := range s.arguments(at[1]) {
			if !done[s.line(at[1])] && !s.makesPolicy(arg) {
				return nil, s.unread(policy, at[1], arg)
			}
		}
	}
	for _, at := range clientCall.FindAllStringIndex(s.names, -1) {
		args := s.arguments(at[1])
		i := map[int]int{2: 1, 4: 3, 5: 3}[len(args)]
		if i > 0 && !s.makesPolicy(args[i]) {
			return nil, s.unread(policy, at[1], args[i])
		}
	}
	return out, nil
}

// makesPolicy reports whether an expression is a policy that the file makes, or
// the name of one, or of a function that returns one.
func (s source) makesPolicy(text string) bool {
	if at := policies.FindStringIndex(text); at != nil && at[0] == 0 {
		return true
	}
	name := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(text), "()"), "this.")
	if namePattern.FindString(name) != name || strings.Contains(name, ".") || name == "" {
		return false
	}
	made := regexp.MustCompile(`\b` + name + `\s*(?:\([^()]*\))?\s*(?::\s*[\w.]+\s*)?(?:=|\{\s*return\b)\s*` + policies.String())
	return made.MatchString(s.names)
}
