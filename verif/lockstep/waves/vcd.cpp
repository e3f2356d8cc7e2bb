#include "verif/lockstep/waves/vcd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace verif {

namespace {

static_assert(std::endian::native == std::endian::little, "values of any word size are compared as bytes");

constexpr std::size_t buffer_bytes = 256 << 10;

std::size_t bytes_of(int width) { return (static_cast<std::size_t>(width) + 7) / 8; }

// Identifier codes count in base 94, in the printable characters from '!' on, the shortest first.
std::size_t put_code(char* out, std::size_t index) {
  std::size_t size = 0;
  for (++index; index > 0; index = (index - 1) / 94) out[size++] = static_cast<char>('!' + (index - 1) % 94);
  return size;
}

void append_code(std::string& out, std::size_t index) {
  std::array<char, 12> code;
  out.append(code.data(), put_code(code.data(), index));
}

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
        fmt::format("VCD name '{}' is not an identifier or one with [indices]", name));
}

void check_timescale(const std::string& timescale) {
  for (const std::string number : {"1", "10", "100"})
    for (const std::string unit : {"s", "ms", "us", "ns", "ps", "fs"})
      if (timescale == number + unit) return;
  throw std::invalid_argument(
      fmt::format("VCD timescale '{}' is not 1, 10 or 100 and s, ms, us, ns, ps or fs", timescale));
}

}  // namespace

VcdWriter::VcdWriter(std::string path, std::string timescale)
    : file_(std::move(path)), timescale_(std::move(timescale)) {
  check_timescale(timescale_);
}

void VcdWriter::require_before_start() const {
  if (started_) throw std::invalid_argument("VCD scopes and signals come before start()");
}

VcdWriter::Scope VcdWriter::scope(Scope parent, std::string_view name) {
  require_before_start();
  check_name(name);
  const auto inside = static_cast<std::size_t>(parent);
  const auto [entry, fresh] = scopes_.at(inside).taken.emplace(name, scopes_.size());
  if (entry->second == a_signal)
    throw std::invalid_argument(fmt::format("VCD scope '{}' has '{}' twice", scopes_[inside].name, name));
  if (!fresh) return Scope{entry->second};
  const Scope made{scopes_.size()};
  scopes_[inside].scopes.push_back(scopes_.size());
  scopes_.push_back({std::string(name), inside, {}, {}, {}});
  return made;
}

VcdWriter::Signal VcdWriter::insert(Scope scope, std::string_view name, int width, const void* source) {
  require_before_start();
  check_name(name);
  if (scope == root) throw std::invalid_argument(fmt::format("VCD signal '{}' is in no scope", name));
  ScopeEntry& owner = scopes_.at(static_cast<std::size_t>(scope));
  if (width < 1)
    throw std::invalid_argument(fmt::format("VCD signal '{}' has width {}, at least 1", name, width));
  if (!owner.taken.emplace(name, a_signal).second)
    throw std::invalid_argument(fmt::format("VCD scope '{}' has '{}' twice", owner.name, name));
  const std::size_t index = entries_.size();
  owner.signals.push_back(index);
  entries_.push_back({source, shadow_.size(), no_getter, width});
  names_.push_back(width == 1 ? std::string(name) : fmt::format("{}[{}:0]", name, width - 1));
  signal_scope_.push_back(static_cast<std::size_t>(scope));
  shadow_.resize(shadow_.size() + bytes_of(width));
  return Signal{index};
}

VcdWriter::Signal VcdWriter::add(Scope scope, std::string_view name, int width, Getter getter) {
  const Signal signal = insert(scope, name, width, nullptr);
  Entry& entry = entries_.back();
  entry.getter = getters_.size();
  getters_.push_back(
      {std::move(getter), std::vector<std::uint64_t>((static_cast<std::size_t>(width) + 63) / 64)});
  entry.source = getters_.back().words.data();  // stays valid when getters_ grows: the words are on the heap
  return signal;
}

std::string VcdWriter::full_name(Signal signal) const {
  const auto index = static_cast<std::size_t>(signal);
  std::string name = names_.at(index);
  for (std::size_t scope = signal_scope_[index]; scope != 0; scope = scopes_[scope].parent)
    name = fmt::format("{}.{}", scopes_[scope].name, name);
  return name;
}

