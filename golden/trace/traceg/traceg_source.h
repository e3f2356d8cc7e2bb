// Streaming reader of Accel-Sim SASS traces: one `.traceg` file holds one launch of a kernel.
//
// Loads, stores and atomics on global and local memory become records; shared memory does not, nor do
// constants, textures and surfaces. Local memory is laid out as GPUs do it, word by word with the threads
// side by side, in addresses from the local window's base on. Loads of GPU scope are marked as passing the
// L1. Barriers that wait (BAR.SYNC, BAR.RED) become barrier records.
#pragma once
#include <bitset>
#include <vector>

#include "golden/trace/io/line_source.h"
#include "golden/trace/io/number_set.h"
#include "golden/trace/trace_source.h"
#include "golden/trace/traceg/traceg_line.h"
#include "golden/trace/traceg/traceg_opcode.h"

namespace golden {

class TracegSource : public TraceSource {
 public:
  explicit TracegSource(std::unique_ptr<ByteSource> source);  // at its start

  bool next_kernel(KernelInfo& kernel) override;
  bool next(Record& record) override;
  bool list_instructions() override { return lists_ = true; }
  const std::string& name() const override { return lines_.name(); }
  double fraction() const override { return lines_.fraction(); }

 private:
  void header();
  void header_line(std::string_view line);
  void check_header() const;
  bool next_instruction(TracegLine& line);
  bool next_block();
  void block_line(std::string_view text);
  void add_records(const TracegLine& line);
  void add_plain(const TracegLine& line);
  Record started(const TracegLine& line) const;
  void add_access(const TracegLine& line, const TracegOpcode& opcode);
  void add_local(const Record& access);
  bool in_window(std::uint64_t address, const std::uint64_t& base) const;

  LineSource lines_;
  KernelInfo kernel_;
  TracegDialect dialect_;
  std::uint64_t shared_base_ = 0, local_base_ = 0;  // 0 when not stated
  bool entered_ = false;                            // next_kernel() has been called
  bool lists_ = false;                              // hands out instructions that are no access
  bool in_block_ = false, block_named_ = false;
  std::uint32_t cta_ = 0;
  std::uint16_t warp_ = 0;
  std::bitset<32> warps_;  // of the thread block that have come; a block has at most 1024 threads
  bool warp_named_ = false;
  std::uint64_t instructions_ = 0;  // lines of this warp that are still to come
  NumberSet ctas_;
  std::vector<Record> ready_;  // of the latest line, handed out up to given_
  std::size_t given_ = 0;
};

}  // namespace golden
