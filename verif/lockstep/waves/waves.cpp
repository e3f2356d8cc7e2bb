#include "verif/lockstep/waves/waves.h"

#include <filesystem>
#include <utility>

namespace verif {

Waves::Waves(const CosimOptions& options)
    : path_(options.vcd),
      first_(options.vcd_first),
      last_(options.vcd_last),
      vcd_(options.vcd, "1ns"),
      save_(options.vcd) {}

VcdWriter::Scope Waves::scope(const std::string& scopes) {
  std::size_t at = scopes.find('.');
  VcdWriter::Scope inner = vcd_.scope(scopes.substr(0, at));
  while (at != std::string::npos) {
    const std::size_t next = scopes.find('.', at + 1);
    inner = vcd_.scope(inner, scopes.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return inner;
}

void Waves::note(const std::string& group, VcdWriter::Signal signal) {
  if (group != group_) {
    if (!group_.empty()) save_.close_group();
    save_.open_group(group);
    group_ = group;
  }
  save_.signal(vcd_.full_name(signal));
}

void Waves::add_golden(const std::string& name, int width, const std::uint64_t* value) {
  note("golden", vcd_.add(vcd_.scope("golden"), name, width, [this, value](std::span<std::uint64_t> words) {
    words[0] = *value;
    return known_;
  }));
}

void Waves::sample(std::int64_t cycle, bool behind_edge) {
  if (cycle < first_ || cycle > last_) return;
  if (!std::exchange(started_, true)) vcd_.start();
  vcd_.sample(static_cast<std::uint64_t>(2 * cycle + behind_edge));
}

void Waves::close() {
  if (!std::exchange(started_, true)) vcd_.start();
  if (!group_.empty()) save_.close_group();
  if (last_ != INT64_MAX) save_.marker(static_cast<std::uint64_t>(2 * last_), 2);
  vcd_.close();
  save_.write(std::filesystem::path(path_).replace_extension(".gtkw").string());
}

}  // namespace verif
