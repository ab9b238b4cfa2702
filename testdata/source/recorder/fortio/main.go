// Command fortio runs fortio's own HTTP load and writes its JSON to the standard
// output and its summary to the other one: the command that fortio ships needs
// a module that is not served.
package main

import (
	"encoding/json"
	"os"
	"strconv"
	"time"

	"fortio.org/fortio/fhttp"
	"fortio.org/fortio/periodic"
)

func main() {
	n, _ := strconv.ParseInt(os.Args[2], 10, 64)
	timeout, _ := time.ParseDuration(os.Args[3])
	o := fhttp.HTTPRunnerOptions{RunnerOptions: periodic.RunnerOptions{QPS: -1, NumThreads: 4, Exactly: n, Percentiles: []float64{50, 75, 90, 99, 99.9}, Out: os.Stderr, Labels: "lock"}, AbortOn: 0}
	o.URL = os.Args[1]
	o.HTTPOptions.URL = os.Args[1]
	o.HTTPReqTimeOut = timeout
	o.DisableFastClient = len(os.Args) > 4
	r, err := fhttp.RunHTTPTest(&o)
	if err != nil {
		panic(err)
	}
	b, _ := json.MarshalIndent(r, "", "  ")
	os.Stdout.Write(b)
	os.Stdout.WriteString("\n")
}
