package formula

var observations = Section{
	Title: "From observations to bounds",
	Intro: "Every number in a plan is an upper bound, and comes with where it is from: claimed, observed with so many samples, " +
		"extrapolated, or assumed. What the data cannot say is said, not guessed.",
	Entries: []Entry{
		{
			ID: "B1", Title: "the upper edge",
			Formula: "plan with the upper edge of the bucket that holds the rank",
			Why: "A histogram knows a sample only to its bucket. Interpolation assumes that samples are spread evenly inside it, and " +
				"nothing says that they are. The interpolated value is shown beside the edge, never instead of it.",
			Example: "A P99.9 in the bucket from 400ms to 800ms is planned as 800ms, even where interpolation says 600ms.",
			See:     []string{"LP203", "bound"},
		},
		{
			ID: "B2", Title: "the open bucket", Also: []string{"unbounded"},
			Formula: "a rank in the last, open bucket has no upper bound",
			Why: "All that is known is that the value lies above the last edge. Most tools print that edge, and a lease planned on it " +
				"is lost to every hold beyond. The plan renews instead, or stops with exit code 4 and names the bucket to add.",
			Example: "100 of 10 000 samples above a last edge of 1s: the P99.9 may be 2s or an hour.",
			See:     []string{"LP201", "LP104"},
		},
		{
			ID: "B3", Title: "enough samples", Also: []string{"confidence"},
			Formula: "upper bound = sample of the smallest rank j with P(Binomial(n, q) < j) >= c; it takes n >= ln(1 - c) / ln(q)",
			Symbols: []string{"q", "c"},
			Why: "The samples are one draw from what the service does. Even the slowest of too few may lie below the true " +
				"percentile, so the bound is a later sample, and with too few there is none.",
			Example: "At 95 % a P99 takes 299 samples, a P99.9 2995, a P99.99 29956.",
			See:     []string{"LP202"},
		},
		{
			ID: "B4", Title: "claims", Also: []string{"claim"},
			Formula: "a percentile without its samples is a claim",
			Why: "Summaries and flags give percentiles that cannot be merged, windowed or checked. A percentile that was averaged over " +
				"instances is refused: it hides the one instance that loses its lease.",
			Example: "P99.9 of 100ms on one instance and 4s on the other average to 2.05s, and the second instance loses a lease that is planned on it.",
			See:     []string{"LP205"},
		},
		{
			ID: "B5", Title: "the tail", Also: []string{"tail", "heavy tail"},
			Formula: "generalised Pareto above a high threshold; xi clearly above 0.25 is heavy",
			Symbols: []string{"xi"},
			Why: "The shape says how much worse the next worst case is. In a heavy tail each further nine multiplies the value, and no " +
				"TTL is long enough for a fixed lease. A value beyond the samples is a guess and marked so.",
			Example: "With xi = 0.5 each further nine makes the percentile about 3.2 times as long.",
			See:     []string{"LP104", "LP211"},
		},
		{
			ID: "B6", Title: "windows", Also: []string{"window"},
			Formula: "increase of a counter between two instants, restarts taken out",
			Why: "Counters run since the process started. What matters is the traffic and the release that will hold the lock, not the " +
				"warm-up of three weeks ago. A whole histogram restarts at once, so its counts are looked at together.",
			Example: "Counts of 1000, then 400 after a restart, then 900: the window holds at least 900, not -100.",
			See:     []string{"LP207"},
		},
		{
			ID: "B7", Title: "pauses inside the hold",
			Formula: "with --pause-included: T_min = (max(h, h_P50 + P) + M) / (1 - rho)",
			Symbols: []string{"T_min", "h", "P", "M", "rho"},
			Why: "A hold measured in wall time already contains the pauses that happened in its window. The budget covers one that did " +
				"not. Somebody who knows that the window holds the worst pause may plan the larger of the two, and must say so.",
			Example: "800ms at P99.9, 100ms at P50, 1.5s of pause and 700ms of margin: 2.3s instead of 3s.",
			See:     []string{"F1", "LP210"},
		},
		{
			ID: "B8", Title: "the longest pause",
			Formula: "P = the longest stop seen, its upper edge",
			Symbols: []string{"P"},
			Why: "A plan has to survive the pause that happens, and pauses are few: their percentiles say little. Round trips are many, " +
				"so theirs is a percentile; a lost reply counts as the tool's timeout, not as a fast one.",
			Example: "Of 10 000 stops all but one are below 120ms and the longest is 1.5s: P is 1.5s, while the P99.9 would be 120ms.",
			See:     []string{"pause budget", "LP202"},
		},
	},
}
