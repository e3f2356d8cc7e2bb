#!/usr/bin/env bash
# Fuzzes the readers: verif/fuzz/run.sh [INPUTS [TARGET...]], by default a million inputs for each target.
# Needs clang 16 with its libFuzzer: apt-get install --no-install-recommends clang-16 libclang-rt-16-dev
set -euo pipefail
cd "$(dirname "$0")/../.."
inputs=${1:-1000000}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(rec traceg kernelslist requests toml)
build=build/fuzz
./forge list > /dev/null
cmake -S verif/fuzz -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER="${FUZZ_CXX:-clang++-16}" > $build.log 2>&1 || { cat $build.log; exit 2; }
cmake --build $build
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target
  mkdir -p "$corpus"
  seeds=(verif/fuzz/seeds/"$target")
  [ "$target" != toml ] || seeds+=(verif/config/corpus)
  dictionary=()
  [ ! -f verif/fuzz/$target.dict ] || dictionary=(-dict=verif/fuzz/$target.dict)
  echo "== $target: $inputs inputs"
  # One input takes at most 10 seconds and 1 GB; short stacks of allocations make it faster.
  FUZZ_TARGET=$target ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=16 \
    $build/fuzz -runs="$inputs" -max_len=4096 -timeout=10 \
    -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$target-" \
    "${dictionary[@]}" "$corpus" "${seeds[@]}" 2>&1 | grep -v '^INFO' || { echo "$target: FAILED"; exit 1; }
done
