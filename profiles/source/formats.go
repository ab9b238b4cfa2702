package source

import (
	"io"
	"strings"

	"github.com/lockplan/lockplan/calc/fault"
)

// format is one form of input: how to know it and how to read it.
type format struct {
	name  string
	about string // one line, for people who choose
	// sniff looks at the start of an input.
	sniff func(head []byte) bool
	read  func(in *input, q *Query) (*Observation, error)
	// counters says that it holds counters of which two snapshots differ.
	counters bool
}

// formats is the registry, in the order in which content is looked at.
var formats = []format{
	cfs,
	zooKeeper,
	ghz, // before promJSON: its options have "data", its calls "status"
	promProto,
	promDump,
	promText,
	promJSON,
	otlp,
	hdrLog,
	vegetaHDRPlot, // before hgrm, which its header looks like
	hgrm,
	cyclictest,
	vegeta,
	vegetaReport,
	hey,
	heyCSV,
	wrk,
	oha,
	fortio,
	jaeger,
	otlpSpans,
	k6Points,
	k6CSV,
	k6Summary,
	jvmLog,
	gctrace,
	nodeGC,
	chrony, // before fping, whose replies look like "Stratum : 3"
	ntpq,
	fping,
	ping,
	mtr,
	redisIntrinsic,
	redisInfo,
	redisHistogram,
	redisLatency,
	jtl,
	jtlXML,
	durations,
	csvTable,
	ndjson,
}

// Read reads one input, gzip and zstd included. Errors are *fault.Error: a
// usage error names file and line, or the metrics that are there; an input
// without samples is a NoData error. A broken histogram is an Observation
// without Dist whose LP206 finding says where.
func Read(name string, r io.Reader, q Query) (*Observation, error) {
	if q.Measures == "" {
		q.Measures = Latency
	}
	if q.Unit != "" && units[q.Unit] == 0 {
		return nil, fault.Usagef("unit %s is not one of s, ms, us, ns", show(q.Unit))
	}
	in, err := open(name, r)
	if err != nil {
		return nil, err
	}
	defer in.stop()
	f, err := choose(in, q.Format)
	if err != nil {
		return nil, err
	}
	if err := f.selects(name, &q); err != nil {
		return nil, err
	}
	if q.Earlier != nil {
		if !f.counters {
			return nil, fault.Usagef("%s: %s has no counters to subtract an earlier snapshot from", show(name), f.name)
		}
		if q.base, err = takeBaseline(&q); err != nil {
			return nil, err
		}
	}
	if q.used != nil && f.counters {
		q.kept = &baseline{families: make(map[string]map[uint64]*snapshot)}
	}
	o, err := f.read(in, &q)
	if err != nil {
		return nil, err
	}
	o.File, o.counters = name, q.kept
	o.Format = f.name
	in.unread.tell(o, f.name, q.Format != "")
	o.judgeGiven(&q)
	o.tellWhole(&q)
	if o.Measures == "" {
		o.Measures = q.Measures
	}
	if o.Measures == Latency && o.Dist != nil && o.Dist.Count() > 0 {
		o.censor()
	}
	o.widen()
	for i := range o.Findings {
		o.Findings[i].File = name
	}
	return o, nil
}

func choose(in *input, name string) (format, error) {
	var names []string
	for _, f := range formats {
		if f.name == name || name == "" && f.sniff(in.head) {
			return f, nil
		}
		names = append(names, f.name)
	}
	if name != "" {
		return format{}, fault.Usagef("format %s is not known", show(name)).Hintf("one of %s", strings.Join(names, ", "))
	}
	for _, u := range unreadable {
		if u.is(in.head) {
			return format{}, fault.Usagef("%s is %s, which does not say enough or is not read", show(in.name), u.what).Hintf("%s", u.way)
		}
	}
	return format{}, fault.Usagef("%s is in no format that is known", show(in.name)).
		Hintf("--format with one of %s", strings.Join(names, ", "))
}
