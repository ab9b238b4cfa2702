package formula

// Terms are the glossary, by name.
var Terms = []Entry{
	term("auto mode", "The mode of a plan that asks for none: a fixed lease where the hold has a bound, its tail is not heavy, T_min is at most 1m and the RTO allows it, else a renewed one. The plan says which and why; --mode decides.", []string{"F1", "R1"}, "auto", "mode"),
	term("bound", "A value that the truth does not exceed, with where it came from: claimed, observed with so many samples at some confidence, extrapolated, assumed or computed. A value without a bound is unbounded, and no TTL is made of it.", []string{"B1", "B2"}),
	term("clock skew", "The difference between two machines' wall clocks. It matters only where one writes an expiry that another judges; a server that measures the lease by its own clock has none.", []string{"C4", "LP117"}, "skew"),
	term("deadline", "When the caller of the whole operation gives up. It crosses every call below it: each retry spends what is left of it.", []string{"A1", "LP301"}),
	term("detection", "How long a waiter takes to notice that the lock is free: its poll interval, or the latency of a push.", []string{"C5"}, "detection delay", "detect"),
	term("drift", "The error in the rate of the holder's clock against the lock service's, as a ratio: 0.0002 is 200 ppm. It shortens the lease as the holder may count on it.", []string{"F1", "R1"}, "rho"),
	term("failover", "The lock service changes its leader. Renewals fail until it is done, and with asynchronous replication the new leader may not know the lock at all.", []string{"C2", "LP111"}),
	term("fencing token", "A number that grows with every grant of the lock and travels with every write. The guarded resource refuses a smaller number than it has seen, so that a late write of an old holder does no harm. Only the resource can do that; the lock cannot.", []string{"LP114", "LP118"}, "fencing", "fence"),
	term("fixed lease", "A lease that nobody renews. It has to outlast the work; its maximum hold is its stop-work point.", []string{"F1", "F2"}, "fixed"),
	term("folk rule", "A TTL by habit: 30 s, 2 to 3 times the longest hold, 1.5 to 2 times the P99. The trade-off table shows what each would cost beside the planned one.", []string{"F1"}, "rule of thumb"),
	term("four clocks", "Acquire wait, lease TTL, renew-call timeout and business deadline. Each answers a question of its own, and one number for two of them is a finding.", []string{"A1", "F1", "R2", "LP313"}),
	term("hold", "The time from taking the lock to the last write under it: the critical section. Planned at a tail percentile of the same traffic and release, never at the mean.", []string{"F1", "B7"}, "critical section", "hold time"),
	term("idempotency", "A second run of the same work does no harm. It is the last line where a lock may be lost and nothing fences.", []string{"O2", "LP114"}, "idempotent"),
	term("lag", "How long after its end an expired lease is really free: an expiry scan, a tick, a doubled TTL. By library.", []string{"C5"}),
	term("lease", "A lock that ends by itself after its TTL. Without one a dead holder's lock stays for ever; with one a slow holder may lose it alive.", []string{"F1", "R1"}),
	term("margin", "What the network and the scheduler may add to one call: round trip, jitter and the wait for a CPU. 700 ms is assumed when nothing was measured.", []string{"F1", "LP208"}),
	term("outage", "A stretch in which the lock service answers nobody. It survives on what is left of each lease.", []string{"C2", "LP111"}),
	term("owner check", "Release and renewal compare the holder's own value with the stored one, atomically. Without it a late holder frees somebody else's lock.", []string{"LP114"}, "owner-only release"),
	term("pause budget", "The longest single stop of the whole process that a plan must survive: a garbage collection, a throttled container, a stalled or migrated machine. The process does not notice it.", []string{"B8", "C3", "LP110"}, "pause", "process pause"),
	term("percentile", "P99.9 is the value that one of a thousand holds exceeds. Leases are planned there because they are lost there.", []string{"B3"}, "quantile"),
	term("quantum", "The step that a library can express: whole milliseconds, whole seconds, ticks. TTLs are rounded up to it, intervals, waits and timeouts down.", []string{"L2"}),
	term("renew call", "One renewal with everything it may wait for: a free connection, every retry of the client, every timeout. It must be shorter than the renew interval.", []string{"R2", "LP108"}, "renew timeout", "renew-call timeout"),
	term("renew interval", "How often a healthy holder extends its lease: a third of the TTL to start with, then checked against the failures it has to tolerate.", []string{"R1", "LP107"}, "renewal", "renew"),
	term("renewed lease", "A lease that a watchdog extends while the work goes on. Its TTL depends on pauses, the network and failures, not on the work, and it needs a maximum hold.", []string{"R1", "R3", "H1"}, "renewed"),
	term("RTO", "Recovery time objective: how long a crash of the holder may block everybody else.", []string{"O1", "LP102"}, "recovery target", "recovery time objective"),
	term("stop-work point", "How long after the last confirmed acquire or renewal was sent the holder may still start a side effect. Past it the holder waits or gives up, whatever the library says.", []string{"F2", "R4", "LP112"}, "stop work"),
	term("takeover", "The time from a holder's death to the next holder: what is left of the lease, the service's lag, the waiter's notice and a round trip.", []string{"C5", "K4"}),
	term("TTL", "How long a silent holder keeps the lock. It says nothing about how long a caller waits for it, nor how long the work may take when something renews it.", []string{"F1", "R1", "O1"}, "lease TTL", "time to live"),
	term("utilisation", "The share of time in which one key is held: arrivals times mean hold. Queues grow without end at 1 and are long well before.", []string{"A4", "LP306"}, "utilization", "contention"),
	term("watchdog", "The part of a library that renews while the holder's process lives. Often switched off without a word by giving a lease time.", []string{"R1", "LP105"}, "renewer"),
}

func term(name, meaning string, see []string, also ...string) Entry {
	return Entry{ID: name, Title: name, Also: also, Why: meaning, See: see}
}
