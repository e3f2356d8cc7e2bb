#include "golden/trace/traceg/traceg_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace golden {

namespace {

constexpr std::uint64_t window_bytes = 16 << 20;
constexpr std::uint64_t max_ctas = std::uint64_t{1} << 32;
constexpr std::uint32_t max_block = 1024;
constexpr int address_bits = 57;  // more than any GPU has; nothing wraps then

// "(1,2,3)" or "1,2,3".
std::array<std::uint32_t, 3> triple(const LineSource& lines, std::string_view what, std::string_view text) {
  std::string_view rest = text;
  const bool bare = !rest.starts_with('(');
  if (!bare && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), out[i]);
    const std::size_t used = static_cast<std::size_t>(end - rest.data());
    const bool comma = used < rest.size() && rest[used] == ',';
    if (code != std::errc() || (i < 2 ? !comma : used != rest.size()))
      lines.fail_at(text, fmt::format("{} is {}, must be three numbers: x,y,z", what, shown(text)));
    rest.remove_prefix(used + (i < 2 ? 1 : 0));
  }
  return out;
}

// The rest of "key = value", or nothing when the line has another key.
bool value_of(std::string_view line, std::string_view key, std::string_view& value) {
  if (!line.starts_with(key)) return false;
  line.remove_prefix(key.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('=')) return false;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  value = line.substr(0, line.find_last_not_of(" \t") + 1);
  return true;
}

}  // namespace

TracegSource::TracegSource(std::unique_ptr<ByteSource> source) : lines_(std::move(source)) {
  header();
  check_header();
}

void TracegSource::header() {
  std::string_view line;
  while (lines_.next_filled(line)) {
    if (line.find('\0') != line.npos)
      lines_.fail("this is a binary .tracez, which cannot be read; write .traceg instead");
    if (line.starts_with('#')) return;
    if (!line.starts_with('-'))
      lines_.fail(fmt::format("{} stands in the header, which has lines \"-key = value\" up to one with #",
                              shown(line)));
    header_line(line.substr(1));
  }
  lines_.fail("the trace ends inside its header");
}

void TracegSource::header_line(std::string_view line) {
  std::string_view value;
  if (value_of(line, "kernel name", value)) kernel_.name = value;
  if (value_of(line, "grid dim", value)) kernel_.grid = triple(lines_, "grid dim", value);
  if (value_of(line, "block dim", value)) kernel_.block = triple(lines_, "block dim", value);
  if (value_of(line, "nregs", value))
    kernel_.registers = Words(lines_, value).decimal<std::uint16_t>("nregs");
  if (value_of(line, "shmem", value))
    kernel_.shared_bytes = Words(lines_, value).decimal<std::uint32_t>("shmem");
  if (value_of(line, "shmem base_addr", value))
    shared_base_ = Words(lines_, value).hex<std::uint64_t>("shmem base_addr");
  if (value_of(line, "local mem base_addr", value))
    local_base_ = Words(lines_, value).hex<std::uint64_t>("local mem base_addr");
  if ((shared_base_ | local_base_) >> address_bits != 0)
    lines_.fail(fmt::format("the base address must have at most {} bits", address_bits));
  if (value_of(line, "enable lineinfo", value))
    dialect_.line_numbers = Words(lines_, value).decimal<std::uint32_t>("enable lineinfo") != 0;
  if (!value_of(line, "accelsim tracer version", value)) return;
  const std::string_view whole = value.substr(0, value.find('.'));  // 1.2 is read as 1
  dialect_.version = static_cast<int>(Words(lines_, whole).decimal<std::uint16_t>("accelsim tracer version"));
  if (dialect_.version > 5)
    lines_.fail(fmt::format("accelsim tracer version is {}, must be 1.2 to 5: later ones cannot be read",
                            shown(value)));
}

