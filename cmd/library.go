package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc"
	"github.com/lockplan/lockplan/calc/dur"
	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/plan"
	"github.com/lockplan/lockplan/profiles/input"
	"github.com/lockplan/lockplan/profiles/library"
)

func newLibraryCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "library", Short: "What is known about each lock library"}
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "Every library in a line", RunE: func(*cobra.Command, []string) error { return runLibraryList(a) }},
		&cobra.Command{
			Use: "show NAME", Short: "A library's keys, schedule, guarantees and floors",
			Example: "  lockplan library show redisson@3.47", Args: oneArgument("NAME", "lockplan library show redisson"),
			RunE: func(_ *cobra.Command, args []string) error { return runLibraryShow(a, args[0]) },
		},
		newLibraryCompareCmd(a))
	return cmd
}

// libraryDocument is a library in JSON.
type libraryDocument struct {
	Name     string                       `json:"name"`
	Title    string                       `json:"title"`
	Language string                       `json:"language"`
	Store    string                       `json:"store"`
	Versions []string                     `json:"versions"`
	Formats  []string                     `json:"formats"`
	Floor    plan.Seconds                 `json:"takeover_floor_seconds"`
	Fencing  bool                         `json:"fencing"`
	Ordered  bool                         `json:"ordered"`
	Keys     []keyDocument                `json:"keys,omitempty"`
	Facts    map[string]map[string]string `json:"facts,omitempty"`
}

type keyDocument struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Default string `json:"default"`
	Legal   string `json:"legal"`
	Outside string `json:"outside"`
	Rounded string `json:"rounded"`
	Doc     string `json:"doc"`
}

func libraryDocumentOf(lib library.Library, whole bool) libraryDocument {
	s := lib.Sheet()
	d := libraryDocument{Name: s.Name, Title: s.Title, Language: s.Language, Store: s.Store, Versions: append([]string{}, s.Versions...), Formats: s.Formats,
		Floor: plan.Seconds(library.Floor(lib)), Fencing: fences(lib), Ordered: orders(lib)}
	if !whole {
		return d
	}
	for _, k := range s.AllKeys() {
		if k.Found {
			continue
		}
		d.Keys = append(d.Keys, keyDocument{k.Name, string(k.Unit), k.Default, k.Range, k.Outside, k.Round, k.Doc})
	}
	d.Facts = map[string]map[string]string{}
	for _, g := range library.Groups(lib) {
		rows := map[string]string{}
		for _, r := range g.Rows {
			rows[r.Name] = r.Text
		}
		d.Facts[g.Title] = rows
	}
	return d
}

func runLibraryList(a *app) error {
	var docs []libraryDocument
	rows := [][]string{{"library", "kept by", "language", "takeover floor", "fencing", "versions"}}
	for _, name := range library.Names() {
		lib, err := library.Get(name)
		if err != nil {
			return err
		}
		s := lib.Sheet()
		docs = append(docs, libraryDocumentOf(lib, false))
		fence := "no"
		if lib.Traits().Fencing {
			fence = "yes"
		} else if s.Fenced != "" {
			fence = s.Fenced
		}
		rows = append(rows, []string{name, s.Store, s.Language, dur.Format(library.Floor(lib)), fence, strings.Join(s.Versions, ", ")})
	}
	return a.writeRows(docs, rows)
}

func runLibraryShow(a *app, name string) error {
	lib, err := library.Get(name)
	if err != nil {
		return err
	}
	a.noteVersion(lib)
	s := lib.Sheet()
	switch a.output {
	case "markdown":
		fmt.Fprint(a.out, library.Page(lib))
		return nil
	case "table":
	default:
		rows := [][]string{{"key", "unit", "default", "legal", "outside"}}
		for _, k := range s.Settable() {
			rows = append(rows, []string{k.Name, k.Unit.Label(), k.Default, k.Range, k.Outside})
		}
		return a.writeRows(libraryDocumentOf(lib, true), rows)
	}
	fmt.Fprintf(a.out, "%s: %s\nkept by %s, written in %s; emit writes %s\n\n", library.Title(lib), s.Title, s.Store, s.Language, strings.Join(s.Formats, ", "))
	var keys []clock
	for _, k := range s.Settable() {
		text := k.Doc
		if k.Range != "" {
			text += "; " + k.Range
		}
		if k.Outside != "" {
			text += "; outside: " + k.Outside
		}
		value := k.Unit.Label()
		if k.Default != "" {
			value = k.Default + " (" + value + ")"
		}
		keys = append(keys, clock{k.Name, value, text})
	}
	a.writeNamed(keys)
	fmt.Fprintln(a.out, "\nwho loads what emit writes")
	for _, form := range s.Formats {
		a.writeWrapped(fmt.Sprintf("  %-11s ", form), library.Loads(lib, form))
	}
	for _, g := range library.Groups(lib) {
		fmt.Fprintf(a.out, "\n%s\n", strings.ToLower(g.Title))
		for _, r := range g.Rows {
			a.writeWrapped(fmt.Sprintf("  %-25s ", r.Name), r.Text)
		}
	}
	if rules := library.RulesOf(lib); len(rules) > 0 {
		fmt.Fprintln(a.out, "\nrules of its own")
		for _, r := range rules {
			a.writeWrapped("  "+r.ID+"  ", r.Name+": "+r.Condition)
		}
	}
	return nil
}

