package library

import (
	"regexp"
	"strings"
)

var (
	lockMade   = regexp.MustCompile(`\bresourcelock\.(?:New|NewWithLabels|NewFromKubeconfig)\(`)
	lockOption = regexp.MustCompile(`\b(?:LeaderElectionResourceLock|ResourceLock)\s*(?::|=)`)
	lockWord   = regexp.MustCompile(`^(?:\w+\.)?(\w+?)ResourceLock$`)

	ownTimeout  = regexp.MustCompile(`\b(?:NewManager|NewFromKubeconfig)\(`) // these set the client's
	restTimeout = regexp.MustCompile(`\b(\w+)\.Timeout\s*=|\bTimeout\s*:`)
	restLiteral = regexp.MustCompile(`\brest(?:client)?\.Config\s*$`)
)

// code reads what a program keeps the record in: the first argument of
// resourcelock.New, or an option of controller-runtime's. A word that comes from
// elsewhere is not known. It reads the timeout of a client that is made by hand,
// too.
func (c clientGo) code(s source, done map[int]bool) ([]entry, error) {
	key, _ := c.Sheet().Key("resourceLock")
	var out []entry
	take := func(at int, value string) {
		word := ""
		if v, ok := s.evaluate(value, 0); ok && v.isText {
			word = v.text
		} else if m := lockWord.FindStringSubmatch(value); m != nil {
			word = strings.ToLower(m[1])
		}
		if word != "" && word != key.Default && !done[s.line(at)] {
			out = append(out, s.constant(key, word, at))
		}
	}
	if s.language != "go" {
		return nil, nil
	}
	for _, at := range lockMade.FindAllStringIndex(s.names, -1) {
		if args := s.arguments(at[1]); len(args) > 0 {
			take(at[0], args[0])
		}
	}
	for _, at := range lockOption.FindAllStringIndex(s.names, -1) {
		take(at[0], s.expression(at[1]))
	}
	timeout, err := c.restTimeout(s, done)
	return append(out, timeout...), err
}

// restTimeout is rest.Config.Timeout.
func (c clientGo) restTimeout(s source, done map[int]bool) ([]entry, error) {
	key, _ := c.Sheet().Key("clientTimeout")
	if ownTimeout.MatchString(s.names) {
		return nil, nil
	}
	for _, at := range restTimeout.FindAllStringSubmatchIndex(s.names, -1) {
		if at[2] < 0 {
			if open := s.opening(at[0]); open < 0 || !restLiteral.MatchString(s.names[max(0, open-farthest):open]) {
				continue
			}
		} else if made := regexp.MustCompile(`\b` + s.names[at[2]:at[3]] + `\b[^=\n]*=\s*[^\n]*(?:InClusterConfig|BuildConfigFromFlags|GetConfig(?:OrDie)?|ClientConfig|rest(?:client)?\.Config|CopyConfig|AddUserAgent)\b`); !made.MatchString(s.names) {
			continue
		}
		value := s.expression(at[1])
		v, ok := s.evaluate(value, 0)
		text, spelled := v.spell(key, s.language, 0)
		if done[s.line(at[0])] {
			continue
		}
		if !ok || !spelled {
			return nil, s.unread(key, at[0], value)
		}
		e := s.constant(key, text, at[0])
		e.offset = 0 // of the program's client, wherever that is made
		return []entry{e}, nil
	}
	return nil, nil
}

// coded: the constants of client-go's package are words only there.
func (clientGo) coded(key Key) bool { return key.Name == "resourceLock" }
