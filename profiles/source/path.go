package source

import "io"

// ReadPath reads the observation at path, and the earlier snapshot that
// q.EarlierName names; open opens either. "-" is standard input.
func ReadPath(open func(path string) (io.ReadCloser, error), path string, q Query) (*Observation, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if q.EarlierName != "" {
		earlier, err := open(q.EarlierName)
		if err != nil {
			return nil, err
		}
		defer earlier.Close()
		q.Earlier = earlier
	}
	if path == "-" {
		path = "standard input"
	}
	return Read(path, file, q)
}
