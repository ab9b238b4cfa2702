package library

import "regexp"

// lefts are what may stand before the sign of a definition: a name, its type
// behind it or behind a colon.
var lefts = []*regexp.Regexp{
	regexp.MustCompile(`(?:^|[^\w.])([\w.]+)\s*$`),
	regexp.MustCompile(`(?:^|[^\w.])([\w.]+)\s+[\w.]+\s*$`),
	regexp.MustCompile(`(?:^|[^\w.])([\w.]+)\s*:\s*[\w.]+\s*$`),
	regexp.MustCompile(`(?:^|[^\w.])([\w.]+)\s+[\w.]+\s*:\s*[\w.]+\s*$`),
}

// definitions are the places of the values that the file gives to each name
// alone.
func (s source) definitions() map[string][]int {
	out := map[string][]int{}
	for _, at := range assignSign.FindAllStringIndex(s.names, -1) {
		sign, value := at[0], at[1]
		if _, several := s.several[sign]; several || value < len(s.names) && (s.names[value] == '=' || s.names[value] == '>') {
			continue
		}
		left := s.names[max(0, sign-longestLeft):sign]
		for _, pattern := range lefts {
			if m := pattern.FindStringSubmatch(left); m != nil {
				out[m[1]] = append(out[m[1]], value)
			}
		}
	}
	return out
}
