package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// memory is a Lease in memory that can be made to fail.
type memory struct {
	sync.Mutex
	record  resourcelock.LeaderElectionRecord
	have    bool
	failing bool
	written time.Time // last successful update
}

func (m *memory) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	m.Lock()
	defer m.Unlock()
	if m.failing {
		return nil, nil, errors.New("the API server is gone")
	}
	if !m.have {
		return nil, nil, notFound{}
	}
	r := m.record
	return &r, []byte(r.RenewTime.String() + r.HolderIdentity), nil
}

func (m *memory) Create(_ context.Context, r resourcelock.LeaderElectionRecord) error {
	return m.put(r)
}
func (m *memory) Update(_ context.Context, r resourcelock.LeaderElectionRecord) error {
	return m.put(r)
}

func (m *memory) put(r resourcelock.LeaderElectionRecord) error {
	m.Lock()
	defer m.Unlock()
	if m.failing {
		return errors.New("the API server is gone")
	}
	m.record, m.have, m.written = r, true, time.Now()
	return nil
}

func (m *memory) RecordEvent(string) {}
func (m *memory) Identity() string   { return "probe" }
func (m *memory) Describe() string   { return "memory" }

type notFound struct{}

func (notFound) Error() string { return "not found" }
func (notFound) Status() metav1.Status {
	return metav1.Status{Reason: metav1.StatusReasonNotFound, Code: 404}
}

func election(m *memory, lease, renew, retry time.Duration) leaderelection.LeaderElectionConfig {
	return leaderelection.LeaderElectionConfig{
		Lock: m, LeaseDuration: lease, RenewDeadline: renew, RetryPeriod: retry, Name: "probe",
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(ctx context.Context) { <-ctx.Done() }, OnStoppedLeading: func() {}},
	}
}

// clientGoEdge asks client-go which configurations it takes: LEASE RENEW RETRY
// triples.
func clientGoEdge(args []string) error {
	for i := 0; i+2 < len(args); i += 3 {
		var d [3]time.Duration
		for j := range d {
			var err error
			if d[j], err = time.ParseDuration(args[i+j]); err != nil {
				return err
			}
		}
		_, err := leaderelection.NewLeaderElector(election(&memory{}, d[0], d[1], d[2]))
		say(map[string]any{"lease": args[i], "renew": args[i+1], "retry": args[i+2], "taken": err == nil})
	}
	return nil
}

// clientGoLocks asks client-go which locks it makes.
func clientGoLocks(args []string) error {
	for _, lock := range args {
		_, err := resourcelock.New(lock, "default", "probe", nil, nil, resourcelock.ResourceLockConfig{Identity: "probe"})
		say(map[string]any{"lock": lock, "taken": err == nil})
	}
	return nil
}

// clientGoStop is how long after its last success a leader stops, and what the
// record says of the lease.
func clientGoStop([]string) error {
	m := &memory{}
	stopped := make(chan time.Time, 1)
	c := election(m, 4900*time.Millisecond, 2*time.Second, time.Second)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.Callbacks.OnStoppedLeading = func() { stopped <- time.Now() }
	e, err := leaderelection.NewLeaderElector(c)
	if err != nil {
		return err
	}
	go e.Run(ctx)
	time.Sleep(2500 * time.Millisecond)
	m.Lock()
	m.failing = true
	last, stored := m.written, m.record.LeaseDurationSeconds
	m.Unlock()
	end := <-stopped
	say(map[string]any{"after_success_ms": ms(end.Sub(last)), "stored_seconds": stored})
	return nil
}

// clientGoHang is how long after its last success a leader stops whose API
// server takes its calls and never answers them, with a client timeout of two
// minutes.
func clientGoHang([]string) error {
	var lock sync.Mutex
	var lease []byte
	var written time.Time
	hanging := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hanging:
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		default:
		}
		lock.Lock()
		defer lock.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodGet && lease == nil:
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
			return
		case r.Method != http.MethodGet:
			lease, _ = io.ReadAll(r.Body)
			written = time.Now()
		}
		w.Write(lease)
	}))
	defer server.Close()
	client, err := coordination.NewForConfig(&rest.Config{Host: server.URL, Timeout: 2 * time.Minute, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	if err != nil {
		return err
	}
	stopped := make(chan time.Time, 1)
	c := election(nil, 5*time.Second, 2*time.Second, time.Second)
	c.Lock = &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "probe", Namespace: "default"}, Client: client, LockConfig: resourcelock.ResourceLockConfig{Identity: "probe"}}
	c.Callbacks.OnStoppedLeading = func() { stopped <- time.Now() }
	e, err := leaderelection.NewLeaderElector(c)
	if err != nil {
		return err
	}
	go e.Run(context.Background())
	time.Sleep(2500 * time.Millisecond)
	close(hanging)
	lock.Lock()
	last := written
	lock.Unlock()
	say(map[string]any{"after_success_ms": ms((<-stopped).Sub(last))})
	server.CloseClientConnections()
	return nil
}

// candidate is one of several electors of a Lease; a dead one reaches the API
// server no more.
type candidate struct {
	*memory
	id   string
	dead *atomic.Bool
}

func (c candidate) Identity() string { return c.id }

func (c candidate) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if c.dead.Load() {
		return errors.New("cut off")
	}
	return c.memory.Update(ctx, r)
}

// clientGoTakeover is how long after the last renewal of a leader that died a
// follower leads, in several elections side by side.
func clientGoTakeover([]string) error {
	var all sync.WaitGroup
	rows := make([]map[string]any, 8)
	for i := range rows {
		all.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			m, dead, leads := &memory{}, &atomic.Bool{}, make(chan time.Time, 1)
			first := election(m, 2*time.Second, time.Second, 300*time.Millisecond)
			first.Lock = candidate{m, "first", dead}
			second := election(m, 2*time.Second, time.Second, 300*time.Millisecond)
			second.Lock = candidate{m, "second", &atomic.Bool{}}
			second.Callbacks.OnStartedLeading = func(context.Context) { leads <- time.Now() }
			go leaderelection.RunOrDie(ctx, first)
			time.Sleep(200 * time.Millisecond)
			go leaderelection.RunOrDie(ctx, second)
			time.Sleep(time.Duration(1000+70*i) * time.Millisecond)
			dead.Store(true)
			m.Lock()
			last := m.written
			m.Unlock()
			rows[i] = map[string]any{"ms": ms((<-leads).Sub(last))}
		})
	}
	all.Wait()
	for _, row := range rows {
		say(row)
	}
	return nil
}
