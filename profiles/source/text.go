package source

import "strconv"

// show quotes text that came from a file, so that nothing in it reaches a
// terminal, and cuts it to a line's length.
func show[T ~string | ~[]byte](text T) string {
	const longest = 80
	if len(text) > longest {
		return strconv.QuoteToASCII(string(text[:longest])) + "…"
	}
	return plainOr(string(text))
}

// plainOr leaves ordinary names unquoted.
func plainOr(text string) string {
	for _, c := range []byte(text) {
		ok := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == ':' || c == '.' || c == '-' || c == '/'
		if !ok {
			return strconv.QuoteToASCII(text)
		}
	}
	if text == "" {
		return `""`
	}
	return text
}

// count is "1 sample" or "3 samples".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