void VcdWriter::print_scope(std::size_t index) {
  const ScopeEntry& scope = scopes_[index];
  buffer_ += fmt::format("$scope module {} $end\n", scope.name);
  for (const std::size_t signal : scope.signals) {
    const int width = entries_[signal].width;
    buffer_ += fmt::format("$var wire {} ", width);
    append_code(buffer_, signal);
    std::string_view name = names_[signal];
    if (width > 1) name.remove_suffix(name.size() - name.rfind('['));
    buffer_ += ' ';
    buffer_ += name;
    if (width > 1) buffer_ += fmt::format(" [{}:0]", width - 1);
    buffer_ += " $end\n";
    flush(buffer_bytes);
  }
  for (const std::size_t inner : scope.scopes) print_scope(inner);
  buffer_ += "$upscope $end\n";
}

void VcdWriter::start() {
  require_before_start();
  started_ = true;
  buffer_ += fmt::format("$version l1forge $end\n$timescale {} $end\n", timescale_);
  for (const std::size_t top : scopes_[0].scopes) print_scope(top);
  buffer_ += "$enddefinitions $end\n";
}

void VcdWriter::read_getters() {
  for (GetterEntry& one : getters_) one.known = one.get(one.words);
}

// Whether the bits differ from those last written; bits of the last byte beyond the width do not count.
bool VcdWriter::changed(const Entry& entry) const {
  const bool known = entry.getter == no_getter || getters_[entry.getter].known;
  if (!known || !entry.known) return known != entry.known;
  const auto* now = static_cast<const std::uint8_t*>(entry.source);
  const std::uint8_t* before = shadow_.data() + entry.shadow;
  const std::size_t last = bytes_of(entry.width) - 1;
  const unsigned used = 0xFFu >> (7 - (entry.width - 1) % 8);
  return ((now[last] ^ before[last]) & used) != 0 || std::memcmp(now, before, last) != 0;
}

void VcdWriter::print_value(std::size_t index) {
  Entry& entry = entries_[index];
  const auto* bytes = static_cast<const std::uint8_t*>(entry.source);
  entry.known = entry.getter == no_getter || getters_[entry.getter].known;
  if (entry.known) std::memcpy(shadow_.data() + entry.shadow, bytes, bytes_of(entry.width));
  const auto bit = [bytes](int i) { return (bytes[i / 8] >> (i % 8)) & 1; };
  if (entry.width > 1) buffer_ += 'b';
  if (entry.known) {
    int top = entry.width - 1;  // readers extend with 0, so leading zeros are left out
    while (top > 0 && !bit(top)) --top;
    for (; top >= 0; --top) buffer_ += static_cast<char>('0' + bit(top));
  } else {
    buffer_ += 'x';
  }
  if (entry.width > 1) buffer_ += ' ';
  append_code(buffer_, index);
  buffer_ += '\n';
  flush(buffer_bytes);
}

void VcdWriter::print_time(std::uint64_t time) {
  buffer_ += fmt::format("#{}\n", time);
  time_printed_ = true;
}

void VcdWriter::sample(std::uint64_t time) {
  if (!started_ || closed_) throw std::invalid_argument("VCD samples come between start() and close()");
  if (time_ && time <= *time_)
    throw std::invalid_argument(fmt::format("VCD sample at {} comes after the one at {}", time, *time_));
  const bool first = !time_;
  time_ = time;
  time_printed_ = false;
  read_getters();
  if (first) {
    print_time(time);
    buffer_ += "$dumpvars\n";
    for (std::size_t i = 0; i < entries_.size(); ++i) print_value(i);
    buffer_ += "$end\n";
    return;
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!changed(entries_[i])) continue;
    if (!time_printed_) print_time(time);
    print_value(i);
  }
}

void VcdWriter::flush(std::size_t above) {
  if (buffer_.size() <= above) return;
  file_.write(buffer_);
  buffer_.clear();
}

void VcdWriter::close() {
  if (!started_ || closed_) throw std::invalid_argument("a VCD file is closed once, after start()");
  closed_ = true;
  if (time_ && !time_printed_) print_time(*time_);  // so that a viewer shows the whole run
  flush(0);
  file_.commit();
}

}  // namespace verif
