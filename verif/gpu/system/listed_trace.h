// A trace of one kernel from a list of records, for tests of a system.
#pragma once
#include <utility>
#include <vector>

#include "golden/trace/trace_source.h"

namespace verif {

class ListedTrace final : public golden::TraceSource {
 public:
  // CTAs of that many warps. With `registers` every instruction is in the list, with its registers.
  ListedTrace(int warps, std::vector<golden::Record> records, bool registers, std::uint32_t ctas = 1)
      : records_(std::move(records)), registers_(registers) {
    kernel_.grid = {ctas, 1, 1};
    kernel_.block = {static_cast<std::uint32_t>(32 * warps), 1, 1};
  }

  bool next_kernel(golden::KernelInfo& kernel) override {
    if (std::exchange(entered_, true)) return false;
    kernel = kernel_;
    return true;
  }
  bool next(golden::Record& record) override {
    if (next_ == records_.size()) return false;
    record = records_[next_++];
    return true;
  }
  bool list_instructions() override { return registers_; }
  const std::string& name() const override { return name_; }
  double fraction() const override { return -1; }

 private:
  golden::KernelInfo kernel_;
  std::vector<golden::Record> records_;
  bool registers_, entered_ = false;
  std::size_t next_ = 0;
  std::string name_ = "listed";
};

// A load of one lane.
inline golden::Record load_of(std::uint64_t address, std::uint16_t warp = 0, std::uint32_t before = 0) {
  golden::Record record;
  record.warp = warp;
  record.mask = 1;
  record.bytes_per_lane = 4;
  record.address[0] = address;
  record.before = before;
  return record;
}

// An instruction of all lanes that is no access, and `before` in front of it.
inline golden::Record plain(std::uint16_t warp, std::uint32_t before = 0) {
  golden::Record record;
  record.warp = warp;
  record.space = golden::Record::no_space;
  record.mask = ~0u;
  record.before = before;
  return record;
}

// The same with registers.
inline golden::Record operation(std::uint16_t warp, golden::Operation what, std::uint8_t destination,
                                std::uint8_t source = golden::Registers::none) {
  golden::Record record = plain(warp);
  record.operation = what;
  record.registers.destination = destination;
  record.registers.sources[0] = source;
  return record;
}

}  // namespace verif
