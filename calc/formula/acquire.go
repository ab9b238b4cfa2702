package formula

var acquire = Section{
	Title: "Waiting for the lock",
	Intro: "How long a caller may queue has nothing to do with how long the lease is. It follows from the deadline of the whole " +
		"operation: a lock taken too late dooms the request and is held all the same.",
	Entries: []Entry{
		{
			ID: "A1", Title: "acquire wait", Also: []string{"acquire wait", "wait"},
			Formula: "A = D - B - R - C",
			Symbols: []string{"A", "D", "B", "R", "C"},
			Why: "After the lock comes the work, then the reply, and perhaps a question whether the write got through. What is left " +
				"of the deadline is the wait. A caller that gets the lock later does work that nobody waits for, and the next " +
				"caller waits for it.",
			Example: "A deadline of 1s with 450ms of work and 100ms for the reply leaves a wait of 450ms; waiting until 900ms is an error.",
			See:     []string{"LP301", "deadline"},
		},
		{
			ID: "A2", Title: "attempts", Also: []string{"attempt timeout"},
			Formula: "Ta <= min(M, A); attempts = floor((A + d) / (Ta + d)); (retries + 1) timeout + retries interval <= A",
			Symbols: []string{"Ta", "M", "A", "d"},
			Why: "One attempt that sits on a dead socket must not eat the whole wait. And a client's own retries multiply its " +
				"timeout: what counts is the chain, as that library really builds it.",
			Example: "A wait of 450ms with attempts of 100ms and 50ms between them is 3 attempts. A timeout of 200ms with 3 retries 200ms apart is 1.4s, not 800ms.",
			See:     []string{"LP303", "LP309"},
		},
		{
			ID: "A3", Title: "outliving a dead holder",
			Formula: "A >= T + lag + W",
			Symbols: []string{"A", "T", "lag", "W"},
			Why: "A caller that waits for less fails for as long as the dead holder's lease lasts. That is often right, since most " +
				"requests cannot wait that long; it should be known for how long they fail.",
			Example: "A wait of 450ms against a takeover of 3.7s: callers fail for 3.25s after a crash.",
			See:     []string{"LP304", "takeover"},
		},
		{
			ID: "A4", Title: "queueing",
			Formula: "last of N contenders: (N - 1) h; utilisation = lambda E[H], below 1",
			Symbols: []string{"N", "h", "lambda"},
			Why: "One key serves one holder at a time, so the last waits for all the others. With steady arrivals the queue grows " +
				"slowly at first and without end at a utilisation of 1: no wait is long enough then, only finer keys or shorter " +
				"holds help.",
			Example: "30 callers that hold for 200ms each: the last waits 5.8s.",
			See:     []string{"LP305", "LP306", "utilisation"},
		},
		{
			ID: "A5", Title: "work without a deadline", Also: []string{"queue SLA"},
			Formula: "a queue SLA instead of D; threads held = lambda min(A, wait)",
			Symbols: []string{"D", "lambda", "A"},
			Why: "Asynchronous work may wait longer, but not for ever: each waiting caller keeps a thread and a connection, and a " +
				"stuck key fills the pool with them.",
			Example: "100 callers a second that wait 2s hold 200 threads.",
			See:     []string{"LP307", "LP308"},
		},
		{
			ID: "A6", Title: "validity after acquiring", Also: []string{"validity"},
			Formula: "T(1 - rho) - time spent acquiring > h (fixed), > I (renewed)",
			Symbols: []string{"T", "rho", "h", "I"},
			Why: "The lease runs from the first request. A lock that took several tries to get, or sat in a local buffer, may be over " +
				"before the work begins.",
			Example: "A lease of 1s that took 700ms to acquire has 300ms left, too little for a hold of 300ms.",
			See:     []string{"LP115"},
		},
	},
}
