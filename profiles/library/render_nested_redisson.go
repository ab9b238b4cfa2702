package library

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lockplan/lockplan/calc/fault"
)

// redissonText is where Redisson's Spring Boot starter looks for its YAML.
const redissonText = "spring.redis.redisson.config"

// nested: a text with a mode block or the watchdog is Redisson's, under
// whatever name.
func (redisson) nested(path string, inner *yaml.Node) bool {
	if inner.Kind != yaml.MappingNode {
		return false
	}
	for _, key := range keyNodes(inner) {
		if key.Value == "lockWatchdogTimeout" || redissonModes[strings.ToLower(key.Value)] != "" {
			return true
		}
	}
	return redissonIs(path, "config")
}

// refuses: Redisson loads a text, or the file that the application names.
func (redisson) refuses(path string, value *yaml.Node) (why, hint string) {
	switch {
	case redissonIs(path, "file"):
		return "the application loads " + value.Value, "emit into that file"
	case redissonIs(path, "config") && value.Kind != yaml.ScalarNode:
		return path + " is no text, and Redisson loads a text", "write it as config: | with the lines below"
	}
	return "", ""
}

// rootless: keys at the root of a Spring file are read by nobody.
func (redisson) rootless(root *yaml.Node) error {
	for _, k := range keyNodes(root) {
		if k.Value == "spring" {
			return fault.Usagef("line %d: this is a file of Spring's, where nobody reads Redisson's keys at the root", k.Line).
				Hintf("put an empty %s: | into it, or emit into Redisson's own file", redissonText)
		}
	}
	return nil
}

// redissonIs reports whether a path ends in redisson.NAME.
func redissonIs(path, name string) bool {
	path = "." + strings.ToLower(path)
	return strings.HasSuffix(path, ".redisson."+name)
}