void TracegSource::check_header() const {
  const auto [gx, gy, gz] = kernel_.grid;
  const auto [bx, by, bz] = kernel_.block;
  if (gx == 0 || gy == 0 || gz == 0) lines_.fail("the header has no grid dim of at least (1,1,1)");
  if (bx == 0 || by == 0 || bz == 0) lines_.fail("the header has no block dim of at least (1,1,1)");
  if (gy > max_ctas / gx || gz > max_ctas / gx / gy)
    lines_.fail(fmt::format("grid dim is ({},{},{}), must have at most {} CTAs", gx, gy, gz, max_ctas));
  if (by > max_block / bx || bz > max_block / bx / by)
    lines_.fail(fmt::format("block dim is ({},{},{}), must have at most {} threads", bx, by, bz, max_block));
}

bool TracegSource::next_kernel(KernelInfo& kernel) {
  if (entered_) return false;
  entered_ = true;
  kernel = kernel_;
  return true;
}

bool TracegSource::next(Record& record) {
  if (!entered_) return false;
  TracegLine line;
  while (given_ == ready_.size()) {
    ready_.clear();
    given_ = 0;
    if (!next_instruction(line)) return false;
    add_records(line);
  }
  record = ready_[given_++];
  return true;
}

bool TracegSource::next_instruction(TracegLine& line) {
  while (instructions_ == 0)
    if (!next_block()) return false;
  std::string_view text;
  if (!lines_.next_filled(text))
    lines_.fail(fmt::format("the trace ends while {} instructions of warp {} are still to come",
                            instructions_, warp_));
  if (text.starts_with('#') || text.starts_with("warp =") || text.starts_with("thread block"))
    lines_.fail(fmt::format("{} stands where {} instructions of warp {} are still to come", shown(text),
                            instructions_, warp_));
  parse_traceg_line(lines_, text, dialect_, line);
  --instructions_;
  return true;
}

// Reads a line outside a warp's instructions; false at the end of the trace.
bool TracegSource::next_block() {
  std::string_view text;
  if (!lines_.next_filled(text)) {
    if (in_block_) lines_.fail("the trace ends inside a thread block: no #END_TB");
    return false;
  }
  if (text.starts_with("#BEGIN_TB")) {
    if (in_block_) lines_.fail("a thread block begins inside another");
    in_block_ = true;
    block_named_ = warp_named_ = false;
    warps_.reset();
  } else if (!in_block_) {
    lines_.fail(fmt::format("{} stands where #BEGIN_TB must; a raw .trace needs the post-processor first",
                            shown(text)));
  } else if (text.starts_with("#END_TB")) {
    if (!block_named_) lines_.fail("the thread block has no line \"thread block = x,y,z\"");
    in_block_ = false;
  } else {
    block_line(text);
  }
  return true;
}

void TracegSource::block_line(std::string_view text) {
  std::string_view value;
  if (value_of(text, "thread block", value)) {
    if (block_named_) lines_.fail("the thread block has a second line \"thread block = x,y,z\"");
    const auto [x, y, z] = triple(lines_, "thread block", value);
    const auto [gx, gy, gz] = kernel_.grid;
    if (x >= gx || y >= gy || z >= gz)
      lines_.fail_at(
          value, fmt::format("thread block is {},{},{}, outside the grid ({},{},{})", x, y, z, gx, gy, gz));
    cta_ = static_cast<std::uint32_t>((std::uint64_t{z} * gy + y) * gx + x);
    if (!ctas_.add(cta_))
      lines_.fail_at(value, fmt::format("thread block {},{},{} comes a second time", x, y, z));
    block_named_ = true;
  } else if (value_of(text, "warp", value)) {
    if (!block_named_) lines_.fail("a warp comes before the line \"thread block = x,y,z\"");
    const auto warp = Words(lines_, value).decimal<std::uint32_t>("warp");
    if (warp >= kernel_.warps_per_cta())
      lines_.fail(fmt::format("warp is {}, but the block dim has {} warps", warp, kernel_.warps_per_cta()));
    if (warps_.test(warp)) lines_.fail(fmt::format("warp {} comes a second time in its thread block", warp));
    warps_.set(warp);
    warp_ = static_cast<std::uint16_t>(warp);
    warp_named_ = true;
  } else if (value_of(text, "insts", value)) {
    if (!warp_named_) lines_.fail("insts comes before a line \"warp = number\"");
    instructions_ = Words(lines_, value).decimal<std::uint64_t>("insts");
    warp_named_ = false;
  } else if (!text.starts_with("cluster")) {
    lines_.fail(fmt::format("{} stands where a warp or #END_TB must", shown(text)));
  }
}

