package library

import "time"

// px is a key of Redis with an expiry in whole milliseconds: somebody else can
// have it when that ends, and nobody tells its holder.
type px struct{}

// Granted, FreeMin and FreeMax are the expiry.
func (px) Granted(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (px) FreeMin(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }
func (px) FreeMax(ttl time.Duration) time.Duration { return ttl.Truncate(time.Millisecond) }

// Loss is never signalled.
func (px) Loss(time.Duration) (time.Duration, bool) { return 0, false }
