#include "cosim/waves/gtkw.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "golden/trace/io/output_file.h"

namespace verif {

namespace {

// Trace flags of GTKWave's analyzer.h.
constexpr std::uint32_t hex = 0x2, decimal = 0x4, binary = 0x8, right_justified = 0x20, blank = 0x200,
                        collapsed = 0x1000, closed = 0x400000, group_begin = 0x800000, group_end = 0x1000000;
// The window, and what its lists of scopes and of signals take of its width; the waves have the rest.
constexpr int window_width = 1400, window_height = 850, scopes_width = 180, signals_width = 360;
// Pixels that the waves have at least.
constexpr double waves_width = 600;
// GTKWave's zoom is the negative logarithm of the time units in so many pixels.
constexpr double zoom_pixels = 200;

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

void Gtkw::open_group(std::string_view name, bool folded) {
  flags(group_begin | blank | (folded ? closed : 0));
  lines_ += fmt::format("-{}\n", name);
  group_ = name;
  folded_ = folded;
}

void Gtkw::close_group() {
  flags(group_end | blank | (folded_ ? closed | collapsed : 0));
  lines_ += fmt::format("-{}\n", group_);
}

void Gtkw::signal(std::string_view full_name, GtkwRadix radix, bool red) {
  if (red) lines_ += "[color] 1\n";
  flags((full_name.ends_with(":0]") ? radix_flag(radix) : binary) | right_justified);
  // The alias: of a dotted name GTKWave shows the last part alone, the same for both sides.
  std::string alias(full_name);
  std::ranges::replace(alias, '.', '/');
  lines_ += fmt::format("+{{{}}} {}\n", alias, full_name);
}

void Gtkw::view(std::uint64_t start, double zoom, std::optional<std::uint64_t> marker) {
  view_ = fmt::format("[timestart] {}\n[size] {} {}\n[pos] -1 -1\n*{:.6f} {}", start, window_width,
                      window_height, -zoom, marker ? fmt::format("{}", *marker) : "-1");
  for (int i = 0; i < 26; ++i) view_ += " -1";  // the named markers A to Z
  view_ +=
      fmt::format("\n[sst_width] {}\n[signals_width] {}\n[sst_expanded] 1\n", scopes_width, signals_width);
}

void Gtkw::marker(std::uint64_t time, std::uint64_t cycle) {
  constexpr std::uint64_t cycles_before = 6;
  // 2 above a cycle's logarithm shows one in some 50 pixels.
  view(time - std::min(time, cycles_before * cycle), std::bit_width(cycle) + 1, time);
}

std::uint64_t Gtkw::tail(std::uint64_t cycle) { return 80 * cycle; }  // 4,000 pixels

void Gtkw::whole(std::uint64_t first, std::uint64_t end, std::optional<std::uint64_t> marker) {
  const auto units = static_cast<double>(std::max<std::uint64_t>(1, end - first));
  view(first, std::log2(units * zoom_pixels / waves_width), marker);
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