void TracegSource::add_records(const TracegLine& line) {
  const TracegOpcode opcode = traceg_opcode(line.opcode);
  if (line.mask == 0) return add_plain(line);
  if (opcode.what == TracegOpcode::What::barrier) {
    Record& record = ready_.emplace_back(started(line));
    record.space = Record::barrier_space;
  } else if (line.has_addresses) {
    if (opcode.what == TracegOpcode::What::unknown)
      lines_.fail_at(line.opcode, fmt::format("{} has addresses, but is no memory instruction known here",
                                              shown(line.opcode)));
    if (opcode.what == TracegOpcode::What::access) add_access(line, opcode);
  }
  // What reached neither the global nor the local space is an instruction like any other.
  if (ready_.empty()) return add_plain(line);
  ready_.front().registers.sources = line.registers.sources;
  ready_.back().registers.destination = line.registers.destination;
}

Record TracegSource::started(const TracegLine& line) const {
  Record record;
  record.cta = cta_;
  record.warp = warp_;
  record.pc = line.pc;
  return record;
}

void TracegSource::add_plain(const TracegLine& line) {
  if (!lists_) return;
  Record& record = ready_.emplace_back(started(line));
  record.space = Record::no_space;
  record.mask = line.mask;
  record.operation = traceg_operation(line.opcode);
  record.registers = line.registers;
}

bool TracegSource::in_window(std::uint64_t address, const std::uint64_t& base) const {
  return base != 0 && address - base < window_bytes;
}

void TracegSource::add_access(const TracegLine& line, const TracegOpcode& opcode) {
  using Space = TracegOpcode::Space;
  Record global = started(line);
  global.kind = opcode.kind;
  global.bytes_per_lane = opcode.bytes;
  Record local = global;
  int lane_of_global = 0, lane_of_local = 0, at = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(line.mask >> lane & 1)) continue;
    const std::uint64_t address = line.address[at++];
    if (address >> address_bits != 0)
      lines_.fail_at(line.memory,
                     fmt::format("address is 0x{:x}, must have at most {} bits", address, address_bits));
    const bool may_be_shared = opcode.space == Space::generic || opcode.space == Space::copy;
    if (may_be_shared && in_window(address, shared_base_)) continue;
    if (opcode.space == Space::copy && address < window_bytes) continue;  // an offset in shared memory
    if (opcode.space == Space::local || (opcode.space == Space::generic && in_window(address, local_base_))) {
      local.mask |= 1u << lane;
      local.address[lane_of_local++] = address;
    } else {
      global.mask |= 1u << lane;
      global.address[lane_of_global++] = address;
    }
  }
  if (global.mask) ready_.push_back(global);
  if (local.mask) add_local(local);
}

// Word w of thread t of T lies at base + 4*(w*T + t), so that a wide access becomes one record for each word.
void TracegSource::add_local(const Record& access) {
  const std::uint64_t warp = std::uint64_t{cta_} * kernel_.warps_per_cta() + warp_;
  const std::uint64_t threads = kernel_.ctas() * kernel_.warps_per_cta() * 32;
  for (int word = 0; word < std::max(1, access.bytes_per_lane / 4); ++word) {
    Record& record = ready_.emplace_back(access);
    record.bytes_per_lane = std::min<std::uint8_t>(access.bytes_per_lane, 4);
    int i = 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (!(access.mask >> lane & 1)) continue;
      const std::uint64_t offset = in_window(access.address[i], local_base_)
                                       ? access.address[i] - local_base_
                                       : access.address[i] % window_bytes;
      const std::uint64_t thread = warp * 32 + static_cast<std::uint64_t>(lane);
      record.address[i++] =
          local_base_ + 4 * ((offset / 4 + static_cast<std::uint64_t>(word)) * threads + thread) + offset % 4;
    }
  }
}

}  // namespace golden
