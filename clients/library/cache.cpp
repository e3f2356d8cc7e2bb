#include "clients/library/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "gen/explore/result.h"
#include "gen/explore/system_run.h"
#include "hw/l1d/l1d.h"

namespace client {
namespace {

using golden::RequestKind, golden::Result, golden::Stall;

static_assert(std::endian::native == std::endian::little, "bytes of a line are those of its words");

bool fits(std::uint64_t value, int bits) { return bits >= 64 || value >> bits == 0; }

void require(bool holds, const char* field, std::uint64_t value, const std::string& rule) {
  if (!holds) throw Refused(L1FORGE_BAD_ARGUMENT, fmt::format("{} = {}: {}", field, value, rule));
}

void require_bits(const char* field, std::uint64_t value, int bits) {
  require(fits(value, bits), field, value,
          fmt::format("the port has {} bit{}; shape says how wide ports are", bits, bits == 1 ? "" : "s"));
}

// The port of a row of monitor inputs, or the first of them, by name.
template <std::size_t row>
constexpr auto port_of_row = [] {
  constexpr std::string_view name = hw::monitor_input_rows[row].name;
  std::array<char, name.size() + 1> text{};
  std::ranges::copy(name, text.begin());
  text.back() = '0';
  return text;
}();

l1forge_outcome outcome_of(Result result) {
  switch (result) {
    case Result::hit:
      return L1FORGE_HIT;
    case Result::hit_pending:
      return L1FORGE_HIT_PENDING;
    case Result::partial_miss:
      return L1FORGE_PARTIAL_MISS;
    case Result::miss:
      return L1FORGE_MISS;
    case Result::bypass:
      return L1FORGE_BYPASS;
    case Result::store:
      return L1FORGE_STORED;
    case Result::atomic:
      return L1FORGE_ATOMIC_SENT;
    case Result::non_l1:
      return L1FORGE_NON_L1_SENT;
    case Result::drop:
      return L1FORGE_INVALIDATED;
    case Result::found:
      return L1FORGE_SNOOP_FOUND;
    case Result::absent:
      return L1FORGE_SNOOP_ABSENT;
  }
  throw std::logic_error("a lookup result without an outcome");
}

l1forge_outcome outcome_of(Stall stall) {
  switch (stall) {
    case Stall::line:
      return L1FORGE_FAIL_LINE;
    case Stall::mshr:
      return L1FORGE_FAIL_MSHR;
    case Stall::merge:
      return L1FORGE_FAIL_MERGE;
    case Stall::queue:
      return L1FORGE_FAIL_QUEUE;
    case Stall::answer:
      return L1FORGE_STALL_RESPONSE;
    case Stall::bank:
      return L1FORGE_STALL_BANK;
    case Stall::arbitration:
      return L1FORGE_STALL_ARBITRATION;
    case Stall::plan:
    case Stall::tags:  // of flipped bits, which no client has
      return L1FORGE_STALL_PLAN;
    case Stall::flush:
      return L1FORGE_STALL_FLUSH;
    case Stall::none:
      break;
  }
  throw std::logic_error("a stall without an outcome");
}

// Made when the library is loaded, so that nobody who asks can be short of memory.
const std::vector<std::string> names_of_figures = [] {
  std::vector<std::string> all;
  for (const auto& [name, member] : golden::counter_names) all.emplace_back(name);
  for (std::size_t cause = 1; cause < golden::traffic_stalls; ++cause)
    all.push_back(fmt::format("stall_{}", golden::stall_names[cause]));
  return all;
}();

const std::uint8_t* bytes_of(const auto* words) {
  return words ? reinterpret_cast<const std::uint8_t*>(words->data()) : nullptr;
}

}  // namespace

Cache::Cache(const hw::L1dParams& params, bool with_data)
    : params_(params), with_data_(with_data), model_(golden::CycleL1d::make(params, with_data)) {
  list_ports();
  in_.rst = true;
  model_->outputs(in_);
  model_->edge(in_);
}

template <std::size_t row>
void Cache::list_monitor_inputs() {
  constexpr const hw::MonitorInputRow& r = hw::monitor_input_rows[row];
  constexpr std::string_view port(port_of_row<row>.data(), r.name.size() + r.numbered);
  for (int n = 0; n < r.count(params_); ++n) {
    Input input{hw::monitor_input_name(r, n), r.width(params_), {}};
    if constexpr (r.numbered)
      input.value = &in_.monitor_inputs.from(port)[static_cast<std::size_t>(n)];
    else
      input.value = &in_.monitor_inputs[port];
    inputs_.push_back(input);
  }
}

template <std::size_t... row>
void Cache::list_monitor_inputs(std::index_sequence<row...>) {
  (list_monitor_inputs<row>(), ...);
}

void Cache::list_ports() {
  list_monitor_inputs(std::make_index_sequence<hw::monitor_input_rows.size()>());
  for (const hw::Control control : hw::all_controls) {
    const hw::ControlRole role = control.role(params_);
    if (role == hw::ControlRole::input)
      inputs_.push_back({std::string(control.name()), control.width(params_), &in_.controls[control]});
    if (role == hw::ControlRole::output) outputs_.push_back(control);
  }
}

l1forge_shape Cache::shape() const {
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  const bool in_slots = hw::traits_of(params_.tags).in_slots;
  return {.line_bytes = number(params_.line_bytes),
          .chunk_bytes = number(params_.chunk_bytes),
          .sets = number(hw::sets_of(params_)),
          .ways = in_slots ? 0 : number(params_.ways),
          .capacity_bytes = number(params_.capacity_bytes),
          .mshr_entries = number(params_.mshr_entries),
          .mshr_merges = number(params_.mshr_merges),
          .miss_queue = number(params_.miss_queue),
          .address_bits = number(params_.address_bits),
          .core_id_bits = number(params_.core_id_bits),
          .memory_id_bits = number(hw::memory_id_bits(params_)),
          .kinds = params_.snoops  ? 6u
                   : params_.drops ? 5u
                                   : 4u,
          .warps = params_.limit.kind == hw::LimitKind::none ? 0 : number(params_.limit.warps),
          .warps_of_core = params_.limit.scope == hw::LimitScope::core,
          .hit_latency = number(gen::hit_latency(params_)),
          .warp_bits = number(hw::warp_bits_of(params_))};
}

void Cache::take_core_request(const l1forge_inputs& inputs) {
  in_.core_request_valid = inputs.core_request_valid != 0;
  if (!in_.core_request_valid) return;
  const std::uint8_t kind = inputs.core_request_kind;
  const auto is = [&](RequestKind k) { return kind == static_cast<std::uint8_t>(k); };
  require(kind < shape().kinds && (!is(RequestKind::drop) || params_.drops), "core_request_kind", kind,
          "this cache has no such kind; core.drops and core.peeks add two");
  require_bits("core_request_id", inputs.core_request_id, params_.core_id_bits);
  require_bits("core_request_address", inputs.core_request_address, params_.address_bits);
  require(inputs.core_request_mask != 0, "core_request_mask", 0, "a request is of one sector at least");
  require_bits("core_request_mask", inputs.core_request_mask, hw::chunks_of_line(params_));
  if (hw::reads_degrees(params_.bypass))
    require_bits("core_request_degree", inputs.core_request_degree, hw::degree_bits);
  if (params_.pc_bits) require_bits("core_request_pc", inputs.core_request_pc, params_.pc_bits);
  const int warp_bits = hw::warp_bits_of(params_);
  if (warp_bits) require_bits("core_request_warp", inputs.core_request_warp, warp_bits);

  in_.core_request_kind = static_cast<RequestKind>(kind);
  in_.core_request_id = inputs.core_request_id;
  in_.core_request_address = inputs.core_request_address;
  in_.core_request_mask = inputs.core_request_mask;
  in_.core_request_sideband = {.pc = inputs.core_request_pc,
                               .warp = static_cast<std::uint16_t>(inputs.core_request_warp),
                               .degree = std::max<std::uint8_t>(inputs.core_request_degree, 1),
                               .first = inputs.core_request_not_first == 0};
  if (!with_data_) return;
  const auto line = static_cast<std::size_t>(params_.line_bytes);
  byte_enable_ = {};
  if (inputs.core_request_byte_enable)
    std::memcpy(byte_enable_.data(), inputs.core_request_byte_enable, line / 8);
  core_data_ = {};
  if (inputs.core_request_data) std::memcpy(core_data_.data(), inputs.core_request_data, line);
  in_.core_request_byte_enable = &byte_enable_;
  in_.core_request_data = &core_data_;
}

// A response that answers nothing could be of no entry at all: what the model does then is nobody's contract.
void Cache::take_memory_response(const l1forge_inputs& inputs) {
  in_.memory_response_valid = inputs.memory_response_valid != 0;
  if (!in_.memory_response_valid) return;
  const auto [first, last] = asked_.equal_range(inputs.memory_response_id);
  require(first != last, "memory_response_id", inputs.memory_response_id,
          "answers no request on its way; a request is answered once, whole");
  require(std::any_of(first, last, [&](const auto& a) { return a.second == inputs.memory_response_mask; }),
          "memory_response_mask", inputs.memory_response_mask,
          fmt::format("is not that of request {}, which is {}", inputs.memory_response_id, first->second));
  in_.memory_response_id = inputs.memory_response_id;
  in_.memory_response_mask = inputs.memory_response_mask;
  if (!with_data_) return;
  memory_data_ = {};
  if (inputs.memory_response_data)
    std::memcpy(memory_data_.data(), inputs.memory_response_data,
                static_cast<std::size_t>(params_.line_bytes));
  in_.memory_response_data = &memory_data_;
}

void Cache::check_monitor_inputs() const {
  if (!hw::has_controller(params_) || !in_.monitor_inputs["kernel_start"]) return;
  const auto total = in_.monitor_inputs["total"];
  require(total >= 1 && total <= params_.limit.warps, "total", total,
          fmt::format("must be 1 to {} with kernel_start: the warps of the kernel", params_.limit.warps));
}

l1forge_outputs Cache::outputs(const l1forge_inputs& inputs) {
  out_ = nullptr;
  take_core_request(inputs);
  take_memory_response(inputs);
  check_monitor_inputs();
  in_.rst = inputs.reset != 0;
  in_.core_response_ready = inputs.core_response_ready != 0;
  in_.memory_request_ready = inputs.memory_request_ready != 0;
  in_.flush_valid = inputs.flush_valid != 0;
  const golden::L1dOut& out = model_->outputs(in_);
  out_ = &out;
  return {.core_request_ready = out.core_request_ready,
          .core_response_valid = out.core_response_valid,
          .memory_request_valid = out.memory_request_valid,
          .memory_request_kind = static_cast<std::uint8_t>(out.memory_request_kind),
          .memory_response_ready = out.memory_response_ready,
          .flush_ready = out.flush_ready,
          .core_response_mask = out.core_response_mask,
          .memory_request_mask = out.memory_request_mask,
          .memory_request_pc = out.memory_request_pc,
          .core_response_id = out.core_response_id,
          .memory_request_id = out.memory_request_id,
          .memory_request_address = out.memory_request_address,
          .core_response_data = bytes_of(out.core_response_data),
          .memory_request_byte_enable = bytes_of(out.memory_request_byte_enable),
          .memory_request_data = bytes_of(out.memory_request_data)};
}

// Of the response to the request on the memory bus.
std::uint32_t Cache::mask_of_response() const {
  const golden::ByteMask* const bytes = out_->memory_request_byte_enable;
  const bool writes =
      out_->memory_request_kind == RequestKind::store ||
      (out_->memory_request_kind == RequestKind::non_l1 && bytes && *bytes != golden::ByteMask{});
  return writes ? 0 : out_->memory_request_mask;
}

void Cache::edge() {
  if (!out_)
    throw Refused(L1FORGE_BAD_CALL, "the edge needs this cycle's outputs: call l1forge_cache_outputs before");
  const golden::L1dOut& out = *out_;
  if (in_.rst) {
    path_.clear();
    asked_.clear();
  } else {
    if (in_.memory_response_valid && out.memory_response_ready) {
      const auto [first, last] = asked_.equal_range(in_.memory_response_id);
      asked_.erase(
          std::find_if(first, last, [&](const auto& a) { return a.second == in_.memory_response_mask; }));
    }
    if (out.memory_request_valid && in_.memory_request_ready)
      asked_.emplace(out.memory_request_id, mask_of_response());
    if (in_.core_request_valid && out.core_request_ready)
      path_.push_back({in_.core_request_kind, in_.core_request_id});
  }
  model_->edge(in_);
  out_ = nullptr;
  look(model_->last_probe());
}

void Cache::look(const golden::CycleL1d::Probe& probe) {
  lookup_ = {};
  if (!probe.occupied) return;
  if (!probe.fired) ++stalls_[static_cast<std::size_t>(probe.stall)];
  lookup_ = {
      .outcome = static_cast<std::uint32_t>(probe.fired ? outcome_of(probe.result) : outcome_of(probe.stall)),
      .kind = static_cast<std::uint32_t>(probe.kind),
      .set = probe.set,
      .mask = probe.mask,
      .id = request_of(probe).id};
}

// Requests keep their order up to the lookup, but for snoops, which overtake others and not each other.
Cache::Request Cache::request_of(const golden::CycleL1d::Probe& probe) {
  const auto snoops = [](RequestKind kind) { return kind == RequestKind::snoop; };
  const auto at = std::ranges::find_if(
      path_, [&](const Request& request) { return snoops(request.kind) == snoops(probe.kind); });
  if (at == path_.end()) throw std::logic_error("a lookup of a request that never came");
  const Request request = *at;
  if (probe.fired) path_.erase(at);
  return request;
}

std::int32_t Cache::input(std::string_view name) const {
  const auto at = std::ranges::find(inputs_, name, &Input::name);
  return at == inputs_.end() ? -1 : static_cast<std::int32_t>(at - inputs_.begin());
}

std::int32_t Cache::output(std::string_view name) const {
  const auto at = std::ranges::find(outputs_, name, &hw::Control::name);
  return at == outputs_.end() ? -1 : static_cast<std::int32_t>(at - outputs_.begin());
}

std::uint64_t Cache::most(std::int32_t input) const {
  if (input < 0 || static_cast<std::size_t>(input) >= inputs_.size()) return 0;
  const Input& port = inputs_[static_cast<std::size_t>(input)];
  const auto is_one_of = [&](std::string_view row) {
    return port.name.starts_with(row) &&
           port.name.find_first_not_of("0123456789", row.size()) == port.name.npos;
  };
  const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
  if (port.name == "total") return number(params_.limit.warps);
  if (port.name == "issued") return number(hw::iacm_params(params_).awl.issue_max);
  if (is_one_of("issued")) return number(params_.bypass.bucl.issue_max);
  if (is_one_of("occupancy")) return number(params_.bypass.bucl.buffer_entries);
  return port.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << port.width) - 1;
}

