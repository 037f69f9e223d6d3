package scene

// Decode fills the structure out from YAML text by its yaml tags, as strictly as
// scene files are read: file names the text in messages.
func Decode(file string, text []byte, out any) error { return parse(file, text, out) }
