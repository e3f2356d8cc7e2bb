// A cache's cycle model behind the C interface: checks what a caller drives, follows its requests, counts.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "clients/l1forge/client.h"
#include "golden/l1d/cycle_l1d.h"

namespace client {

// A call that the interface refuses: what() is its message.
class Refused : public std::runtime_error {
 public:
  Refused(l1forge_status status, const std::string& what) : std::runtime_error(what), status(status) {}

  l1forge_status status;
};

class Cache {
 public:
  // Of legal parameters.
  Cache(const hw::L1dParams& params, bool with_data);
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  l1forge_shape shape() const;

  l1forge_outputs outputs(const l1forge_inputs& inputs);
  void edge();
  const l1forge_lookup& lookup() const { return lookup_; }

  // Their numbers; -1 for names that this cache does not have.
  std::int32_t input(std::string_view name) const;
  std::int32_t output(std::string_view name) const;
  std::uint64_t most(std::int32_t input) const;  // 0 for no input
  void drive(std::int32_t input, std::uint64_t value);
  std::uint64_t read(std::int32_t output) const;

  bool idle() const { return model_->idle(); }
  std::uint64_t figure(std::size_t number) const;
  l1forge_rates rates() const;

 private:
  struct Request {
    golden::RequestKind kind;
    std::uint64_t id;
  };
  struct Input {
    std::string name;
    int width;  // bits
    std::variant<std::uint8_t*, std::uint16_t*, std::uint64_t*> value;
  };

  void list_ports();
  template <std::size_t... row>
  void list_monitor_inputs(std::index_sequence<row...> rows);
  template <std::size_t row>
  void list_monitor_inputs();

  void take_core_request(const l1forge_inputs& inputs);
  void take_memory_response(const l1forge_inputs& inputs);
  void check_monitor_inputs() const;
  std::uint32_t mask_of_response() const;
  void look(const golden::CycleL1d::Probe& probe);
  Request request_of(const golden::CycleL1d::Probe& probe);

  const hw::L1dParams params_;
  const bool with_data_;
  const std::unique_ptr<golden::CycleL1d> model_;

  golden::L1dIn in_;  // of this cycle; monitor inputs and controls stay
  golden::ByteMask byte_enable_{};
  golden::LineData core_data_{}, memory_data_{};
  const golden::L1dOut* out_ = nullptr;  // null until the outputs of the cycle were asked for
  std::vector<Input> inputs_;
  std::vector<hw::Control> outputs_;

  std::deque<Request> path_;                                     // accepted, not yet behind the lookup
  std::unordered_multimap<std::uint64_t, std::uint32_t> asked_;  // of memory: ids, and the masks of responses
  l1forge_lookup lookup_{};
  std::array<std::uint64_t, golden::stall_names.size()> stalls_{};  // cycles in the tag-lookup stage
};

// The figures of every cache, in their order.
const std::vector<std::string>& figure_names();

}  // namespace client