// writeNamed prints each row's name and value on a line and its text under
// them: keys are too long for columns.
func (a *app) writeNamed(rows []clock) {
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s  %s\n", r.name, r.value)
		a.writeWrapped("  ", r.why)
	}
}

// compareOptions are a service's needs.
type compareOptions struct {
	inputs   inputFlags
	file     string
	services []string
	have     []string
	ordered  bool
}

func newLibraryCompareCmd(a *app) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Which libraries can keep a service's promises, and why the others cannot",
		Long: "compare plans the service on every library and says which can do it: by recovery\n" +
			"target, fencing, order of the waiters and what you already run.",
		Example: "  lockplan library compare --p999 800ms --pause 1.5s --rto 5s --fencing yes\n" +
			"  lockplan library compare -f lockplan.yaml --service orders --have redis\n" +
			"  lockplan library compare --p999 20s --pause 2s --rto 60s --have redis,kubernetes --ordered",
		RunE: func(*cobra.Command, []string) error { return runLibraryCompare(a, o) },
	}
	cmd.Flags().StringVarP(&o.file, "file", "f", "", "the needs of a service of this plan file; flags are taken on top of it")
	cmd.Flags().StringArrayVar(&o.services, "service", nil, "with -f: this service, where the file has several")
	cmd.Flags().StringSliceVar(&o.have, "have", nil, "lock services that you already run: redis, zookeeper, etcd, consul, kubernetes")
	cmd.Flags().BoolVar(&o.ordered, "ordered", false, "waiters must be served in order")
	o.inputs.register(cmd)
	return cmd
}

// candidate is a library under a service's needs.
type candidate struct {
	Library  string        `json:"library"`
	Store    string        `json:"store"`
	Fits     bool          `json:"fits"`
	TTL      *plan.Seconds `json:"ttl_seconds"`
	Takeover *plan.Seconds `json:"takeover_worst_seconds"`
	Fencing  bool          `json:"fencing"`
	Ordered  bool          `json:"ordered"`
	Reason   string        `json:"reason"`
}

const comparisonSchema = "lockplan/comparison/v1"

// comparison is the JSON document of library compare.
type comparison struct {
	Schema     string      `json:"schema"`
	Candidates []candidate `json:"candidates"`
}

func runLibraryCompare(a *app, o compareOptions) error {
	stores := []string{}
	for _, name := range library.Names() {
		lib, err := library.Get(name)
		if err != nil {
			return err
		}
		stores = append(stores, lib.Sheet().Store)
	}
	for _, have := range o.have {
		if !slices.Contains(stores, have) {
			slices.Sort(stores)
			return fault.Usagef("--have %q: no library keeps a lock there", have).Hintf("%s", strings.Join(slices.Compact(stores), ", "))
		}
	}
	if o.inputs.says("library") {
		return fault.Usagef("--library names one, and compare looks at all").Hintf("leave --library out")
	}
	a.holdOptional = true
	needs, err := a.needs(o)
	if err != nil {
		return err
	}
	got, err := a.resolve(append(needs, a.environment(), o.inputs.said)...)
	if err != nil {
		return err
	}
	if !got.Inputs.Hold.Known && got.Inputs.Mode == "" {
		got.Inputs.Mode = calc.Renewed // whose TTL does not depend on the hold
	}
	doc := comparison{Schema: comparisonSchema}
	for _, name := range library.Names() {
		if name == "generic" {
			continue
		}
		lib, err := library.Get(name)
		if err != nil {
			return err
		}
		c, err := compareOne(got, lib, o)
		if err != nil {
			return err
		}
		doc.Candidates = append(doc.Candidates, c)
	}
	slices.SortStableFunc(doc.Candidates, func(x, y candidate) int {
		if x.Fits != y.Fits {
			if x.Fits {
				return -1
			}
			return 1
		}
		if x.Fits && (x.Takeover == nil || y.Takeover == nil) { // what is not known comes last
			return cmp.Compare(reaches(y), reaches(x))
		}
		if x.Fits && *x.Takeover != *y.Takeover {
			return int(min(max(*x.Takeover-*y.Takeover, -1), 1))
		}
		return 0
	})
	if !got.Inputs.Hold.Known {
		fmt.Fprintln(a.err, "lockplan: note: no hold time is given: these are renewed leases of any hold, and emit asks for one (--p999 800ms)")
	}
	if err := a.writeComparison(doc); err != nil {
		return err
	}
	if !slices.ContainsFunc(doc.Candidates, func(c candidate) bool { return c.Fits }) {
		return verdict{exitNo, "no library can do this", "see each one's reason"}
	}
	return nil
}

