package formula

var risk = Section{
	Title: "Risk",
	Intro: "A TTL makes the loss of a live holder's lease rare, never impossible. These figures say how rare, each with its bracket: " +
		"discretisation rounds up for the upper and down for the lower figure, so the truth lies between.",
	Entries: []Entry{
		{
			ID: "K1", Title: "false expiry of a fixed lease", Also: []string{"false expiry"},
			Formula: "F(T) = P(H + pauses + network > T), for one acquisition",
			Symbols: []string{"F", "T"},
			Why: "Three figures: the parts independent of each other; under any dependence, min(1, inf over u of P(X > u) + P(Y >= s - u)), " +
				"because slow networks, slow holds and pauses like to come together; and with the sampling error on top.",
			Example: "A hold that is exponential with a mean of 100ms, no pause and no margin, on a lease of 1s: e^-10, or 4.54e-05.",
			See:     []string{"K3", "LP114"},
		},
		{
			ID: "K2", Title: "false expiry of a renewed lease",
			Formula: "a stop of length x that begins u after the last confirmed renewal loses the lease if x > T - u - M; u is uniform on [0, I)",
			Symbols: []string{"x", "u", "T", "M", "I"},
			Why: "The stop does not care when the last renewal was. One that begins just after a renewal has nearly a whole lease to " +
				"end in, one that begins just before the next has an interval less. The loss rate is the stop rate times that " +
				"probability.",
			Example: "30s renewed every 10s, no margin, stops of 25s: lost with probability 0.5.",
			See:     []string{"C3"},
		},
		{
			ID: "K3", Title: "false expiries a day",
			Formula: "F * acquisitions a day",
			Symbols: []string{"F"},
			Why: "One in a million sounds safe until it is multiplied by the day's traffic. Without fencing each is a possible double " +
				"write.",
			Example: "4.54e-05 at 50 acquisitions a second is 196 a day.",
			See:     []string{"K1", "LP114", "fencing token"},
		},
		{
			ID: "K4", Title: "cost of a crash",
			Formula: "crash rate * callers that arrive in one takeover",
			Why: "The other side of a long lease: everybody who needs the key stands still until it is free. K1 falls with the TTL and " +
				"this rises with it, which is the whole trade-off.",
			Example: "50 callers a second and a takeover of 3.7s: 185 callers blocked for each crash.",
			See:     []string{"C5", "takeover"},
		},
	},
}
