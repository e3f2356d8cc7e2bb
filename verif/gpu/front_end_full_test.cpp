// A trace of a gigabyte, interleaved by the front end in bounded memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <span>
#include <utility>

#include "golden/gpu/front_end.h"

namespace {

// Sixteen CTAs of eight warps, each with `accesses` loads of 32 lanes in four lines.
class LongTrace : public golden::TraceSource {
 public:
  explicit LongTrace(std::uint32_t accesses) : accesses_(accesses) {}

  bool next_kernel(golden::KernelInfo& kernel) override {
    kernel = {};
    return !std::exchange(started_, true);
  }
  bool next(golden::Record& record) override {
    if (at_ == 16ull * 8 * accesses_) return false;
    record.warp = static_cast<std::uint16_t>(at_ / accesses_ % 8);
    record.cta = static_cast<std::uint32_t>(at_ / accesses_ / 8);
    record.pc = static_cast<std::uint32_t>(at_ % accesses_);
    record.mask = ~0u;
    record.bytes_per_lane = 4;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      record.address[lane] = (at_ * 512 + lane * 16) % (1ull << 30);
    ++at_;
    return true;
  }
  const std::string& name() const override { return name_; }
  double fraction() const override { return -1; }

 private:
  std::uint32_t accesses_;
  std::uint64_t at_ = 0;
  bool started_ = false;
  std::string name_ = "long trace";
};

struct Count {
  std::uint64_t requests = 0;
  void flush() {}
  bool access(int, std::span<const golden::Request> more) {
    requests += more.size();
    return true;
  }
};

TEST(FrontEndFull, AGigabyteNeedsLessThan200Megabytes) {
  constexpr std::uint32_t accesses = 54'000;  // of a warp: 128 * 54,000 records of 145 bytes
  for (const auto scheduler : {golden::SchedulerKind::gto, golden::SchedulerKind::lrr}) {
    LongTrace trace(accesses);
    golden::FrontEnd front_end(trace, {.scheduler = scheduler});
    Count count;
    while (front_end.round(count)) continue;
    EXPECT_EQ(count.requests, 4ull * 128 * accesses);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 200'000);  // kilobytes
}

}  // namespace
