#include "golden/trace/traceg/traceg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <vector>

#include "golden/trace/io/byte_sink.h"
#include "golden/trace/io/number_set.h"
#include "golden/trace/io/spill_file.h"

namespace golden {
namespace {

constexpr std::size_t memory_bytes = 64 << 20;  // of the lines of a CTA; more go to a temporary file
constexpr std::size_t written_at_once = 65536;
constexpr std::uint64_t most_absent = 1 << 20;  // CTAs without a record

// Lines of a warp of the CTA that is being read: its warps come mixed, and the form has one after the other.
struct WarpLines {
  std::uint64_t count = 0;
  std::string text = {};  // what is not yet in a piece
  std::vector<SpillFile::Piece> pieces = {};
  std::uint32_t next_pc = 0;
};

// The modifier by which Accel-Sim and our reader know how many bytes a lane moves.
const char* width_of(const Record& r, const std::string& trace) {
  switch (r.bytes_per_lane) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 4:
      return "";
    case 8:
      return ".64";
    case 16:
      return ".128";
    case 32:
      return ".256";
    default:
      throw TraceError(fmt::format("{}: an access of {} bytes a lane has no opcode in a .traceg", trace,
                                   r.bytes_per_lane));
  }
}

// Opcode with the registers in front of and behind it.
std::string operation_of(const Record& r, const std::string& width) {
  switch (r.kind) {
    case AccessKind::load:
      return fmt::format("1 R4 LDG.E{}.SYS 1 R2", width);
    case AccessKind::store:
      return fmt::format("0 STG.E{}.SYS 2 R2 R6", width);
    case AccessKind::atomic:
      return fmt::format("1 R4 ATOMG.E.ADD{}.STRONG.GPU 2 R2 R6", width);
    case AccessKind::non_l1:
      break;
  }
  return fmt::format("1 R4 LDG.E{}.STRONG.GPU 1 R2", width);
}

// Lanes beside each other the same distance apart have a base and a stride, others the difference of each.
std::string addresses_of(const Record& r) {
  const auto addresses = r.addresses();
  const auto difference = [&](std::size_t i) {
    return static_cast<std::int64_t>(addresses[i] - addresses[i - 1]);
  };
  const std::uint32_t run = r.mask >> std::countr_zero(r.mask);
  bool even = addresses.size() > 1 && (run & (run + 1)) == 0;
  for (std::size_t i = 2; i < addresses.size(); ++i) even = even && difference(i) == difference(1);
  using Stride = std::numeric_limits<std::int32_t>;
  if (even && difference(1) >= Stride::min() && difference(1) <= Stride::max())
    return fmt::format("1 0x{:x} {}", addresses[0], difference(1));
  std::string text = fmt::format("2 0x{:x}", addresses[0]);
  for (std::size_t i = 1; i < addresses.size(); ++i) text += fmt::format(" {}", difference(i));
  return text;
}

class Writer {
 public:
  Writer(TraceSource& source, const std::string& to) : source_(source), sink_(to), spill_(memory_bytes) {}

  std::uint64_t run() {
    if (!source_.next_kernel(kernel_)) fail("holds no kernel");
    if (kernel_.ctas() == 0 || kernel_.warps_per_cta() == 0)
      fail("states no grid and block, which a .traceg must; a side file of the .rec has them");
    write(header());
    warps_.resize(kernel_.warps_per_cta());
    std::uint64_t records = 0;
    for (Record record; source_.next(record); ++records) {
      if (records == 0 || record.cta != cta_) begin(record.cta, records > 0);
      add(record);
    }
    if (records > 0) write_block();
    write_absent();
    if (KernelInfo next; source_.next_kernel(next))
      fail("holds more kernels than one, which a .traceg cannot");
    sink_.write(bytes_);
    sink_.close();
    return records;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw TraceError(fmt::format("{}: {}", source_.name(), what));
  }

