package source

import "strconv"

// number reads a float as the exposition formats write it: no hexadecimal and
// no underscores, which Go would take.
func number(text []byte) (float64, bool) {
	for _, c := range text {
		if c == 'x' || c == 'X' || c == '_' || c == 'p' || c == 'P' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return f, err == nil
}

// leadingNumber reads the number in front and gives what follows it: all of
// the text, or a blank and more.
func leadingNumber(text []byte) (value float64, rest []byte, ok bool) {
	var n uint64
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9' && i < 15:
			n = n*10 + uint64(c-'0')
		case (c == ' ' || c == '\t') && i > 0:
			return float64(n), text[i:], true
		default:
			return slowNumber(text)
		}
	}
	return float64(n), nil, len(text) > 0
}

func slowNumber(text []byte) (value float64, rest []byte, ok bool) {
	end := 0
	for end < len(text) && text[end] != ' ' && text[end] != '\t' {
		end++
	}
	value, ok = number(text[:end])
	return value, text[end:], ok
}

// percent reads 99.9 as the 0.999 that is written so, which a division would
// miss in the last digit.
func percent(text []byte) (float64, bool) {
	q, ok := number(append(append([]byte(nil), text...), "e-2"...))
	return q, ok && q >= 0 && q <= 1
}
