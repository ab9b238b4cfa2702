package chart

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// density is how many pixels one unit of a chart has in a PNG.
const density = 2

// A dashed line, in the chart's units.
const (
	dash  = 5.0
	pause = 4.0
)

// raster draws a chart into pixels.
type raster struct{ img *image.RGBA }

func newPNG() *raster {
	return &raster{image.NewRGBA(image.Rect(0, 0, Width*density, Height*density))}
}

func (r *raster) fill(points []point, c color.NRGBA) {
	// Only the pixels that the shape covers are looked at.
	x1, y1, x2, y2 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x1, y1, x2, y2 = min(x1, p.x), min(y1, p.y), max(x2, p.x), max(y2, p.y)
	}
	area := image.Rect(int(x1*density)-1, int(y1*density)-1, int(x2*density)+2, int(y2*density)+2).Intersect(r.img.Rect)
	if area.Empty() {
		return
	}
	v := vector.NewRasterizer(area.Dx(), area.Dy())
	for i, p := range points {
		x, y := float32(p.x*density)-float32(area.Min.X), float32(p.y*density)-float32(area.Min.Y)
		if i == 0 {
			v.MoveTo(x, y)
		} else {
			v.LineTo(x, y)
		}
	}
	v.ClosePath()
	v.Draw(r.img, area, image.NewUniform(c), image.Point{})
}

func (r *raster) line(points []point, c color.NRGBA, width float64, dashed bool) {
	left, on := dash, true
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		for at := 0.0; at < length; {
			step := length - at
			if dashed {
				step = min(step, left)
			}
			if on {
				r.stroke(between(from, to, at/length), between(from, to, (at+step)/length), c, width)
			}
			at += step
			if left -= step; dashed && left <= 1e-9 {
				on = !on
				left = pause
				if on {
					left = dash
				}
			}
		}
		if !dashed && i > 1 {
			r.fill(box(from.x-width/2, from.y-width/2, from.x+width/2, from.y+width/2), c)
		}
	}
}

func between(a, b point, share float64) point {
	return point{a.x + (b.x-a.x)*share, a.y + (b.y-a.y)*share}
}

// stroke is one straight piece as a thin box.
func (r *raster) stroke(a, b point, c color.NRGBA, width float64) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	dx, dy := (b.x-a.x)/length*width/2, (b.y-a.y)/length*width/2
	r.fill([]point{{a.x - dy, a.y + dx}, {b.x - dy, b.y + dx}, {b.x + dy, b.y - dx}, {a.x + dy, a.y - dx}}, c)
}

// faces are the sizes of the font that were asked for so far.
var (
	faces    = map[float64]font.Face{}
	facesNow sync.Mutex
)

func face(pixels float64) font.Face {
	facesNow.Lock()
	defer facesNow.Unlock()
	if f, ok := faces[pixels]; ok {
		return f
	}
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	faces[pixels] = f
	return f
}

// textWidth is in the chart's units.
func textWidth(text string, size float64) float64 {
	return float64(font.MeasureString(face(size*density), text)) / 64 / density
}

func (r *raster) text(x, y float64, text string, size float64, align int, c color.NRGBA) {
	x -= textWidth(text, size) * float64(align+1) / 2
	d := font.Drawer{
		Dst: r.img, Src: image.NewUniform(c), Face: face(size * density),
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * density * 64), Y: fixed.Int26_6(y * density * 64)},
	}
	d.DrawString(text)
}

func (r *raster) finish(w io.Writer) error {
	out := image.NewNRGBA(r.img.Rect)
	draw.Draw(out, out.Rect, r.img, image.Point{}, draw.Src)
	return png.Encode(w, out)
}
