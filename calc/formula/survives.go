package formula

var survives = Section{
	Title: "What a configuration survives",
	Intro: "The same arithmetic from the other side: somebody else chose the numbers, and the question is what they stand. C2 and " +
		"C3 are exact for one fault at a time.",
	Entries: []Entry{
		{
			ID: "C1", Title: "failures tolerated beside a pause", Also: []string{"k_max"},
			Formula: "k_max = floor((T(1 - rho) - P - M - Tr - I) / r)",
			Symbols: []string{"k_max", "T", "rho", "P", "M", "Tr", "I", "r"},
			Why: "How many renewals in a row may fail when a full pause happens as well. Below zero not even the first attempt is " +
				"sure to land in time.",
			Example: "30s renewed every 10s, with 1.5s of pause, 700ms of margin and calls of 700ms: 1 failure is tolerated.",
			See:     []string{"R1", "LP109"},
		},
		{
			ID: "C2", Title: "outage survived",
			Formula: "r * max(0, floor((T(1 - rho) - M - I) / r))",
			Symbols: []string{"r", "T", "rho", "M", "I"},
			Why: "The outage of the lock service alone that never costs the lock. At worst it starts just before a renewal is due; " +
				"attempts come every r, and the first after its end has to land before the lease ends. With luck, when it starts " +
				"just after a renewal, up to T - M is survived; nobody should plan with luck. Where a timer starts when the last call ended " +
				"(Redisson, Spring Integration), calls that are refused come I apart and the next may hang: with m attempts of r in the " +
				"slack it is the greater of I * m and the slack less r.",
			Example: "30s renewed every 10s with 700ms of margin survives 10s of outage, though a lucky one of 29.3s passes too.",
			See:     []string{"LP111", "outage"},
		},
		{
			ID: "C3", Title: "pause survived",
			Formula: "renewed: T(1 - rho) - I - M; fixed: T(1 - rho) - h - M",
			Symbols: []string{"T", "rho", "I", "M", "h"},
			Why: "The stop of the holder alone that never costs the lock. A renewed lease is weakest just before a renewal is due, a " +
				"fixed one at the end of its longest hold.",
			Example: "30s renewed every 10s with 700ms of margin survives 19.3s; a fixed lease of 3s with a hold of 800ms survives 1.5s.",
			See:     []string{"LP110", "pause budget"},
		},
		{
			ID: "C4", Title: "clock skew",
			Formula: "one machine's monotonic clock: none matters; another machine's wall clock: T - skew for the holder, T + skew for a takeover",
			Symbols: []string{"T"},
			Why: "A lease is a length of time, and two clocks that run at the same rate agree on lengths. Where a library writes an " +
				"instant into a database and another machine compares it with its own clock, the difference between the two comes " +
				"off at one end and is added at the other.",
			Example: "A lease of 30s with 5s of skew is worth 25s to its holder and blocks for 35s after a crash.",
			See:     []string{"LP117", "clock skew"},
		},
		{
			ID: "C5", Title: "takeover after a crash",
			Formula: "worst: T + lag + W + rtt; mean of a renewed lease: less by I/2; after a clean release: W + rtt",
			Symbols: []string{"T", "lag", "W", "rtt", "I"},
			Why: "A holder that dies right after a renewal keeps the lock for the whole lease. Then the service frees it, a waiter has " +
				"to notice, and its request has to travel. A holder that releases on its way out costs one notice and one trip.",
			Example: "A TTL of 3s and a detection of 700ms: 3.7s at worst, 700ms after a clean release.",
			See:     []string{"O1", "LP102", "LP304", "takeover"},
		},
	},
}
