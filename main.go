// Lockplan plans the timeouts of distributed locks.
package main

import (
	"os"

	"github.com/lockplan/lockplan/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
