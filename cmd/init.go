package cmd

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/lockplan/lockplan/calc/fault"
)

//go:embed init.yaml
var starter []byte

func newInitCmd(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a plan file to start from",
		Long:  "init writes lockplan.yaml, or FILE, with two services to edit; - writes to standard\noutput. An existing file is left alone unless --force is given.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := defaultPlanFile
			if len(args) == 1 {
				path = args[0]
			}
			return runInit(a, path, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return cmd
}

func runInit(a *app, path string, force bool) error {
	if path == "-" {
		_, err := a.out.Write(starter)
		return err
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return fault.Usagef("%s exists", path).Hintf("lockplan init --force replaces it")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Toolf("%w", err)
	}
	if err := writeWhole(path, starter); err != nil {
		return err
	}
	a.out.WriteString("wrote " + shown(path) + ": lockplan plan -f " + shown(path) + "\n")
	return nil
}
