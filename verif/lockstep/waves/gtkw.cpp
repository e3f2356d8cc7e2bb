#include "verif/lockstep/waves/gtkw.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "golden/trace/io/output_file.h"

namespace verif {

namespace {

// Trace flags of GTKWave's analyzer.h.
constexpr std::uint32_t hex = 0x2, decimal = 0x4, binary = 0x8, right_justified = 0x20, blank = 0x200,
                        group_begin = 0x800000, group_end = 0x1000000;

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::uint32_t radix_flag(GtkwRadix radix) {
  switch (radix) {
    case GtkwRadix::decimal:
      return decimal;
    case GtkwRadix::binary:
      return binary;
    default:
      return hex;
  }
}

}  // namespace

Gtkw::Gtkw(const std::string& dump) : dump_(file_name(dump)) {}

// Flags hold for all lines that follow, so they are written only where they change.
void Gtkw::flags(std::uint32_t flags) {
  if (flags == flags_) return;
  lines_ += fmt::format("@{:x}\n", flags);
  flags_ = flags;
}

void Gtkw::comment(std::string_view text) {
  flags(blank);
  lines_ += fmt::format("-{}\n", text);
}

void Gtkw::open_group(std::string_view name) {
  flags(group_begin | blank);
  lines_ += fmt::format("-{}\n", name);
  group_ = name;
}

void Gtkw::close_group() {
  flags(group_end | blank);
  lines_ += fmt::format("-{}\n", group_);
}

void Gtkw::signal(std::string_view full_name, GtkwRadix radix) {
  flags((full_name.ends_with(":0]") ? radix_flag(radix) : binary) | right_justified);
  // The alias: of a dotted name GTKWave shows the last part alone, the same for both sides.
  std::string alias(full_name);
  std::ranges::replace(alias, '.', '/');
  lines_ += fmt::format("+{{{}}} {}\n", alias, full_name);
}

void Gtkw::marker(std::uint64_t time, std::uint64_t cycle) {
  constexpr std::uint64_t cycles_before = 6;
  // Zoom is the negative logarithm of time units in some 200 pixels; 2 above a cycle's shows one in some 50.
  const int zoom = std::bit_width(cycle) + 1;
  view_ =
      fmt::format("[timestart] {}\n*-{}.000000 {}", time - std::min(time, cycles_before * cycle), zoom, time);
  for (int i = 0; i < 26; ++i) view_ += " -1";  // the named markers A to Z
  view_ += '\n';
}

std::string Gtkw::text(const std::string& path) const {
  return fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n{}{}", dump_, file_name(path), view_, lines_);
}

void Gtkw::write(const std::string& path) const {
  golden::OutputFile file(path);
  file.write(text(path));
  file.commit();
}

}  // namespace verif
