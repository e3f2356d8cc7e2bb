#include "golden/trace/kernels/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "golden/trace/io/line_source.h"

namespace golden {

std::optional<KernelLaunch> FixedProgram::next_launch() {
  if (next_ == launches_.size()) return std::nullopt;
  return launches_[next_++];
}

Sizes::Sizes(std::string_view name, std::span<const Size> sizes, std::string_view text) : name_(name) {
  for (const Size& size : sizes) values_.emplace_back(size.name, size.value);
  std::vector<bool> given(sizes.size());
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::string_view key = item.substr(0, item.find('='));
    const std::string_view digits = item.substr(std::min(key.size() + 1, item.size()));
    const auto size = std::ranges::find(sizes, key, &Size::name);
    if (size == sizes.end())
      fail(fmt::format("has no size {}; its sizes are {}", shown(key), listed(sizes, &Size::name)));
    const auto number = static_cast<std::size_t>(size - sizes.begin());
    if (given[number]) fail(fmt::format("{} is given twice; give it once", key));
    given[number] = true;
    std::uint64_t& value = values_[number].second;
    const char* last = digits.data() + digits.size();
    const auto [end, code] = std::from_chars(digits.data(), last, value);
    if (code != std::errc() || end != last || value < size->least || value > size->most)
      fail(fmt::format("{} is {}, must be from {} to {}", key, shown(digits), size->least, size->most));
    if (value % size->multiple != 0)
      fail(fmt::format("{} is {}, must be a multiple of {}", key, shown(digits), size->multiple));
  }
}

std::uint64_t Sizes::operator[](std::string_view name) const {
  return std::ranges::find(values_, name, &std::pair<std::string_view, std::uint64_t>::first)->second;
}

void Sizes::fail(std::string_view reason) const { throw TraceError(fmt::format("{}: {}", name_, reason)); }

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes) {
  constexpr std::uint64_t end = std::uint64_t{1} << 32;
  const std::uint64_t address = next_;
  if (bytes > end - address)
    sizes_.fail(fmt::format("the sizes need more than {} MiB of device memory", (end >> 20) - 256));
  next_ = (address + bytes + 255) / 256 * 256;
  allocated_ += bytes;
  return address;
}

}  // namespace golden
