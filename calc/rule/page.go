package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Page is docs/rules/ID.md: everything the rule knows about itself, in
// Markdown. It is the one place where pages of rules come from, those of the
// libraries (5xx and up) included.
func Page(r Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s %s\n\n", r.ID, r.Name)
	fmt.Fprintf(&out, "Severity: %s\n\nCondition: %s\n\n", r.Severity, r.Condition)
	fmt.Fprintf(&out, "## Why\n\n%s\n\n## What to do\n\n%s\n\n## Example\n\n", r.Why, sentence(r.Fix))
	for _, name := range slices.Sorted(maps.Keys(r.Example.Files)) {
		fmt.Fprintf(&out, "`%s`:\n\n```\n%s\n```\n\n", name, strings.TrimSuffix(r.Example.Files[name], "\n"))
	}
	fmt.Fprintf(&out, "```\nlockplan %s\n```\n", strings.Join(r.Example.Args, " "))
	if len(r.Needs) > 0 {
		out.WriteString("\nNot checked without:\n\n")
		for _, need := range r.Needs {
			out.WriteString("- " + need.Text + "\n")
		}
	}
	return out.String()
}

// Index is a table of rules with links to their pages.
func Index(rules []Rule) string {
	var out strings.Builder
	out.WriteString("| id | name | severity | condition |\n|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&out, "| [%s](%s.md) | %s | %s | %s |\n", r.ID, r.ID, r.Name, r.Severity, strings.ReplaceAll(r.Condition, "|", `\|`))
	}
	return out.String()
}

// sentence starts text with a capital and ends it with a full stop; a flag
// keeps its spelling.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