// reaches is 1 where a takeover is known.
func reaches(c candidate) int {
	if c.Takeover == nil {
		return 0
	}
	return 1
}

// compareOne is the verdict on one library: yes where emit writes the plan.
func compareOne(got input.Resolved, lib library.Library, o compareOptions) (candidate, error) {
	s := lib.Sheet()
	c := candidate{Library: lib.Name(), Store: s.Store, Fencing: fences(lib), Ordered: orders(lib)}
	fenced, ordered := got.Inputs.Fencing == calc.FencingYes, o.ordered
	object := objectFor(lib, fenced, ordered)
	switch {
	case len(o.have) > 0 && !slices.Contains(o.have, s.Store):
		c.Reason = "needs " + s.Store + ", which you do not run"
		return c, nil
	case fenced && !c.Fencing:
		c.Reason = "gives no fencing token: " + s.Fence
		return c, nil
	case ordered && !c.Ordered:
		c.Reason = "serves waiters in no order"
		return c, nil
	case fenced && ordered && object == "" && !(lib.Traits().Fencing && s.Orders):
		c.Reason = "a lock with a token (" + s.Fenced + ") is not the one that serves in order (" + s.InOrder + ")"
		return c, nil
	}
	var pairs []string
	if object != "" {
		pairs = []string{object}
	}
	given, err := library.Pairs(lib, pairs)
	if err != nil {
		return c, err
	}
	found, err := express("", got, lib, given)
	var no verdict
	switch {
	case errors.As(err, &no) && no.code == exitNo:
		c.Reason = no.message + "; " + no.hint
		return c, nil
	case errors.As(err, &no):
		c.Reason = "not enough data: " + strings.TrimPrefix(no.message, "not enough data: ")
		return c, nil
	case err != nil && fault.ClassOf(err) == fault.Usage:
		c.Reason = err.Error()
		return c, nil
	case err != nil:
		return c, err
	}
	made := found.fit.Verdict.Consequences
	c.Fits, c.TTL, c.Takeover = true, (*plan.Seconds)(made.TTL), (*plan.Seconds)(made.TakeoverWorst)
	c.Reason = s.Store + "; at its failover: " + string(s.Failover)
	if object != "" {
		c.Reason = "with --set " + object + "; " + c.Reason
	}
	return c, nil
}

// fences and orders report what one of the library's lock objects does.
func fences(lib library.Library) bool { return lib.Traits().Fencing || lib.Sheet().Fenced != "" }

func orders(lib library.Library) bool { return lib.Sheet().Orders || lib.Sheet().InOrder != "" }

// objectFor is the setting that chooses the lock object which does what is
// asked, "" where the usual one does it or none does all.
func objectFor(lib library.Library, fenced, ordered bool) string {
	s := lib.Sheet()
	fenced, ordered = fenced && !lib.Traits().Fencing, ordered && !s.Orders
	switch {
	case fenced && !ordered:
		return s.Fenced
	case ordered && !fenced:
		return s.InOrder
	}
	return ""
}

func (a *app) writeComparison(doc comparison) error {
	rows := [][]string{{"library", "kept by", "fits", "TTL", "takeover", "fencing", "ordered", "reason"}}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, c := range doc.Candidates {
		ttl, takeover := "-", "-"
		if c.Fits {
			ttl, takeover = dur.Format(time.Duration(*c.TTL)), "not known"
			if c.Takeover != nil {
				takeover = dur.Format(time.Duration(*c.Takeover))
			}
		}
		rows = append(rows, []string{c.Library, c.Store, yes[c.Fits], ttl, takeover, yes[c.Fencing], yes[c.Ordered], c.Reason})
	}
	if a.output != "table" {
		return a.writeRows(doc, rows)
	}
	for i, row := range rows {
		rows[i] = []string{row[0], row[2], row[3], row[4], row[7]}
	}
	a.writeColumns(rows)
	return nil
}
