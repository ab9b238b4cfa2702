package source

import "bytes"

// jtlXML is JMeter's result file as XML. Samples inside a sample are parts of
// it: only the outer one counts.
var jtlXML = format{
	name:  "jtl-xml",
	about: "JMeter results as XML (JTL); --metric is the label of the sampler",
	sniff: func(head []byte) bool { return bytes.Contains(head[:min(len(head), 1024)], []byte("<testResults")) },
	read: func(in *input, q *Query) (*Observation, error) {
		l := newLines(in)
		j, err := newJTL(in, q)
		if err != nil {
			return nil, err
		}
		depth, ended := 0, false
		for {
			line, ok := l.next()
			if !ok {
				break
			}
			for {
				at := bytes.IndexByte(line, '<')
				if at < 0 {
					break
				}
				line = line[at+1:]
				tag, isSample := line, false
				switch {
				case bytes.HasPrefix(line, []byte("sample ")), bytes.HasPrefix(line, []byte("httpSample ")):
					isSample = true
				case bytes.HasPrefix(line, []byte("/sample>")), bytes.HasPrefix(line, []byte("/httpSample>")):
					depth--
				case bytes.HasPrefix(line, []byte("/testResults>")):
					ended = true
				case isOtherSample(line):
					return nil, in.usagef(l.n, "an element that JMeter does not write: %s", show(line)).
						Hintf("sample and httpSample, their attributes on the same line, as JMeter writes them")
				}
				if !isSample {
					continue
				}
				end := tagEnd(tag)
				if end < 0 {
					return nil, in.usagef(l.n, "a sample that does not end on its line")
				}
				line = tag[end:]
				if depth == 0 {
					failed := string(attribute(tag[:end], "s")) == "false"
					if err := j.take(unescapeXML(attribute(tag[:end], "lb")), attribute(tag[:end], "t"), failed, attribute(tag[:end], "rc"), l.n); err != nil {
						return nil, err
					}
				}
				if tag[end-1] != '/' {
					depth++
				}
			}
		}
		if l.err != nil {
			return nil, l.err
		}
		if !ended || depth != 0 {
			return nil, in.usagef(l.n, "the XML is cut off: no </testResults>")
		}
		return j.observe()
	},
}

// isOtherSample says that a tag is a sample in a form that is not read, such as
// graphqlSample: passed over, it would be missing.
func isOtherSample(tag []byte) bool {
	end := bytes.IndexAny(tag, " \t/>")
	if end < 0 {
		end = len(tag)
	}
	name := tag[:end]
	return bytes.HasSuffix(name, []byte("Sample")) || string(name) == "sample"
}

// tagEnd is where the > of a tag stands, outside of quotes, or -1.
func tagEnd(tag []byte) int {
	quoted := false
	for i, c := range tag {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '>' && !quoted:
			return i
		}
	}
	return -1
}

// attribute is the value of a tag's attribute as written.
func attribute(tag []byte, name string) []byte {
	for {
		at := bytes.IndexByte(tag, '"')
		if at < 0 {
			return nil
		}
		end := bytes.IndexByte(tag[at+1:], '"')
		if end < 0 {
			return nil
		}
		key := bytes.TrimRight(tag[:at], "= ")
		if space := bytes.LastIndexByte(key, ' '); space >= 0 {
			key = key[space+1:]
		}
		if string(key) == name {
			return tag[at+1 : at+1+end]
		}
		tag = tag[at+end+2:]
	}
}

func unescapeXML(text []byte) []byte {
	if bytes.IndexByte(text, '&') < 0 {
		return text
	}
	for _, pair := range [][2]string{{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}} {
		text = bytes.ReplaceAll(text, []byte(pair[0]), []byte(pair[1]))
	}
	return text
}
