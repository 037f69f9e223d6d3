#!/bin/sh
# Fills the STL files of a folder with gmsh and TetGen, at a twentieth of their diagonals.
#
#   bench/peers/tets.sh FOLDER OUT      writes OUT/gmsh/NAME.msh and OUT/tetgen/NAME.vtk
#
#   SECONDS_EACH=60   of processor time for a file
#
# Of a file that a program does not fill there is no mesh, but its messages: OUT/gmsh/NAME.log.
# `CURLFREE_CAD=FOLDER CURLFREE_CAD_MESHES=OUT/gmsh go test ./meshes -run Survey -v` measures the meshes.
# Needs Go, and on Debian or Ubuntu the right to install packages, or to have them.
set -eu

folder=$(cd "$1" && pwd)
mkdir -p "$2/gmsh" "$2/tetgen"
out=$(cd "$2" && pwd)
limit=${SECONDS_EACH:-60}

if ! command -v gmsh >/dev/null || ! command -v tetgen >/dev/null; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo apt-get update -qq
	$sudo apt-get install -qq -y --no-install-recommends gmsh tetgen >/dev/null
fi

(cd "$(dirname "$0")/../.." && go build -o "$out/curlfree" ./cmd/curlfree)
for f in "$folder"/*.[sS][tT][lL]; do
	name=$(basename "${f%.*}")
	geo=$out/gmsh/$name.geo
	cat >"$geo" <<GEO
Merge "$f";
BoundingBox;
size = Sqrt((General.MaxX-General.MinX)^2 + (General.MaxY-General.MinY)^2 + (General.MaxZ-General.MinZ)^2)/20;
Printf("%.9g", size) > "$out/gmsh/$name.size";
ClassifySurfaces{35*Pi/180, 1, 0, Pi};
CreateGeometry;
Surface Loop(1) = Surface{:};
Volume(1) = {1};
Mesh.CharacteristicLengthMax = size;
GEO
	(
		ulimit -t "$limit"
		gmsh -3 -nt 1 -format msh2 -o "$out/gmsh/$name.msh" "$geo"
	) >"$out/gmsh/$name.log" 2>&1 || rm -f "$out/gmsh/$name.msh"
	# TetGen reads no binary STL, numbers what it writes, and writes it beside what it reads.
	"$out/curlfree" mesh convert "$f" --force -o "$out/tetgen/$name.obj" >"$out/tetgen/$name.log" 2>&1 || continue
	awk 'NR == FNR { count[$1]++; next }
		FNR == 1 { printf "OFF\n%d %d 0\n", count["v"], count["f"] }
		$1 == "v" { print $2, $3, $4 }
		$1 == "f" { print 3, $2 - 1, $3 - 1, $4 - 1 }' "$out/tetgen/$name.obj" "$out/tetgen/$name.obj" >"$out/tetgen/$name.off"
	# size³/(6√2) is the volume of a regular tetrahedron
	volume=$(awk '{printf "%.12g", $1^3/8.485}' "$out/gmsh/$name.size")
	(
		ulimit -t "$limit"
		tetgen "-pq1.414a${volume}k" "$out/tetgen/$name.off"
	) >>"$out/tetgen/$name.log" 2>&1 || true
	[ ! -f "$out/tetgen/$name.1.vtk" ] || mv "$out/tetgen/$name.1.vtk" "$out/tetgen/$name.vtk"
	rm -f "$out/tetgen/$name".1.* "$out/tetgen/$name".o??
	printf '%s gmsh %s TetGen %s\n' "$name" "$([ -f "$out/gmsh/$name.msh" ] && echo wrote || echo –)" "$([ -f "$out/tetgen/$name.vtk" ] && echo wrote || echo –)"
done
