//go:build !unix

package sim

import "time"

var started = time.Now()

// processorTime is the time on the wall where the system does not tell better.
func processorTime() time.Duration { return time.Since(started) }
