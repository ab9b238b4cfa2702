package library

import "testing"

// A mode and a kind of lock that Java calls for.
func TestRedissonJava(t *testing.T) {
	lib, err := Get("redisson@4.2")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"c.useClusterServers().setTimeout(300); r.getFairLock(\"x\");":                                                                                                    "mode=cluster lockType=fair",
		"c.useReplicatedServers().setTimeout(300); r.getLock(\"x\");":                                                                                                     "mode=replicated lockType=",
		"c.useSentinelServers().setTimeout(300); r.getSpinLock(\"x\", b);":                                                                                                "mode=sentinel lockType=spin",
		"c.useMasterSlaveServers().setTimeout(300); r.getFencedLock(\"x\");":                                                                                              "mode=masterSlave lockType=fenced",
		"c.useSingleServer().setTimeout(300); r.getReadWriteLock(\"x\").readLock();":                                                                                      "mode=single lockType=read",
		"class A { void a() { c.useClusterServers()\n.setTimeout(300); }\nvoid b() { r.getFairLock(\"x\"); }\nvoid c() { r.getFairLock(\"y\"); r.getSpinLock(\"z\"); } }": "mode=cluster lockType=fair",
		"RLock getFairLock(String name) { return r.getLock(name); } void f() { c.setLockWatchdogTimeout(9000); }":                                                         "mode= lockType=",
		"// useClusterServers()\nString s = \"getFairLock(\"; c.setLockWatchdogTimeout(9000);":                                                                            "mode= lockType=",
		"RLock l() { return getFairLock(\"x\"); }":                                                                                                                        "mode= lockType=fair",
	} {
		values, err := Parse(lib, "A.java", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := "mode=" + values["mode"].Text + " lockType=" + values["lockType"].Text; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	all, err := ParseAll(lib, "A.java", []byte("class A { void a() { c.useClusterServers().setTimeout(300); }\nvoid b() { c.useSingleServer().setTimeout(400); } }"))
	if err != nil || len(all) != 2 || all[0].Values["mode"].Text != "cluster" || all[1].Values["mode"].Text != "single" {
		t.Errorf("two modes: %v %v", all, err)
	}
}
