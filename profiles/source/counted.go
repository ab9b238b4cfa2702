package source

import "fmt"

// uncounted is the message of samples of which there is only a count.
func uncounted(name string, n float64) string {
	return fmt.Sprintf("%s counts %v samples in series that have no buckets: they count as unbounded", show(name), n)
}