void Cache::drive(std::int32_t input, std::uint64_t value) {
  if (input < 0 || static_cast<std::size_t>(input) >= inputs_.size())
    throw Refused(L1FORGE_BAD_ARGUMENT,
                  fmt::format("input {}: this cache has {}; l1forge_cache_input finds one by name", input,
                              inputs_.size()));
  Input& port = inputs_[static_cast<std::size_t>(input)];
  require_bits(port.name.c_str(), value, port.width);
  std::visit([&](auto* to) { *to = static_cast<std::remove_pointer_t<decltype(to)>>(value); }, port.value);
  out_ = nullptr;
}

std::uint64_t Cache::read(std::int32_t output) const {
  if (output < 0 || static_cast<std::size_t>(output) >= outputs_.size())
    throw Refused(L1FORGE_BAD_ARGUMENT,
                  fmt::format("output {}: this cache has {}; l1forge_cache_output finds one by name", output,
                              outputs_.size()));
  return model_->decisions()[outputs_[static_cast<std::size_t>(output)]];
}

const std::vector<std::string>& figure_names() { return names_of_figures; }

std::uint64_t Cache::figure(std::size_t number) const {
  if (number >= figure_names().size())
    throw Refused(L1FORGE_BAD_ARGUMENT,
                  fmt::format("figure {}: there are {}", number, figure_names().size()));
  const std::size_t counters = golden::counter_names.size();
  if (number < counters) return model_->counters().*golden::counter_names[number].second;
  return stalls_[number - counters + 1];  // behind "none"
}

l1forge_rates Cache::rates() const {
  const golden::L1dCounters& counters = model_->counters();
  return {.hit = gen::hit_rate(counters),
          .miss = gen::miss_rate(counters),
          .partial_miss = gen::partial_rate(counters),
          .bypass = gen::bypass_rate(counters)};
}

}  // namespace client
