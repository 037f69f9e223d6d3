package inputfile

import "bytes"

// foreign are the beginnings of files that are often found in place of what their names say, in any case of
// letters, and what they are.
var foreign = []struct{ head, what string }{
	{"version https://git-lfs.github.com/spec/", "a pointer of Git LFS in place of the file: run `git lfs pull` in its repository"},
	{"<!doctype html", "a web page in place of the file: download the file itself, such as from the link \"raw\""},
	{"<html", "a web page in place of the file: download the file itself, such as from the link \"raw\""},
	{"\x1f\x8b", "packed by gzip: unpack it first"},
	{"PK\x03\x04", "a ZIP archive, as 3MF, FreeCAD and packed files are: unpack it, or export STL or OBJ from the program it comes from"},
	{"ISO-10303-21;", "a STEP file of CAD: export STL from the program it comes from, in fine resolution"},
}

// Foreign says what a file is whose content is of another sort than its name says, with what to do; "" where
// its beginning is none of those that are known.
func Foreign(data []byte) string {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, f := range foreign {
		if n := len(f.head); len(data) >= n && bytes.EqualFold(data[:n], []byte(f.head)) {
			return f.what
		}
	}
	return ""
}
