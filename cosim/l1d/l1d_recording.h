// Recorded traffic of a GPU core at the ports of its L1 data cache: requests, answers and fences of a text,
// plain or .xz, for lines of 128 bytes in chunks of 32.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/l1d/l1d_lines.h"
#include "golden/cache/l1d_types.h"

namespace verif {

struct L1dRecording {
  static constexpr int line_bytes = 128, chunk_bytes = 32;

  struct Request {
    std::uint64_t line = 0;                         // of the text
    std::size_t id_column = 0, address_column = 0;  // in it
    std::uint32_t id = 0, mask = 0;
    golden::RequestKind kind = golden::RequestKind::load;
    bool answered_with_data = false;
    std::uint64_t address = 0;
    std::size_t answers_before = 0;  // answers that came before it was offered
    golden::ByteMask enables{};
    golden::LineData data{};  // sent, or answered
  };

  std::string file;
  std::vector<Request> requests;
  std::vector<std::size_t> answers;  // requests, in the order of their answers
  std::vector<std::size_t> fences;   // each behind so many requests

  // Throws golden::TraceError: file, line, column, reason.
  static L1dRecording read(const std::string& file);
  // What memory held: of each byte that was loaded before it was stored what that load returned.
  L1dLines initial() const;
};

}  // namespace verif
