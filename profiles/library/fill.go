package library

import (
	"fmt"
	"strconv"
	"strings"
)

// fill writes a source file's template with the settings of c: the few
// constructs of text/template that the templates use, in its notation. That
// package itself finds methods by name, which keeps every method of the whole
// program in the binary and makes it a fifth larger.
//
// Known are {{.ID}}, {{.Delay}}, {{.Go "key"}} and Raw, Ms and Sec in the same
// way, {{if …}} {{else}} {{end}} with .Has, .Before, eq, not and and, and the
// minus that eats the white space before.
func fill(text string, c code) (string, error) {
	var out strings.Builder
	var open []bool // of each if, whether its branch is written
	writes := func() bool {
		for _, branch := range open {
			if !branch {
				return false
			}
		}
		return true
	}
	for {
		plain, rest, more := strings.Cut(text, "{{")
		if more && strings.HasPrefix(rest, "-") {
			plain, rest = strings.TrimRight(plain, " \t\n"), rest[1:]
		}
		if writes() {
			out.WriteString(plain)
		}
		if !more {
			break
		}
		action, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return "", fmt.Errorf("{{%s is not closed", action)
		}
		text = after
		word, condition, _ := strings.Cut(strings.TrimSpace(action), " ")
		switch word {
		case "if":
			branch := false
			if writes() { // else what it asks for may not be set
				value, err := evaluate(condition, c)
				if err != nil {
					return "", err
				}
				branch = value == true
			}
			open = append(open, branch)
		case "else", "end":
			if len(open) == 0 {
				return "", fmt.Errorf("{{%s}} without an if", word)
			}
			last := len(open) - 1
			if word == "end" {
				open = open[:last]
			} else {
				open[last] = !open[last]
			}
		default:
			if !writes() {
				continue
			}
			value, err := evaluate(action, c)
			if err != nil {
				return "", err
			}
			fmt.Fprint(&out, value)
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("%d ifs without an end", len(open))
	}
	return out.String(), nil
}

// evaluate is the value of a call such as `.Ms "key"` or
// `eq (.Raw "key") "true"`.
func evaluate(text string, c code) (any, error) {
	words, err := arguments(text)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("%q is no call: %v", text, err)
	}
	args := make([]any, len(words)-1)
	for i, word := range words[1:] {
		switch {
		case strings.HasPrefix(word, "("):
			if args[i], err = evaluate(word[1:len(word)-1], c); err != nil {
				return nil, err
			}
		case strings.HasPrefix(word, `"`):
			args[i] = word[1 : len(word)-1]
		default:
			if args[i], err = strconv.Atoi(word); err != nil {
				return nil, err
			}
		}
	}
	key := func() string {
		if len(args) == 1 {
			text, _ := args[0].(string)
			return text
		}
		return ""
	}
	switch name := words[0]; {
	case name == ".ID":
		return c.ID, nil
	case name == ".Delay":
		return c.Delay()
	case name == ".Go":
		return c.Go(key())
	case name == ".Raw":
		return c.Raw(key())
	case name == ".Ms":
		return c.Ms(key())
	case name == ".Sec":
		return c.Sec(key())
	case name == ".Has":
		return c.Has(key()), nil
	case name == ".Before" && len(args) == 2:
		return c.Before(args[0].(int), args[1].(int)), nil
	case name == "eq" && len(args) == 2:
		return args[0] == args[1], nil
	case name == "not" && len(args) == 1:
		return args[0] == false, nil
	case name == "and" && len(args) == 2:
		return args[0] == true && args[1] == true, nil
	}
	return nil, fmt.Errorf("%q is not known", text)
}

// arguments splits a call at its spaces; quoted texts and parentheses stay
// whole.
func arguments(text string) ([]string, error) {
	var out []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end := strings.IndexByte(text, ' ')
		switch text[0] {
		case '"':
			end = strings.IndexByte(text[1:], '"') + 2
			if end == 1 {
				return nil, fmt.Errorf("a quote is not closed")
			}
		case '(':
			end = 0
			for depth := 0; end < len(text); end++ {
				if text[end] == '(' {
					depth++
				} else if text[end] == ')' {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if end == len(text) {
				return nil, fmt.Errorf("a parenthesis is not closed")
			}
			end++
		}
		if end < 0 {
			end = len(text)
		}
		out, text = append(out, text[:end]), text[end:]
	}
	return out, nil
}
