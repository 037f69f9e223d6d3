#!/bin/sh
# Runs curlfree and its peers in turn on this machine and prints times and ratios.
#
#   bench/peers/run.sh [FOLDER]      default out/peers; everything made goes there
#
#   THREADS=1   of curlfree's factorization and of the peers' BLAS
#   ROUNDS=3    turns; medians over them are printed
#   REPEAT=5    times that each measurement is repeated within a turn
#
# Needs Go, Node with npm, and on Debian or Ubuntu the right to install packages (or to have them:
# see packages below).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${1:-$root/out/peers}
threads=${THREADS:-1}
rounds=${ROUNDS:-3}
repeat=${REPEAT:-5}
packages="g++ libsuitesparse-dev libeigen3-dev libopenblas-dev"
mujoco=@mujoco/mujoco@3.12.0
matrices="finray-grasp fem-cantilever-1k fem-cantilever-10k"
scenes="clutter tree-panda-like-7 rollout-panda"

say() { printf '%s\n' "$*" >&2; }

# shellcheck disable=SC2086 # lists of words
if ! dpkg -s $packages >/dev/null 2>&1; then
	say "installing $packages"
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo apt-get update -qq
	$sudo apt-get install -qq -y --no-install-recommends $packages >/dev/null
fi

mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ ! -d "$work/node_modules/@mujoco/mujoco" ]; then
	say "installing $mujoco"
	npm install --silent --no-audit --no-fund --prefix "$work" "$mujoco"
fi

say "building"
(cd "$root" && go build -o "$work/curlfree" ./cmd/curlfree)
g++ -O3 -march=native -DNDEBUG -I/usr/include/eigen3 "$here/factor.cpp" -o "$work/factor" -lcholmod -lopenblas
cp "$here/mujoco.mjs" "$work/mujoco.mjs" # modules are sought beside the program

# CHOLMOD starts teams of OpenMP threads in small loops of its own, which costs it up to half its
# speed on matrices of this size: it gets one, and BLAS as many threads as asked for.
export OMP_THREAD_LIMIT=1 OPENBLAS_NUM_THREADS="$threads"

: >"$work/ours.json"
: >"$work/theirs.json"
round=1
while [ "$round" -le "$rounds" ]; do
	say "round $round of $rounds"
	# shellcheck disable=SC2086
	"$work/curlfree" bench $matrices $scenes --threads "$threads" --repeat "$repeat" --matrix "$work" --json >>"$work/ours.json"
	for m in $matrices; do
		"$work/factor" "$repeat" "$work/$m.mtx" >>"$work/theirs.json"
	done
	node "$work/mujoco.mjs" "$repeat" "$root/bench/scenes" >>"$work/theirs.json"
	round=$((round + 1))
done

node "$here/compare.mjs" "$work/ours.json" "$work/theirs.json"
