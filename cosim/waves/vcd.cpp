#include "cosim/waves/vcd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace verif {

namespace {

constexpr std::size_t buffer_bytes = 256 << 10;

// Identifier codes count in base 94, in the printable characters from '!' on, the shortest first.
void append_code(std::string& out, std::size_t index) {
  std::array<char, 12> code;
  std::size_t size = 0;
  for (++index; index > 0; index = (index - 1) / 94) code[size++] = static_cast<char>('!' + (index - 1) % 94);
  out.append(code.data(), size);
}

}  // namespace

VcdWriter::VcdWriter(std::string path, const std::string& timescale)
    : WaveFile(timescale), file_(std::move(path)) {
  buffer_ = fmt::format("$version l1forge $end\n$timescale {} $end\n", timescale);
}

void VcdWriter::open_scope(const std::string& name) {
  buffer_ += fmt::format("$scope module {} $end\n", name);
}

void VcdWriter::close_scope() { buffer_ += "$upscope $end\n"; }

void VcdWriter::declare(std::size_t signal, std::string_view name, int width) {
  buffer_ += fmt::format("$var wire {} ", width);
  append_code(buffer_, signal);
  buffer_ += ' ';
  buffer_ += name;
  if (width > 1) buffer_ += fmt::format(" [{}:0]", width - 1);
  buffer_ += " $end\n";
  flush(buffer_bytes);
}

void VcdWriter::begin() { buffer_ += "$enddefinitions $end\n"; }

void VcdWriter::move_to(std::uint64_t time) {
  buffer_ += fmt::format("#{}\n", time);
  if (!std::exchange(any_time_, true)) buffer_ += "$dumpvars\n";
}

void VcdWriter::put(std::size_t signal, std::string_view bits) {
  if (bits.size() > 1) {
    // Readers extend with 0 and x, so leading ones of these are left out.
    const char extended = bits[0] == 'x' ? 'x' : '0';
    bits.remove_prefix(std::min(bits.find_first_not_of(extended), bits.size() - 1));
    buffer_ += 'b';
    buffer_ += bits;
    buffer_ += ' ';
  } else {
    buffer_ += bits;
  }
  append_code(buffer_, signal);
  buffer_ += '\n';
  flush(buffer_bytes);
}

void VcdWriter::first_values_done() { buffer_ += "$end\n"; }

void VcdWriter::flush(std::size_t above) {
  if (buffer_.size() <= above) return;
  file_.write(buffer_);
  buffer_.clear();
}

void VcdWriter::finish(std::optional<std::uint64_t> end) {
  if (end) buffer_ += fmt::format("#{}\n", *end);
  flush(0);
  file_.commit();
}

}  // namespace verif
