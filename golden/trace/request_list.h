// Lists of coalesced requests as text, one a line: "L 10000080 f", "S 80 3 5 17", "L 80 f 5 17 d4 !", with
// cores "3 L 10000080 f", and among those "F", a flush of all caches.
//
// Kind (L load, S store, A atomic, N non-L1), byte address of a line in hex, chunks of the line in hex (bit 0
// the lowest chunk), then optionally warp and program counter in decimal, then marks: d4 opens a load of 4
// requests, of which the other three are the core's next loads; ! is a request that finds nothing to reserve.
#pragma once
#include <map>

#include "golden/cache/l1d_types.h"
#include "golden/trace/io/line_source.h"

namespace golden {

// Reads a list once, front to back: plain or .xz, found by content; "-" is standard input. Throws TraceError.
class RequestList {
 public:
  // What the lines have to fit.
  struct Limits {
    int line_bytes = 128, chunk_bytes = 32, address_bits = 32;
    std::uint32_t cores = 0;  // 0: the lines do not begin with a core's number
  };
  struct Item {
    Request request;
    std::uint32_t core = 0, warp = 0;  // the sideband has the low bits of the warp
    bool flush = false;                // and no request
  };

  RequestList(const std::string& path, const Limits& limits);
  RequestList(std::unique_ptr<ByteSource> source, const Limits& limits);

  // False after the last line. Blank lines are passed over.
  bool next(Item& item);

  const std::string& name() const { return lines_.name(); }
  double fraction() const { return lines_.fraction(); }

 private:
  // The load that a mark has opened.
  struct OpenLoad {
    std::uint8_t degree = 1;
    unsigned left = 0;  // requests that have not come
  };

  RequestKind kind(std::string_view word) const;
  bool read_flush(Words& words, Item& out);
  void read_marks(Words& words, Item& out);
  void open_load(std::string_view mark, Item& out);
  void check_end() const;
  void check_address(std::uint64_t address) const;
  void check_mask(std::uint32_t mask) const;

  LineSource lines_;
  Limits limits_;
  std::map<std::uint32_t, OpenLoad> open_;  // by core
  bool empty_ = true;                       // no line has come yet
};

// The line of an item, with its end; `with_core` puts the core's number in front.
std::string text(const RequestList::Item& item, bool with_core = false);

}  // namespace golden
