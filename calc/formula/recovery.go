package formula

var recovery = Section{
	Title: "The recovery target",
	Intro: "F1 and R1 push the TTL up, the recovery target pushes it down. Where the two leave no room there is no plan, and the " +
		"answer is which input has to give.",
	Entries: []Entry{
		{
			ID: "O1", Title: "longest lease that recovers in time", Also: []string{"TTL_max", "T_max"},
			Formula: "T_max = RTO - lag - W - rtt",
			Symbols: []string{"T_max", "RTO", "lag", "W", "rtt"},
			Why: "After a crash the others wait for the whole lease, and then for the notice. A TTL above T_max breaks the promise " +
				"even when nothing else goes wrong. The feasible TTLs are T_min to T_max; none at all is exit code 3, with the " +
				"cheapest change of each input on its own.",
			Example: "An RTO of 5s and a detection of 700ms allow a TTL of at most 4.3s; with a T_min of 3s there is room.",
			See:     []string{"C5", "LP102", "LP103", "RTO"},
		},
		{
			ID: "O2", Title: "checkpoints for a long task", Also: []string{"checkpoint", "checkpoints"},
			Formula: "ceil(h / (T_max - P - M)) pieces",
			Symbols: []string{"h", "T_max", "P", "M"},
			Why: "Half an hour of work under one lock is half an hour of work to do again. Cut into pieces, each under a lease of its " +
				"own and repeatable without harm, a successor goes on where the last piece ended.",
			Example: "30m under an RTO of 60s: T_max is 59.3s, 57.1s of it for work, so 32 pieces.",
			See:     []string{"LP119", "idempotency"},
		},
	},
}
