package bench

import (
	"bytes"
	"fmt"
	"sync"
)

// size of the inputs; the rates do not depend on it.
const size = 64 << 20

// text is an exposition of 38 histogram families, five labels and 20 bounds.
var text = sync.OnceValue(func() []byte {
	var page bytes.Buffer
	family := -1
	for i := 0; page.Len() < size; i++ {
		n := page.Len() / (size/38 + 1)
		name := fmt.Sprintf("service_%02d_duration_seconds", n)
		if n != family {
			family = n
			fmt.Fprintf(&page, "# HELP %s Time.\n# TYPE %s histogram\n", name, name)
		}
		labels := fmt.Sprintf(`cluster="eu-west-1",instance="10.0.%d.%d:9090",job="checkout",method="POST",route="/api/v1/orders/%d"`, i/250%250, i%250, i)
		total := 0
		for b := range 20 {
			total += i % (b + 7)
			fmt.Fprintf(&page, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, 0.001*float64(int(1)<<b), total)
		}
		fmt.Fprintf(&page, "%s_bucket{%s,le=\"+Inf\"} %d\n%s_sum{%s} %d.5\n%s_count{%s} %d\n", name, labels, total, name, labels, total, name, labels, total)
	}
	return page.Bytes()
})

// matrix is a range query's answer: 720 points of each bucket.
var matrix = sync.OnceValue(func() []byte {
	var page bytes.Buffer
	page.WriteString(`{"status":"success","data":{"resultType":"matrix","result":[`)
	for i := 0; page.Len() < size; i++ {
		for b := range 21 {
			le := fmt.Sprintf("%g", 0.001*float64(int(1)<<b))
			if b == 20 {
				le = "+Inf"
			}
			if i+b > 0 {
				page.WriteByte(',')
			}
			fmt.Fprintf(&page, `{"metric":{"__name__":"h_seconds_bucket","instance":"10.0.%d.%d:9090","le":"%s"},"values":[`, i/250, i%250, le)
			for p := range 720 {
				if p > 0 {
					page.WriteByte(',')
				}
				fmt.Fprintf(&page, `[%d,"%d"]`, 1764500000+60*p, (b+1)*(1000+p))
			}
			page.WriteString("]}")
		}
	}
	page.WriteString("]}}")
	return page.Bytes()
})
