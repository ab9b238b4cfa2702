package library

import (
	"strconv"
	"strings"

	"github.com/lockplan/lockplan/calc/finding"
	"github.com/lockplan/lockplan/calc/rule"
)

// LP588 is zookeeper-key-misspelled.
var LP588 = rule.Rule{
	ID: "LP588", Name: "zookeeper-key-misspelled", Severity: finding.Warning,
	Condition: "zoo.cfg holds a key that differs from the server's in case or in - and _, such as ticktime",
	Why: "The server tells its keys apart by case. It takes what it does not know for a system property, says nothing, and runs with its default: " +
		"a tick of 3 s and sessions of 6 to 60 s, whatever ticktime says.",
	Fix:     "the key as the server spells it",
	Example: rule.Example{Args: []string{"check", "--library", "zookeeper", "--set", "sessionTimeout=6000", "zoo.cfg"}, Files: map[string]string{"zoo.cfg": "ticktime=2000\n"}},
}

func lp588(run *Running) {
	m := matcherOf(zooKeeper{})
	for spot := range strings.SplitSeq(run.Text(strangeKeys), ", ") {
		colon := strings.LastIndexByte(spot, ':')
		h, ok, err := m.match(entry{path: spot[:max(colon, 0)]})
		if err != nil || !ok {
			continue
		}
		instead := "nothing"
		if text := run.Text(h.key.Name); text != "" {
			instead = h.key.Name + "=" + clean(text)
		}
		found := run.say(LP588, strangeKeys, "the server does not know "+clean(spot[:colon])+" and passes over it: it runs with "+instead, h.key.Name)
		found.Line, _ = strconv.Atoi(spot[colon+1:])
	}
}

// misspelling is which of the spots "key:line, ..." means a key, "" where none
// does.
func misspelling(spots, key string) string {
	for spot := range strings.SplitSeq(spots, ", ") {
		name, _, _ := strings.Cut(spot, ":")
		if plain(name[strings.LastIndexByte(name, '.')+1:]) == plain(key) {
			return name
		}
	}
	return ""
}
