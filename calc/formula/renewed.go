package formula

var renewedLease = Section{
	Title: "A renewed lease",
	Intro: "A second thread of the holder, the watchdog, extends the lease while the work goes on. The TTL no longer has to " +
		"cover the work, only the time until a renewal is sure to have landed.",
	Entries: []Entry{
		{
			ID: "R1", Title: "a renewal lands in time",
			Formula: "I + k r + Tr + P + M <= T(1 - rho); with I = T/n and r = I: T_min = (P + M + Tr) / (1 - rho - (k+1)/n); with r = Tr + b: T_min = (P + M + Tr + k r) / (1 - rho - 1/n)",
			Symbols: []string{"I", "k", "r", "Tr", "P", "M", "T", "rho", "n", "b", "T_min"},
			Why: "In the worst case the next renewal is a whole interval away, k attempts fail first, the good one takes its full " +
				"time, and a pause and a slow network come on top. All of it has to fit into one lease. The first form needs " +
				"k + 1 < n: a lease renewed every third cannot lose two renewals and a pause. Redisson and Spring Integration start " +
				"their timer when a call ended, so the call before costs its Tr (at most M) too: read I + Tr for I, there and in C1 to C3.",
			Example: "1.5s of pause, 700ms of margin, n = 3, k = 1: the TTL is 8.7s, renewed every 2.9s, each call within 700ms; with a timer that starts when a call ended 12.9s.",
			See:     []string{"R2", "C1", "LP109", "renew interval"},
		},
		{
			ID: "R2", Title: "two attempts fit",
			Formula: "Tr < I, rtt <= Tr and I + 2 Tr + b <= T",
			Symbols: []string{"Tr", "I", "b", "T", "rtt"},
			Why: "A renew call that may take as long as the interval blocks the next one, and a call timeout shorter than a round " +
				"trip never sees an answer. With room for two whole attempts one lost packet costs nothing.",
			Example: "A lease of 30s renewed every 10s has room for two calls of just under 10s; a client that retries for 16.5s in each call does not fit.",
			See:     []string{"LP108", "renew call"},
		},
		{
			ID: "R3", Title: "the hold is not in it",
			Formula: "T_min does not depend on h",
			Symbols: []string{"T_min", "h"},
			Why: "A renewed TTL is set by pauses, the network and the failures to tolerate. People raise it because the work got " +
				"longer; that only lengthens the block after a crash.",
			Example: "The TTL of 8.7s is the same for a hold of 20s and for one of 30m.",
			See:     []string{"R1", "H1"},
		},
		{
			ID: "R4", Title: "stop-work point of a renewed lease",
			Formula: "S = T(1 - rho) - P - M, restarted by every confirmed renewal",
			Symbols: []string{"S", "T", "rho", "P", "M"},
			Why: "S runs from the instant the renewal was sent, not from its answer, and on the holder's monotonic clock: wall " +
				"clocks are set back and forth. Past S the holder only waits. A renewal confirmed later lets it go on, so a full " +
				"pause on top of k failures interrupts the work without losing the lease.",
			Example: "A lease of 8.7s with 1.5s of pause and 700ms of margin stops work 6.5s after the last renewal that was confirmed.",
			See:     []string{"F2", "LP112", "stop-work point"},
		},
		{
			ID: "R5", Title: "renewal load",
			Formula: "concurrent holders / I, in calls per second",
			Symbols: []string{"I"},
			Why: "Every holder keeps renewing. Short leases for many keys are a load of their own on the lock service, and it is at " +
				"its highest when everything else is slow too.",
			Example: "1000 holders with an interval of 10s are 100 calls a second.",
			See:     []string{"renew interval"},
		},
	},
}
