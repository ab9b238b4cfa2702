package formula

var maximumHold = Section{
	Title: "The maximum hold",
	Intro: "A watchdog renews for a task that hangs just as well as for one that works. Something has to say when enough is enough.",
	Entries: []Entry{
		{
			ID: "H1", Title: "maximum hold", Also: []string{"maximum hold", "max hold"},
			Formula: "renewed: 6 times h at P99 (h where P99 is not known), at least T; fixed: S",
			Symbols: []string{"h", "T", "S"},
			Why: "Far above the usual hold, so that it never cuts healthy work, and far below for ever. Past it the holder stops " +
				"renewing, stops working and raises an alarm: something is stuck.",
			Example: "A usual P99 of 20s gives a maximum hold of 2m.",
			See:     []string{"LP113", "LP116", "LP121"},
		},
	},
}
