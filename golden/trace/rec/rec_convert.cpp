#include "golden/trace/rec/rec_convert.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "golden/trace/coalesce.h"
#include "golden/trace/io/byte_sink.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/request_list.h"

namespace golden {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t written_at_once = 65536;

template <class Value>
void put(std::vector<std::uint8_t>& bytes, Value value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// One kernel of the new file.
struct Written {
  KernelInfo kernel;
  std::uint64_t cta_base = 0, records = 0;
};

class RecWriter {
 public:
  RecWriter(TraceSource& source, const std::string& to) : source_(source), sink_(to) {}

  // Returns the kernels written.
  std::vector<Written> run() {
    std::vector<Written> out;
    Record record;
    counted_ = source_.count_instructions();
    for (KernelInfo kernel; source_.next_kernel(kernel);) {
      const std::uint64_t free = out.empty() ? 0 : out.back().cta_base + out.back().kernel.ctas();
      out.push_back({kernel, std::max<std::uint64_t>(kernel.first_cta, free), 0});
      while (source_.next(record)) {
        instructions_ += record.before + std::uint64_t{1};
        if (record.is_plain()) continue;
        if (!record.is_barrier()) ++accesses_.at(static_cast<std::size_t>(record.kind));
        add(record, out.back().cta_base);
        ++out.back().records;
      }
    }
    sink_.write(bytes_);
    sink_.close();
    return out;
  }

  // What the program executes, as side files name it; none from a source that does not know.
  nlohmann::ordered_json executed() const {
    if (!counted_) return {};
    const auto [loads, stores, atomics, past_l1] = accesses_;
    return {{"warp_insts", instructions_},
            {"global_ld", loads + past_l1},
            {"global_st", stores},
            {"global_atom", atomics}};
  }

 private:
  void add(const Record& r, std::uint64_t cta_base) {
    const std::uint64_t cta = cta_base + r.cta;
    if (cta >> 32 != 0) fail("its kernels have more CTAs than a .rec has numbers for");
    if (r.bytes_per_lane > 16)
      fail(fmt::format("an access has {} bytes a lane, a .rec at most 16", r.bytes_per_lane));
    put(bytes_, static_cast<std::uint32_t>(cta));
    put(bytes_, r.warp);
    put(bytes_, r.pc);
    put(bytes_, static_cast<std::uint8_t>(r.kind));
    put(bytes_, r.space);
    put(bytes_, r.mask);
    put(bytes_, r.bytes_per_lane);
    for (const std::uint64_t address : r.addresses()) put(bytes_, low_half(address));
    if (bytes_.size() < written_at_once) return;
    sink_.write(bytes_);
    bytes_.clear();
  }

  std::uint32_t low_half(std::uint64_t address) {
    if (!upper_half_) upper_half_ = address >> 32;
    if (address >> 32 != *upper_half_)
      fail(fmt::format("addresses 0x{:x} and 0x{:x} differ above bit 31, but a .rec has addresses of 32 bits",
                       *upper_half_ << 32, address));
    return static_cast<std::uint32_t>(address);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw TraceError(fmt::format("{}: {}", source_.name(), reason));
  }

  TraceSource& source_;
  ByteSink sink_;
  std::vector<std::uint8_t> bytes_;
  std::optional<std::uint64_t> upper_half_;
  bool counted_ = false;
  std::uint64_t instructions_ = 0;
  std::array<std::uint64_t, 4> accesses_{};  // by their kind
};

std::string side_text(const std::vector<Written>& kernels, const nlohmann::ordered_json& executed) {
  const KernelInfo& first = kernels.front().kernel;
  nlohmann::ordered_json launches = nlohmann::ordered_json::array();
  for (const Written& one : kernels) {
    nlohmann::ordered_json launch{{"index", one.kernel.index}, {"cta_base", one.cta_base}};
    if (one.records > 0) launch["records"] = one.records;
    if (one.kernel.ctas() > 0) launch["grid"] = one.kernel.grid;
    if (one.kernel.name != first.name) launch["kernel"] = one.kernel.name;
    if (one.kernel.block[0] > 0 && one.kernel.block != first.block) launch["block"] = one.kernel.block;
    launches.push_back(launch);
  }
  nlohmann::ordered_json side{{"kernel", first.name}};
  if (first.block[0] > 0) side["block"] = first.block;
  side["launches"] = launches;
  if (!executed.empty()) side["dynamic_untruncated"] = executed;
  return json_text(side, 1) + "\n";
}

}  // namespace

std::uint64_t write_rec(TraceSource& source, const std::string& from, const std::string& to) {
  RecWriter writer(source, to);
  const std::vector<Written> kernels = writer.run();
  std::uint64_t records = 0;
  for (const Written& one : kernels) records += one.records;
  std::error_code error;
  const fs::path side = side_file_name(from), new_side = side_file_name(to);
  if (from != "-" && fs::exists(side, error)) {
    if (side != new_side) fs::copy_file(side, new_side, fs::copy_options::overwrite_existing, error);
    if (error) throw TraceError(fmt::format("{}: cannot copy the side file: {}", to, error.message()));
  } else if (!kernels.empty() && (kernels.size() > 1 || kernels[0].kernel.ctas() > 0)) {
    ByteSink sink(new_side.string());
    sink.write(side_text(kernels, writer.executed()));
    sink.close();
  }
  return records;
}

std::uint64_t write_requests(TraceSource& source, const std::string& to, int line_bytes, int chunk_bytes) {
  ByteSink sink(to);
  std::uint64_t requests = 0;
  std::string lines;
  std::vector<LineAccess> touched;
  Record record;
  for (KernelInfo kernel; source.next_kernel(kernel);)
    while (source.next(record)) {
      if (record.is_barrier()) continue;
      coalesce(record, line_bytes, chunk_bytes, touched);
      RequestList::Item item;
      item.request.kind = static_cast<RequestKind>(record.kind);
      item.warp = record.cta * kernel.warps_per_cta() + record.warp;
      item.request.sideband.pc = record.pc;
      for (const auto& [line, mask] : touched) {
        item.request.address = line;
        item.request.mask = mask;
        lines += text(item);
        ++requests;
      }
      if (lines.size() < written_at_once) continue;
      sink.write(lines);
      lines.clear();
    }
  sink.write(lines);
  sink.close();
  return requests;
}

}  // namespace golden
