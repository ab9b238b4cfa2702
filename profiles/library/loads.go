package library

// Loads says who loads a file that emit wrote in a form.
func Loads(lib Library, form string) string {
	s := lib.Sheet()
	switch {
	case form == s.Formats[0] && s.OwnFile != "":
		return s.OwnFile
	case s.Code[form] != "":
		return "source of the application"
	case form == string(Flags):
		return "arguments of the programs that have these flags"
	case s.Store == "any":
		return "for the application to load"
	}
	return "for the application to load: " + s.Name + " itself loads no such file"
}
