package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// svg writes a chart as text.
type svg struct{ body bytes.Buffer }

func newSVG() *svg { return &svg{} }

func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(text, ".0")
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func (s *svg) path(points []point) {
	s.body.WriteString(`<path d="`)
	for i, p := range points {
		word := "L"
		if i == 0 {
			word = "M"
		}
		s.body.WriteString(word + number(p.x) + " " + number(p.y))
	}
}

func (s *svg) fill(points []point, c color.NRGBA) {
	s.path(points)
	fmt.Fprintf(&s.body, "Z\" fill=\"%s\"", hex(c))
	if c.A < 0xff {
		fmt.Fprintf(&s.body, " fill-opacity=\"%.1f\"", float64(c.A)/0xff)
	}
	s.body.WriteString("/>\n")
}

func (s *svg) line(points []point, c color.NRGBA, width float64, dashed bool) {
	s.path(points)
	fmt.Fprintf(&s.body, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"", hex(c), number(width))
	if dashed {
		fmt.Fprintf(&s.body, " stroke-dasharray=\"%g %g\"", dash, pause)
	}
	s.body.WriteString("/>\n")
}

func (s *svg) text(x, y float64, text string, size float64, align int, c color.NRGBA) {
	anchor := [...]string{"start", "middle", "end"}[align+1]
	fmt.Fprintf(&s.body, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n",
		number(x), number(y), number(size), anchor, hex(c), html.EscapeString(text))
}

func (s *svg) finish(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"Go, Helvetica, Arial, sans-serif\">\n%s</svg>\n",
		Width, Height, Width, Height, s.body.String())
	return err
}
