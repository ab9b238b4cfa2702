package formula

var fixedLease = Section{
	Title: "A fixed lease",
	Intro: "The holder takes the lock once and nobody renews it. The lease has to outlast everything that can happen " +
		"between the answer of the lock service and the last write.",
	Entries: []Entry{
		{
			ID: "F1", Title: "shortest fixed lease", Also: []string{"TTL_min", "T_min"},
			Formula: "T_min = (h + P + M) / (1 - rho)",
			Symbols: []string{"T_min", "h", "P", "M", "rho"},
			Why: "The work may take h, the process may stop for P in the middle of it, and the messages at both ends may take M. " +
				"All three can meet in one bad night, so they add up. The hold is a tail percentile and never the mean: leases " +
				"are lost in the tail. A TTL of exactly h is too short, because the lease starts before the work does.",
			Example: "800ms of work, 1.5s of pause and 700ms of margin need a TTL of 3s.",
			See:     []string{"F2", "LP101", "hold", "pause budget", "margin"},
		},
		{
			ID: "F2", Title: "stop-work point of a fixed lease",
			Formula: "S = T(1 - rho) - P - M",
			Symbols: []string{"S", "T", "rho", "P", "M"},
			Why: "A holder that looks at its clock and finds the lease still valid may be stopped right after the look, and its " +
				"write may travel for a while. Work that starts before S lands before the lease ends even then. With T = T_min, " +
				"S is h, and S is also the maximum hold of a fixed lease.",
			Example: "A lease of 3s with 1.5s of pause and 700ms of margin stops work at 800ms.",
			See:     []string{"F1", "H1", "stop-work point"},
		},
	},
}
