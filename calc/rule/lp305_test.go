package rule

import "testing"

func TestLP305(t *testing.T) {
	in := bare()
	in.Hold, in.Contenders = is("25s"), 2 // RedLock.net: 22 s behind a hold of 25 s
	for wait, want := range map[string]string{"22s": "error", "24999ms": "error", "25s": ""} {
		says(t, LP305, running(t, in, renewed("10s", "3s", "1s"), Setup{Wait: is(wait)}), want)
	}
	in.Hold, in.Contenders = is("200ms"), 30 // node-redlock: 30 users of 200 ms, 5.8 s
	contains(t, first(t, LP305, running(t, in, fixed("1s"), Setup{Wait: is("2s")})).Fix, "at least 5.8s")
	in.QueueSLA, in.Pause = is("2s"), is("1s")
	says(t, LP305, planned(t, in), "error")
	// redsync: 31 delays of 50 to 250 ms between 32 tries are 1.55 s for sure.
	in = bare()
	in.Hold, in.Contenders = is("5s"), 2
	says(t, LP305, running(t, in, fixed("30s"), Setup{Wait: is("7.75s"), WaitLeast: is("1.55s")}), "error")
	says(t, LP305, running(t, in, fixed("30s"), Setup{Wait: is("7.75s"), WaitLeast: is("5s")}), "")

	// Of a configuration that says no wait the deadline leaves 49 s, of 50 s needed.
	in = bare()
	in.Hold, in.Contenders, in.Deadline, in.Work, in.Reply = is("25s"), 3, is("50s"), is("1s"), is("0s")
	says(t, LP305, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "error")
	in.Deadline = is("51s")
	says(t, LP305, running(t, in, renewed("10s", "3s", "1s"), Setup{}), "")
	in.Contenders = 0
	says(t, LP305, planned(t, in), "not checked")
}
