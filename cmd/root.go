// Package cmd is the command line: a file per command, rendering apart from
// computing. Main runs the whole program as a function.
package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockplan/lockplan/calc/fault"
	"github.com/lockplan/lockplan/calc/near"
)

// The exit codes of the contract.
const (
	exitDone     = 0
	exitTool     = 1
	exitUsage    = 2
	exitNo       = 3
	exitNotKnown = 4
)

// verdict is an answer that is not yes: it is no failure, but it has an exit
// code. The message goes to stderr; the answer itself is already on stdout.
type verdict struct {
	code    int
	message string
	hint    string
}

func (v verdict) Error() string { return v.message }

// Main runs lockplan with args (without the program's name) and returns its
// exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(stdin, stdout, stderr)
	root := newRoot(a)
	root.SetArgs(args)
	if err := misspelt(root, args); err != nil {
		return a.report(err)
	}
	err := root.Execute() // an interrupt ends the process: files are written whole or not at all
	if flushed := a.out.Flush(); err == nil && flushed != nil {
		err = fault.Toolf("standard output: %w", flushed)
	}
	return a.report(err)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "lockplan",
		Short:         "Plan the timeouts of distributed locks",
		Long:          "lockplan computes lease TTL, acquire wait, renewal and hold limits of a distributed\nlock from what your service does, and says why.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		Run:           func(cmd *cobra.Command, _ []string) { cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().StringVarP(&a.flags.output, "output", "o", "", "table, json, yaml, csv or markdown (default table)")
	root.PersistentFlags().StringVar(&a.flags.color, "color", "", "auto, always or never (default auto)")
	root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputs, cobra.ShellCompDirectiveNoFileComp))
	root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.settle() }
	root.AddCommand(
		newTTLCmd(a), newPlanCmd(a), newObserveCmd(a), newExplainCmd(a), newProfileCmd(a),
		newCheckCmd(a), newEmitCmd(a), newLibraryCmd(a), newInitCmd(a), newSchemaCmd(a), newVersionCmd(a),
		newMonitorCmd(a), newTradeoffCmd(a), newSimulateCmd(a), newRolloutCmd(a), newPlantestCmd(a),
	)
	strict(root)
	return root
}

// misspelt refuses a command that does not exist before its flags are blamed.
func misspelt(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	names := []string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if slices.Contains(names, args[0]) {
		return nil
	}
	err := fault.Usagef("lockplan has no command %q", args[0])
	if meant := near.Name(args[0], names); meant != "" {
		return err.Hintf("did you mean lockplan %s?", meant)
	}
	return err.Hintf("lockplan --help")
}

// strict gives every command without arguments an error that shows what was
// typed, so that a forgotten dash is not ignored.
func strict(c *cobra.Command) {
	for _, sub := range c.Commands() {
		strict(sub)
	}
	if c.HasSubCommands() {
		if !c.Runnable() { // else cobra prints help before it looks at what was typed
			c.Run = func(cmd *cobra.Command, _ []string) { cmd.Help() }
		}
		c.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			err := fault.Usagef("%s has no command %q", cmd.CommandPath(), args[0])
			var names []string
			for _, sub := range cmd.Commands() {
				names = append(names, sub.Name())
			}
			if meant := near.Name(args[0], names); meant != "" {
				return err.Hintf("did you mean %s %s?", cmd.CommandPath(), meant)
			}
			return err.Hintf("%s --help", cmd.CommandPath())
		}
		return
	}
	if c.Args == nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				err := fault.Usagef("argument %q is not understood", args[0])
				if cmd.Flags().Lookup("file") != nil && strings.ContainsAny(args[0], "./") {
					return err.Hintf("-f %s reads it", shown(args[0]))
				}
				return err.Hintf("flags begin with two dashes: %s --help", cmd.CommandPath())
			}
			return nil
		}
	}
}

// flagError makes pflag's errors speak like ours.
func flagError(cmd *cobra.Command, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	message := strings.TrimPrefix(err.Error(), "invalid argument ")
	said := fault.Usagef("%s", message)
	if name, unknown := strings.CutPrefix(message, "unknown flag: --"); unknown {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if meant := near.Name(name, names); meant != "" {
			return said.Hintf("did you mean --%s?", meant)
		}
	}
	return said.Hintf("%s --help", cmd.CommandPath())
}

// report prints what went wrong and returns the exit code.
func (a *app) report(err error) int {
	if err == nil {
		return exitDone
	}
	var v verdict
	if errors.As(err, &v) {
		a.complain(v.message, v.hint)
		return v.code
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitDone // the reader of our output has had enough
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		code := exitDone
		for _, each := range joined.Unwrap() {
			code = max(code, a.report(each))
		}
		return code
	}
	message := strings.TrimSuffix(err.Error(), "\n")
	a.complain(message, fault.HintOf(err))
	switch fault.ClassOf(err) {
	case fault.Usage:
		return exitUsage
	case fault.NoData:
		return exitNotKnown
	}
	return exitTool
}

func (a *app) complain(message, hint string) {
	fmt.Fprintf(a.err, "lockplan: error: %s\n", message)
	if hint != "" {
		fmt.Fprintf(a.err, "lockplan: hint: %s\n", hint)
	}
}

// bufferSize is large enough for a whole answer, so that a command that fails
// half-way has written nothing in most cases and one write suffices.
const bufferSize = 64 << 10

func newBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, bufferSize) }
