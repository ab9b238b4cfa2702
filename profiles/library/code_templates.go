package library

// Parts that the source files of several libraries share.
const goHead = `package locks

import (
	"time"
`

const goLimits = `
// Limits that the library does not keep.
const (
	// {{.ID}}StopWork is S: start no side effect later than this after the last
	// confirmed acquire or renewal was sent.
	{{.ID}}StopWork = {{.Go "application.stopWork"}}
{{- if .Has "application.maxHold"}}
	// {{.ID}}MaxHold ends a hold that is an exception.
	{{.ID}}MaxHold = {{.Go "application.maxHold"}}
{{- end}}
{{- if .Has "application.unlockRetry"}}
	// {{.ID}}UnlockRetry is for how long to try a failed unlock again.
	{{.ID}}UnlockRetry = {{.Go "application.unlockRetry"}}
{{- end}}
{{- if .Has "application.acquireWait"}}
	// {{.ID}}AcquireWait is the deadline of the acquire call.
	{{.ID}}AcquireWait = {{.Go "application.acquireWait"}}
{{- end}}
)
`

const goRedisOptionsCode = `// {{.ID}}Client sets the timing of a client: a command ends with its context.
func {{.ID}}Client(o *redis.Options) {
	o.ReadTimeout = {{.Go "ReadTimeout"}}
	o.MaxRetries = {{.Raw "MaxRetries"}}
	o.MaxRetryBackoff = {{.Go "MaxRetryBackoff"}}
	o.ContextTimeoutEnabled = {{.Raw "ContextTimeoutEnabled"}}
}
`

const javaLimits = `    /** S: start no side effect later than this after the last confirmed acquire or renewal was sent, ms. */
    public static final long STOP_WORK_MS = {{.Ms "application.stopWork"}}L;
{{- if .Has "application.maxHold"}}
    /** A longer hold is an exception, ms. */
    public static final long MAX_HOLD_MS = {{.Ms "application.maxHold"}}L;
{{- end}}
{{- if .Has "application.unlockRetry"}}
    /** For how long to try a failed unlock again, ms. */
    public static final long UNLOCK_RETRY_MS = {{.Ms "application.unlockRetry"}}L;
{{- end}}
{{- if .Has "application.acquireWait"}}
    /** How long to try to acquire, ms. */
    public static final long ACQUIRE_WAIT_MS = {{.Ms "application.acquireWait"}}L;
{{- end}}
`