  std::string header() const {
    const auto triple = [](const std::array<std::uint32_t, 3>& v) {
      return fmt::format("({},{},{})", v[0], v[1], v[2]);
    };
    std::string name = kernel_.name.empty() ? "kernel" : kernel_.name;
    std::ranges::replace_if(
        name, [](unsigned char c) { return c < 0x20; }, '?');
    return fmt::format(
        "-kernel name = {}\n-kernel id = {}\n-grid dim = {}\n-block dim = {}\n-shmem = 0\n-nregs = 8\n"
        "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
        "-local mem base_addr = 0x00007e0000000000\n-nvbit version = none (memory accesses and barriers)\n"
        "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
        "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
        "[adrrescompress?] [mem_addresses] immediate\n\n",
        name, kernel_.index + 1, triple(kernel_.grid), triple(kernel_.block));
  }

  // The simulator starts every CTA of a grid, and waits for ever where one has no block.
  void write_absent() {
    if (kernel_.ctas() - blocks_ > most_absent)
      fail(fmt::format("has records of {} CTAs of the {} of its grid; keep the first ones with --ctas",
                       blocks_, kernel_.ctas()));
    for (std::uint64_t cta = 0; cta < kernel_.ctas(); ++cta)
      if (cta_ = static_cast<std::uint32_t>(cta); written_.add(cta_)) write_block();
  }

  void begin(std::uint32_t cta, bool another) {
    if (another) write_block();
    if (cta >= kernel_.ctas()) fail(fmt::format("cta {} is outside its grid of {}", cta, kernel_.ctas()));
    if (!written_.add(cta)) fail(fmt::format("cta {} comes a second time", cta));
    cta_ = cta;
  }

  void add(const Record& r) {
    if (r.warp >= warps_.size())
      fail(fmt::format("warp {} is outside its block of {}", r.warp, warps_.size()));
    WarpLines& warp = warps_[r.warp];
    ++warp.count;
    warp.next_pc = r.pc + 1;
    if (r.is_barrier())
      warp.text += fmt::format("{:04x} {:08x} 0 BAR.SYNC 0 0 0 \n", r.pc, lanes_of(r.warp));
    else
      warp.text +=
          fmt::format("{:04x} {:08x} {} {} {} 0 \n", r.pc, r.mask,
                      operation_of(r, width_of(r, source_.name())), r.bytes_per_lane, addresses_of(r));
    while (warp.text.size() >= SpillFile::piece_bytes) {
      const auto end = warp.text.begin() + SpillFile::piece_bytes;
      warp.pieces.push_back(spill_.keep({warp.text.begin(), end}));
      warp.text.erase(warp.text.begin(), end);
    }
  }

  // The lanes that the block has in that warp: they end together.
  std::uint32_t lanes_of(std::size_t warp) const {
    const std::size_t threads = std::size_t{kernel_.block[0]} * kernel_.block[1] * kernel_.block[2];
    const std::size_t lanes = std::min<std::size_t>(32, threads - 32 * warp);
    return lanes == 32 ? ~0u : (1u << lanes) - 1;
  }

  void write_block() {
    const auto [gx, gy, gz] = kernel_.grid;
    write(fmt::format("#BEGIN_TB\n\nthread block = {},{},{}\n\n", cta_ % gx, cta_ / gx % gy, cta_ / gx / gy));
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      WarpLines& warp = warps_[w];
      write(fmt::format("warp = {}\ninsts = {}\n", w, warp.count + 1));
      std::vector<std::uint8_t> bytes;
      for (SpillFile::Piece& piece : warp.pieces) {
        spill_.take(piece, bytes);
        write({bytes.begin(), bytes.end()});
      }
      write(warp.text);
      write(fmt::format("{:04x} {:08x} 0 EXIT 0 0 0 \n\n", warp.next_pc, lanes_of(w)));
      warp = {};
    }
    write("#END_TB\n\n");
    ++blocks_;
  }

  void write(const std::string& text) {
    bytes_ += text;
    if (bytes_.size() < written_at_once) return;
    sink_.write(bytes_);
    bytes_.clear();
  }

  TraceSource& source_;
  ByteSink sink_;
  SpillFile spill_;
  KernelInfo kernel_ = {};
  NumberSet written_;         // CTAs
  std::uint64_t blocks_ = 0;  // their number
  std::uint32_t cta_ = 0;
  std::vector<WarpLines> warps_ = {};
  std::string bytes_ = {};
};

}  // namespace

std::uint64_t write_traceg(TraceSource& source, const std::string& to) { return Writer(source, to).run(); }

}  // namespace golden
