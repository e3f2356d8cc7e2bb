#include "cosim/harness/waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>

#include "cosim/waves/fst.h"
#include "cosim/waves/vcd.h"

namespace verif {

namespace {

// Time units of a cycle: a half for each level of its clock.
constexpr std::uint64_t cycle_units = 2;

std::unique_ptr<WaveFile> file_of(const CosimOptions& options) {
  if (!options.fst.empty()) return std::make_unique<FstWriter>(options.fst, "1ns");
  return std::make_unique<VcdWriter>(options.vcd, "1ns");
}

std::uint64_t time_of(std::int64_t cycle) { return cycle_units * static_cast<std::uint64_t>(cycle); }

}  // namespace

Waves::Waves(const CosimOptions& options)
    : path_(options.waves()),
      first_(options.vcd_first),
      last_(options.vcd_last),
      file_(file_of(options)),
      save_(path_) {}

WaveFile::Scope Waves::scope(const std::string& scopes) {
  std::size_t at = scopes.find('.');
  WaveFile::Scope inner = file_->scope(scopes.substr(0, at));
  while (at != std::string::npos) {
    const std::size_t next = scopes.find('.', at + 1);
    inner = file_->scope(inner, scopes.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return inner;
}

const std::uint8_t* Waves::clock_of(const std::string& name) {
  two_clocks_ |= name == "clk_noc1";
  return name == "clk" ? &clocks_.clk : name == "clk_noc1" ? &clocks_.clk_noc1 : nullptr;
}

void Waves::note(const std::string& scopes, const std::string& name, int width, WaveFile::Signal signal,
                 bool is_port) {
  (is_port ? ports_ : inner_).push_back({scopes, name, file_->full_name(signal), width});
}

const Waves::Shown* Waves::find(const std::vector<Shown>& list, const std::string& name) const {
  const auto found = std::ranges::find(list, name, &Shown::name);
  return found == list.end() ? nullptr : &*found;
}

int Waves::width_of_port(const std::string& name, int otherwise) const {
  const Shown* port = find(ports_, name);
  return port ? port->width : otherwise;
}

void Waves::add_golden(const std::string& name, int width, const std::uint64_t* value) {
  add_golden(name, width, [this, value](std::span<std::uint64_t> words) {
    words[0] = *value;
    return known_;
  });
}

void Waves::add_golden(const std::string& name, int width, WaveFile::Getter getter) {
  const int bits = width_of_port(name, width);
  const WaveFile::Signal signal = file_->add(file_->scope("golden"), name, bits, std::move(getter));
  golden_.push_back({"golden", name, file_->full_name(signal), bits});
}

void Waves::sample(std::int64_t cycle, bool clk_is_high) {
  if (cycle < first_ || cycle > last_) return;
  if (!std::exchange(started_, true)) {
    file_->start();
    first_shown_ = cycle;
  }
  last_shown_ = cycle;
  clocks_ = {.clk = clk_is_high, .clk_noc1 = 1};
  file_->sample(time_of(cycle));
  clocks_ = {.clk = two_clocks_ && clk_is_high, .clk_noc1 = 0};
  file_->sample(time_of(cycle) + cycle_units / 2);
}

// Lines short enough for GTKWave's list of signals, which grows with them at the cost of the waves.
void Waves::comment(const std::string& text) {
  constexpr std::size_t longest = 40;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > longest) save_.comment(std::exchange(line, ""));
    line += (line.empty() ? "" : " ") + word;
  }
  save_.comment(line);
}

// The port that differs, or that the property is about, on top.
void Waves::show_mismatch(const Mismatch& mismatch) {
  comment(fmt::format("cycle {}: {} is {:#x}, golden {:#x}", mismatch.cycle, mismatch.port, mismatch.dut,
                      mismatch.golden));
  std::string names = mismatch.port;
  std::ranges::replace_if(
      names, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, ' ');
  std::istringstream words(names);
  for (std::string name; words >> name;)
    for (const auto* list : {&ports_, &golden_})
      if (const Shown* differs = find(*list, name)) save_.signal(differs->full_name, GtkwRadix::hex, true);
  save_.comment("");
}

void Waves::show_ports() {
  save_.open_group("ports");
  for (const Shown& port : ports_) {
    save_.signal(port.full_name);
    if (const Shown* golden = find(golden_, port.name)) save_.signal(golden->full_name);
  }
  save_.close_group();
}

// Golden values that are no ports, and the nets inside, scope by scope.
void Waves::show_others() {
  std::vector<Shown> others;
  std::ranges::copy_if(golden_, std::back_inserter(others),
                       [&](const Shown& g) { return find(ports_, g.name) == nullptr; });
  others.insert(others.end(), inner_.begin(), inner_.end());
  std::string group;
  for (const Shown& one : others) {
    if (one.scopes != group) {
      if (!group.empty()) save_.close_group();
      group = one.scopes;
      save_.open_group(group, group != "golden");
    }
    save_.signal(one.full_name);
  }
  if (!group.empty()) save_.close_group();
}

void Waves::close(const std::vector<Mismatch>& mismatches) {
  if (!std::exchange(started_, true)) file_->start();
  const std::uint64_t end = time_of(last_shown_ + 1);
  const Mismatch* found = mismatches.empty() ? nullptr : &mismatches.front();
  const bool window = last_ != INT64_MAX;
  if (found) show_mismatch(*found);
  show_ports();
  show_others();
  if (window && last_shown_ >= 0) {
    save_.marker(time_of(last_shown_), cycle_units);
    file_->blank(end);
    file_->close(end + Gtkw::tail(cycle_units));
  } else {
    save_.whole(time_of(first_shown_), std::max(end, cycle_units),
                found ? std::optional(time_of(found->cycle)) : std::nullopt);
    file_->close(end);
  }
  save_.write(std::filesystem::path(path_).replace_extension(".gtkw").string());
}

}  // namespace verif
