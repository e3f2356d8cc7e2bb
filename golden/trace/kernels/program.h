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
  std::function<Accesses(Warp)> warp;
};

class Program {
 public:
  virtual ~Program() = default;
  // Called when the launch before has been run to its end.
  virtual std::optional<KernelLaunch> next_launch() = 0;
  virtual std::size_t launches() const { return 0; }  // 0 when not known before
};

// A program whose launches depend on nothing.
class FixedProgram : public Program {
 public:
  std::optional<KernelLaunch> next_launch() override;
  std::size_t launches() const override { return launches_.size(); }

 protected:
  std::vector<KernelLaunch> launches_;

 private:
  std::size_t next_ = 0;
};

// A size that the user may change.
struct Size {
  std::string_view name;
  std::uint64_t value;  // by default
  std::uint64_t least, most;
  std::string_view meaning;
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

 private:
  const Sizes& sizes_;
  std::uint64_t next_ = 0x10000000;
};

constexpr std::uint32_t ceiling(std::uint64_t value, std::uint64_t unit) {
  return static_cast<std::uint32_t>((value + unit - 1) / unit);
}

// The programs, one creator each.
std::unique_ptr<Program> make_atax(const Sizes& sizes);
std::unique_ptr<Program> make_gemm(const Sizes& sizes);
std::unique_ptr<Program> make_syrk(const Sizes& sizes);
std::unique_ptr<Program> make_convolution(const Sizes& sizes);
std::unique_ptr<Program> make_invert_mapping(const Sizes& sizes);
std::unique_ptr<Program> make_bfs(const Sizes& sizes);
std::unique_ptr<Program> make_spmv(const Sizes& sizes);
std::unique_ptr<Program> make_histogram(const Sizes& sizes);
std::unique_ptr<Program> make_triad(const Sizes& sizes);
std::unique_ptr<Program> make_stencil(const Sizes& sizes);
std::unique_ptr<Program> make_needle(const Sizes& sizes);

}  // namespace golden
