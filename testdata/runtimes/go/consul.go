package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/hashicorp/consul/api"
)

// consulEdge is what the Go API sends for a lock delay: 0 is left out.
func consulEdge([]string) error {
	for _, delay := range []time.Duration{0, time.Millisecond, 15 * time.Second, 90 * time.Second} {
		body := make(chan string, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text := make([]byte, r.ContentLength)
			r.Body.Read(text)
			body <- string(text)
			w.Write([]byte(`{"ID":"x"}`))
		}))
		c, err := api.NewClient(&api.Config{Address: server.URL})
		if err != nil {
			return err
		}
		_, _, err = c.Session().Create(&api.SessionEntry{TTL: "15s", LockDelay: delay}, nil)
		sent := <-body
		server.Close()
		say(map[string]any{"delay": delay.String(), "sent": strings.Contains(sent, "LockDelay"), "body": sent, "error": err != nil})
	}
	return nil
}
