// A built-in program: its launches one after the other, run warp by warp; its sizes and its memory.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "golden/trace/kernels/warp_program.h"

namespace golden {

inline constexpr std::uint64_t word = 4;  // bytes of a float or an int

struct KernelLaunch {
  KernelInfo kernel;
  std::function<Accesses(const Warp&)> warp;
};

// A size that the user may change.
struct Size {
  std::string_view name;
  std::uint64_t value;  // by default
  std::uint64_t least, most;
  std::string_view meaning;
  std::uint64_t multiple = 1;  // it is one of this
};

// The names of all, with commas.
template <class Range, class Name>
std::string listed(const Range& range, Name name) {
  std::string out;
  for (const auto& one : range) {
    if (!out.empty()) out += ", ";
    out += one.*name;
  }
  return out;
}

// The sizes in use, by name.
class Sizes {
 public:
  // Takes "a=1,b=2" over the defaults. Throws TraceError that begins with `name`.
  Sizes(std::string_view name, std::span<const Size> sizes, std::string_view text);

  std::uint64_t operator[](std::string_view name) const;
  std::uint32_t u32(std::string_view name) const { return static_cast<std::uint32_t>((*this)[name]); }
  [[noreturn]] void fail(std::string_view reason) const;

 private:
  std::string name_;
  std::vector<std::pair<std::string_view, std::uint64_t>> values_;
};

// Device memory as cudaMalloc gives it out: from 256 MiB on, aligned to 256 bytes, below 4 GiB.
class DeviceMemory {
 public:
  explicit DeviceMemory(const Sizes& sizes) : sizes_(sizes) {}
  std::uint64_t allocate(std::uint64_t bytes);
  std::uint64_t allocated() const { return allocated_; }  // bytes, all together

 private:
  Sizes sizes_;
  std::uint64_t next_ = 0x10000000, allocated_ = 0;
};

class Program {
 public:
  explicit Program(const Sizes& sizes) : memory_(sizes) {}
  virtual ~Program() = default;
  // Called when the launch before has been run to its end.
  virtual std::optional<KernelLaunch> next_launch() = 0;
  virtual std::size_t launches() const { return 0; }  // 0 when not known before
  // Bytes of its buffers in device memory.
  std::uint64_t footprint() const { return memory_.allocated(); }

 protected:
  std::uint64_t allocate(std::uint64_t bytes) { return memory_.allocate(bytes); }

 private:
  DeviceMemory memory_;
};

// A program whose launches depend on nothing.
class FixedProgram : public Program {
 public:
  using Program::Program;
  std::optional<KernelLaunch> next_launch() override;
  std::size_t launches() const override { return launches_.size(); }

 protected:
  void launch(KernelInfo kernel, std::function<Accesses(const Warp&)> warp) {
    launches_.push_back({std::move(kernel), std::move(warp)});
  }

 private:
  std::vector<KernelLaunch> launches_;
  std::size_t next_ = 0;
};

constexpr std::uint32_t ceiling(std::uint64_t value, std::uint64_t unit) {
  return static_cast<std::uint32_t>((value + unit - 1) / unit);
}

}  // namespace golden
