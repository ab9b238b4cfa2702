package rule

import "testing"

// 200 ms of timeout, 30 s left over.
func TestLP312(t *testing.T) {
	f := first(t, LP312, running(t, bare(), fixed("30s"), Setup{Unlock: is("200ms")}))
	contains(t, f.Message, "200ms", "30s")
	says(t, LP312, running(t, bare(), fixed("30s"), Setup{}), "not checked")

	says(t, LP312, running(t, bare(), fixed("30s"), Setup{Unlock: is("200ms"), UnlockRetry: is("29999ms")}), "warning")
	says(t, LP312, running(t, bare(), fixed("30s"), Setup{Unlock: is("200ms"), UnlockRetry: is("30s")}), "") // then the lease is over

	in := bare()
	in.RTO = is("30s") // that block was agreed to
	says(t, LP312, running(t, in, fixed("30s"), Setup{Unlock: is("200ms")}), "")
	in.RTO = is("29s")
	says(t, LP312, running(t, in, fixed("30s"), Setup{Unlock: is("200ms")}), "warning")
}

// C4: the others wait for the skew too.
func TestLP312Skew(t *testing.T) {
	c := running(t, bare(), fixed("30s"), Setup{Unlock: is("1s"), UnlockRetry: is("30s"), ClockSkew: is("5s")})
	contains(t, first(t, LP312, c).Fix, "application.unlockRetry = 35s")
}
