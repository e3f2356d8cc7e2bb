#include "cosim/waves/wave_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace verif {

namespace {

static_assert(std::endian::native == std::endian::little, "values of any word size are compared as bytes");

std::size_t bytes_of(int width) { return (static_cast<std::size_t>(width) + 7) / 8; }

// An identifier, or one with indices such as ways[3]; a dot would split it into scopes in GTKWave.
void check_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto identifier = name.substr(0, name.find('['));
  bool ok = !identifier.empty() && letter(identifier[0]) &&
            std::ranges::all_of(identifier, [&](char c) { return letter(c) || digit(c) || c == '$'; });
  for (auto rest = name.substr(identifier.size()); ok && !rest.empty();) {
    const auto end = rest.find(']');
    ok = end != rest.npos && end > 1 && rest[0] == '[' && std::ranges::all_of(rest.substr(1, end - 1), digit);
    if (ok) rest.remove_prefix(end + 1);
  }
  if (!ok)
    throw std::invalid_argument(
        fmt::format("waveform name '{}' is not an identifier or one with [indices]", name));
}

}  // namespace

WaveFile::WaveFile(const std::string& timescale) {
  for (const std::string number : {"1", "10", "100"})
    for (const std::string unit : {"s", "ms", "us", "ns", "ps", "fs"})
      if (timescale == number + unit) return;
  throw std::invalid_argument(
      fmt::format("waveform timescale '{}' is not 1, 10 or 100 and s, ms, us, ns, ps or fs", timescale));
}

void WaveFile::require_before_start() const {
  if (started_) throw std::invalid_argument("waveform scopes and signals come before start()");
}

WaveFile::Scope WaveFile::scope(Scope parent, std::string_view name) {
  require_before_start();
  check_name(name);
  const auto inside = static_cast<std::size_t>(parent);
  const auto [entry, fresh] = scopes_.at(inside).taken.emplace(name, scopes_.size());
  if (entry->second == a_signal)
    throw std::invalid_argument(
        fmt::format("waveform scope '{}' has '{}' twice", scopes_[inside].name, name));
  if (!fresh) return Scope{entry->second};
  const Scope made{scopes_.size()};
  scopes_[inside].scopes.push_back(scopes_.size());
  scopes_.push_back({std::string(name), inside, {}, {}, {}});
  return made;
}

WaveFile::Signal WaveFile::insert(Scope scope, std::string_view name, int width, const void* source) {
  require_before_start();
  check_name(name);
  if (scope == root) throw std::invalid_argument(fmt::format("waveform signal '{}' is in no scope", name));
  ScopeEntry& owner = scopes_.at(static_cast<std::size_t>(scope));
  if (width < 1)
    throw std::invalid_argument(fmt::format("waveform signal '{}' has width {}, at least 1", name, width));
  if (!owner.taken.emplace(name, a_signal).second)
    throw std::invalid_argument(fmt::format("waveform scope '{}' has '{}' twice", owner.name, name));
  const std::size_t index = entries_.size();
  owner.signals.push_back(index);
  entries_.push_back({source, shadow_.size(), no_getter, width});
  names_.push_back(width == 1 ? std::string(name) : fmt::format("{}[{}:0]", name, width - 1));
  signal_scope_.push_back(static_cast<std::size_t>(scope));
  shadow_.resize(shadow_.size() + bytes_of(width));
  return Signal{index};
}

WaveFile::Signal WaveFile::add(Scope scope, std::string_view name, int width, Getter getter) {
  const Signal signal = insert(scope, name, width, nullptr);
  Entry& entry = entries_.back();
  entry.getter = getters_.size();
  getters_.push_back(
      {std::move(getter), std::vector<std::uint64_t>((static_cast<std::size_t>(width) + 63) / 64)});
  entry.source = getters_.back().words.data();  // stays valid when getters_ grows: the words are on the heap
  return signal;
}

std::string WaveFile::full_name(Signal signal) const {
  const auto index = static_cast<std::size_t>(signal);
  std::string name = names_.at(index);
  for (std::size_t scope = signal_scope_[index]; scope != 0; scope = scopes_[scope].parent)
    name = fmt::format("{}.{}", scopes_[scope].name, name);
  return name;
}

void WaveFile::declare_all(std::size_t index) {
  const ScopeEntry& scope = scopes_[index];
  open_scope(scope.name);
  for (const std::size_t signal : scope.signals) {
    const int width = entries_[signal].width;
    std::string_view name = names_[signal];
    if (width > 1) name.remove_suffix(name.size() - name.rfind('['));
    declare(signal, name, width);
  }
  for (const std::size_t inner : scope.scopes) declare_all(inner);
  close_scope();
}

void WaveFile::start() {
  require_before_start();
  started_ = true;
  for (const std::size_t top : scopes_[0].scopes) declare_all(top);
  begin();
}

bool WaveFile::known_now(const Entry& entry) const {
  return entry.getter == no_getter || getters_[entry.getter].known;
}

// Whether the bits differ from those last written; bits of the last byte beyond the width do not count.
bool WaveFile::changed(const Entry& entry) const {
  const bool known = known_now(entry);
  if (!known || !entry.known) return known != entry.known;
  const auto* now = static_cast<const std::uint8_t*>(entry.source);
  const std::uint8_t* before = shadow_.data() + entry.shadow;
  const std::size_t last = bytes_of(entry.width) - 1;
  const unsigned used = 0xFFu >> (7 - (entry.width - 1) % 8);
  return ((now[last] ^ before[last]) & used) != 0 || std::memcmp(now, before, last) != 0;
}

void WaveFile::put_value(std::size_t index) {
  Entry& entry = entries_[index];
  const auto* bytes = static_cast<const std::uint8_t*>(entry.source);
  entry.known = known_now(entry);
  if (entry.known) std::memcpy(shadow_.data() + entry.shadow, bytes, bytes_of(entry.width));
  bits_.assign(static_cast<std::size_t>(entry.width), 'x');
  for (int i = 0; entry.known && i < entry.width; ++i)
    bits_[static_cast<std::size_t>(entry.width - 1 - i)] =
        static_cast<char>('0' + (bytes[i / 8] >> (i % 8) & 1));
  put(index, bits_);
}

void WaveFile::require_later(std::uint64_t time) {
  if (!started_ || closed_) throw std::invalid_argument("waveform samples come between start() and close()");
  if (time_ && time <= *time_)
    throw std::invalid_argument(fmt::format("waveform sample at {} comes after the one at {}", time, *time_));
  time_ = time;
  moved_ = false;
}

void WaveFile::at_this_time() {
  if (!moved_) move_to(*time_);
  moved_ = true;
}

void WaveFile::sample(std::uint64_t time) {
  const bool first = !time_;
  require_later(time);
  for (GetterEntry& one : getters_) one.known = one.get(one.words);
  if (first) at_this_time();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!first && !changed(entries_[i])) continue;
    at_this_time();
    put_value(i);
  }
  if (first) first_values_done();
}

void WaveFile::blank(std::uint64_t time) {
  require_later(time);
  at_this_time();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].known) continue;
    entries_[i].known = false;
    bits_.assign(static_cast<std::size_t>(entries_[i].width), 'x');
    put(i, bits_);
  }
}

void WaveFile::close(std::optional<std::uint64_t> end) {
  if (!started_ || closed_) throw std::invalid_argument("a waveform file is closed once, after start()");
  closed_ = true;
  // The last time is written even where nothing changed, so that a viewer shows the whole run.
  if (!end && time_ && !moved_) end = time_;
  finish(end && time_ ? end : std::nullopt);
}

}  // namespace verif
