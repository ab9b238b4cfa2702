package library

import (
	"regexp"
	"strings"
	"unicode"
)

// Extension is a form's file name extension.
func Extension(form string) string {
	return map[string]string{"yaml": ".yaml", "json": ".json", "properties": ".properties", "env": ".env", "toml": ".toml",
		"flags": ".flags", "go": ".go", "java": ".java", "py": ".py", "js": ".js"}[form]
}

// File names a service's file: a name that is safe in every folder. Java wants
// the class's. Other code ends in _lock: then Go takes no name for a test's or
// for that of one system, such as cache_linux, and Python none for a keyword or
// a module of its own.
func File(service, form string) string {
	switch form {
	case "java":
		return identifier(service) + "Lock.java"
	case "go", "py", "js":
		return module(service, form) + Extension(form)
	}
	return slug(service) + Extension(form)
}

func slug(service string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, service)
	if out = strings.TrimLeft(out, ".-"); out == "" {
		return "lock"
	}
	return out
}

// module is a service's name as a word that code can import.
func module(service, form string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, service)
	switch out = strings.TrimLeft(out, "_"); { // Go passes over what begins with _
	case out == "":
		return "lock"
	case form == "py" && unicode.IsDigit([]rune(out)[0]):
		out = "_" + out
	}
	return out + "_lock"
}

// identifier is a service's name in CamelCase.
func identifier(service string) string {
	var out strings.Builder
	up := true
	for _, r := range service {
		switch {
		case r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) && out.Len() > 0):
			if up {
				r = unicode.ToUpper(r)
			}
			out.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	if out.Len() == 0 {
		return "Service"
	}
	return out.String()
}

var goDeclares = regexp.MustCompile(`(?m)^(?:(?:const|var|type|func) ([A-Z]\w*)|\t([A-Z]\w*)(?: [\w.\[\]*]+)? = )`)

// Declares are the exported names that a source file takes from all files of its
// folder: Go has one package there, other languages a module for each file.
func Declares(form, text string) []string {
	if form != "go" {
		return nil
	}
	var out []string
	for _, m := range goDeclares.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+m[2])
	}
	return out
}
