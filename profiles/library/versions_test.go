package library

import (
	"strings"
	"testing"
)

func TestVersionsKnown(t *testing.T) {
	for _, c := range []struct{ name, refused, untried string }{
		{"redisson", "", ""},
		{"redisson@4", "", ""},
		{"redisson@3.2", "", ""},
		{"redisson@4.2.7", "", ""},
		{"redisson@1.0", "", "older than 3.2"},
		{"redisson@3.1", "", "older than 3.2"},
		{"redisson@99.9", "", "redisson@99.9 is newer than 4.2"},
		{"redisson@4.3", "", "redisson@4.3 is newer than 4.2"},
		{"client-go@0.30", "", ""},
		{"client-go@0.1", "", "older than 0.30"},
		{"client-go@1.26", "", "older than 0.30"}, // Kubernetes 1.26
		{"client-go@1.30", "", ""},
		{"kubernetes@1.37", "", ""},
		{"client-go@0.99", "", "client-go@0.99 is newer than 0.37"},
		{"rueidislock@1.0", "", ""},
		{"rueidislock@1.0.75", "", "older than 1.0.76"},
		{"rueidislock@1.1", "", "newer than 1.0.79"},
		{"etcd@3.3", "", "older than 3.5"},
		{"etcd@3.6", "", ""},
		{"consul@1.20", "", "consul@1.20 is newer than 1.13"},
		{"consul@1.12", "", "older than 1.13"},
		{"spring-integration@6.3", "", ""}, // LP540 has something to say of it
		{"spring-integration@7.1", "", "newer than 6.5"},
		{"redislock@0.10", "", "newer than 0.9"},
		{"shedlock@6.6", "", ""}, // LP546 has something to say of it
		{"generic@1.0", "generic has no versions", ""},
	} {
		lib, err := Get(c.name)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %q", c.name, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if note := Untried(lib); !strings.Contains(note, c.untried) || c.untried == "" && note != "" {
			t.Errorf("%s: %q, want %q", c.name, note, c.untried)
		}
	}
	// The oldest and the newest of every sheet are known.
	for _, name := range Names() {
		lib, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range lib.Sheet().Versions {
			lib, err := Get(name + "@" + v)
			if err != nil || Untried(lib) != "" {
				t.Errorf("%s@%s: %v", name, v, err)
			}
		}
	}
}
