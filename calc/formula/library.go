package formula

var library = Section{
	Title: "A lock library, as the model sees it",
	Intro: "Libraries differ in what they round and to which side, what is an error and what is bent in silence, when somebody " +
		"else can own the lock at the earliest and at the latest, when a cut-off holder is told, how a failed renewal is tried " +
		"again, and whether a fencing token comes with the lock.",
	Entries: []Entry{
		{
			ID: "L1", Title: "safe by itself",
			Formula: "loss(T) + stop time + P < free_min(T) (1 - rho)",
			Symbols: []string{"T", "P", "rho"},
			Why: "The library tells a cut-off holder that its lock is lost, the application stops, and only then can somebody else " +
				"own it. Where the order is not certain, or the library tells nobody, the application has to stop by itself at S, " +
				"and the emitted config says so.",
			Example: "A library that signals 3s after the last renewal of a lease of 2s lets two hold the lock for 1s, and a pause comes on top. One that signals after 10s on a lease that others can take after 15s leaves less than 5s for the pause and for stopping.",
			See:     []string{"R4", "LP112"},
		},
		{
			ID: "L2", Title: "checked as emitted",
			Formula: "after rounding and clamping, every formula again on the values as written",
			Why: "A TTL in whole seconds, a session that the server cuts to 20 ticks, an interval that the library fixes: what runs " +
				"is what is in the file, not what the plan worked out. TTLs are rounded up, intervals, waits, timeouts and the " +
				"maximum hold down.",
			Example: "A T_min of 3.2s becomes 4s where TTLs are whole seconds; its third is 1.333s in whole milliseconds.",
			See:     []string{"quantum"},
		},
	},
}
