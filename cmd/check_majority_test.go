package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two services of one plan file that count a lock's keys differently (LP530):
// the later one is told, once, and may say why it is right.
func TestMajorityOfServices(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	services := "apiVersion: lockplan/v1\nservices:\n"
	for _, name := range []string{"orders", "stock", "cart"} {
		services += "  " + name + ": {library: rueidislock, config: " + name + ".yaml}\n"
	}
	path := write("lockplan.yaml", services)
	write("orders.yaml", "NoLoopTracking: true\nKeyMajority: 1\n")
	write("cart.yaml", "NoLoopTracking: true\nKeyMajority: 1\n")
	write("stock.yaml", "NoLoopTracking: true\nKeyMajority: 1\n")
	if _, out, _ := run("", "check", "-f", path); strings.Contains(out, "LP530") {
		t.Errorf("one majority: %s", out)
	}
	write("stock.yaml", "NoLoopTracking: true\n") // 2
	if code, out, _ := run("", "check", "-f", path, "--out", "github=-"); code != 3 || strings.Count(out, "title=LP530") != 2 {
		t.Errorf("exit %d, want one LP530 for stock and one for cart: %s", code, out)
	}
	if _, out, _ := run("", "check", "-f", path, "--service", "orders", "--service", "cart"); strings.Contains(out, "LP530") {
		t.Errorf("orders and cart: %s", out)
	}
	path = write("lockplan.yaml", strings.Replace(services, "stock.yaml", "stock.yaml, ignore: [{rule: LP530, reason: shares no lock}]", 1))
	if _, out, _ := run("", "check", "-f", path, "--service", "orders", "--service", "stock", "--out", "github=-"); strings.Contains(out, "title=LP530") {
		t.Errorf("set aside: %s", out)
	}
}
