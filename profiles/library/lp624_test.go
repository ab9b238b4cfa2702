package library

import (
	"testing"
	"time"
)

// Of consul/api only Lock.Lock (for a session of its own) and RenewPeriodic
// call PUT /v1/session/renew.
func TestLP624(t *testing.T) {
	ruleEdges(t, "LP624", []ruleEdge{
		{"info", "consul", []string{"http=true", "SessionTTL=30s"}},
		{"", "consul", []string{"http=true", "SessionTTL=30s", "renewer=true"}},
		{"", "consul", []string{"http=true", "SessionTTL=30s", "renewer=false"}},
		{"", "consul", []string{"SessionTTL=30s"}},
	})
	for _, args := range [][]string{{"http=true", "SessionTTL=30s"}, {"SessionTTL=30s", "renewer=false"}} {
		if l := judged(t, "consul", args...).Run.Lease; l.Renews() || l.TTL != 30*time.Second {
			t.Errorf("%v: %s, renewed every %s", args, l.TTL, l.Interval)
		}
	}
}

func TestConsulSessionByHandIsRenewedByHand(t *testing.T) {
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for create, more := range map[string]string{
		`id, _, _ := c.Session().CreateNoChecks(&api.SessionEntry{TTL: "30s"}, nil)`: "go c.Session().RenewPeriodic(\"30s\", id, nil, done)",
		`id, _, _ := c.Session().Create(&api.SessionEntry{TTL: "30s"}, nil)`:         "c.Session().Renew(id, nil)",
	} {
		for renewed, code := range map[string]string{"false": create, "": create + "\n\t" + more} {
			values, err := Parse(lib, "lock.go", []byte("package a\n\nfunc f() {\n\t"+code+"\n}\n"))
			if err != nil || values["renewer"].Text != renewed || values["SessionTTL"].Text != "30s" {
				t.Errorf("%s: %v, %v", code, values, err)
			}
		}
	}
}

// A body without a TTL is one as well: LockOptions have no Name.
func TestConsulBodyByName(t *testing.T) {
	lib, err := Get("consul")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{`{"Name":"x","LockDelay":15}`, `{"LockDelay":15,"Name":"x"}`} {
		values, err := Parse(lib, "session.json", []byte(page))
		if err != nil || values["LockDelay"].Text != "15s" || values["http"].Text != "true" {
			t.Errorf("%s: %v, %v", page, values, err)
		}
	}
}
