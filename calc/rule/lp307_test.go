package rule

import "testing"

func TestLP307(t *testing.T) {
	in := bare()
	says(t, LP307, running(t, in, fixed("1s"), Setup{}), "warning")
	says(t, LP307, running(t, in, fixed("1s"), Setup{Wait: is("0s")}), "")
	says(t, LP307, running(t, in, fixed("1s"), Setup{Period: is("1m")}), "") // a scheduled job does not wait
	in.QueueSLA = is("30s")
	says(t, LP307, running(t, in, fixed("1s"), Setup{}), "")
	in.QueueSLA, in.Deadline = is(""), is("1s")
	says(t, LP307, running(t, in, fixed("1s"), Setup{}), "")
}
