//go:build unix

package sim

import (
	"syscall"
	"time"
)

// processorTime is what this process has used, which a busy machine does not
// stretch.
func processorTime() time.Duration {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
