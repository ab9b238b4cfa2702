// Command grpc is a health service of the same kind: most answers take some
// milliseconds, 1 in 50 takes 1.2 s, 1 in 40 is refused, 1 in 60 never comes.
package main

import (
	"context"
	"net"
	"os"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
)

type health struct {
	healthpb.UnimplementedHealthServer
	n atomic.Int64
}

func (h *health) Check(ctx context.Context, _ *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	i := h.n.Add(1)
	switch {
	case i%60 == 30:
		<-ctx.Done()
		return nil, ctx.Err()
	case i%40 == 7:
		return nil, status.Error(codes.Unavailable, "lock service is down")
	case i%50 == 11:
		time.Sleep(1200 * time.Millisecond)
	default:
		time.Sleep(time.Duration(2+i%7) * time.Millisecond)
	}
	return &healthpb.HealthCheckResponse{Status: healthpb.HealthCheckResponse_SERVING}, nil
}

func main() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		panic(err)
	}
	s := grpc.NewServer()
	healthpb.RegisterHealthServer(s, &health{})
	reflection.Register(s)
	s.Serve(l)
}
