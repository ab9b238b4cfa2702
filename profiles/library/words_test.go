package library

import "testing"

// Enumerations in the spelling of the library's source: classes and constants.
func TestWordsAsSourceHasThem(t *testing.T) {
	for _, row := range []struct{ library, key, text, want string }{
		{"curator", "connectionStateErrorPolicy", "SessionConnectionStateErrorPolicy", "session"},
		{"curator", "connectionStateErrorPolicy", "new StandardConnectionStateErrorPolicy()", "standard"},
		{"curator", "connectionStateErrorPolicy", "org.apache.curator.framework.state.SessionConnectionStateErrorPolicy", "session"},
		{"redisson", "mode", "clusterServersConfig", "cluster"},
		{"redisson", "mode", "singleServerConfig", "single"},
		{"redisson", "mode", "masterSlave", "masterSlave"},
	} {
		if got := judged(t, row.library, row.key+"="+row.text).Run.Effective[row.key]; got != row.want {
			t.Errorf("%s %s: %q, want %q", row.key, row.text, got, row.want)
		}
	}
	if a, b := judged(t, "spring-integration", "expireAfter=10000", "redisLockType=RedisLockType.PUB_SUB_LOCK"),
		judged(t, "spring-integration", "expireAfter=10000", "redisLockType=PUB_SUB_LOCK"); severityOf(a, "LP543") != severityOf(b, "LP543") {
		t.Error("RedisLockType.PUB_SUB_LOCK is not PUB_SUB_LOCK")
	}
	if _, err := judgement("curator", "connectionStateErrorPolicy=bogus"); err == nil {
		t.Error("bogus is a policy")
	}
	for _, internal := range []string{"unknownKeys", "springPlaceholder"} {
		if _, err := judgement("redisson", internal+"=foo"); err == nil {
			t.Errorf("%s can be set", internal)
		}
	}
	if policy := configOf(t, "curator", "Client.java", `class C { Object c() { return CuratorFrameworkFactory.builder().sessionTimeoutMs(30000)
		.retryPolicy(new RetryNTimes(1, 100)).connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy()).build(); } }`)["connectionStateErrorPolicy"].Text; policy == "" {
		t.Error("the policy of a source file is not read")
	}
}

func configOf(t *testing.T, name, file, text string) Values {
	t.Helper()
	lib, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	values, err := Parse(lib, file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return values
}
