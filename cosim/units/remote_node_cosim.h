// Lock step of a core among cores that search each other's L1s and its reference model; and properties that
// do not come from the model: each request is answered once, and each load has the bytes of this core's
// stores before it and of none after, from any sender of the line.
#pragma once
#include <algorithm>
#include <bitset>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/l1d/cache_upsets.h"
#include "cosim/noc/dc_faults.h"
#include "cosim/noc/dc_ports.h"
#include "cosim/noc/dc_traffic.h"
#include "cosim/units/remote_environment.h"
#include "golden/topology/remote_node.h"

namespace verif {

template <class Dut, hw::RemoteNodeParams P>
class RemoteNodeBench {
 public:
  using Unit = golden::RemoteNode;
  using Message = golden::Message;
  using Probe = golden::Probe;
  static constexpr int line = P.l1d.line_bytes, chunk = P.l1d.chunk_bytes;
  static constexpr bool checks = P.l1d.check.ports, protects = hw::is_protected(P.l1d.ecc);
  struct Inputs {
    bool rst = false, flush = false, flush_all = false;
    std::optional<Message> request = {};
    bool response_ready = false, send_ready = false, supply_ready = false;
    std::optional<Probe> probe = {};
    std::optional<Unit::Reply> reply = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      const Unit::In golden_in = as_golden(in);
      kept += golden.outputs(golden_in).request_ready;
      golden.edge(golden_in);
    }
  };

  // States the goals, of which none is reached yet.
  RemoteNodeBench() {
    see({}, golden_.outputs({}));
    for (auto& [goal, times] : seen_) times = 0;
  }

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    if (protects && state.complete()) upsets_.add(hw::searched_cache(P), state, "cache.", golden_.cache(), 1);
  }

  Inputs draw(std::mt19937_64& draw) {
    if (!faults_.running()) upsets_.cycle();
    if (phase_.next(draw)) {
      core_.new_phase(draw);
      environment_.new_phase(draw);
    }
    if (once_in(draw, spell)) flush_every_ = flush_every_ == rarely ? often : rarely;
    Inputs in{.rst = once_in(draw, 5 * spell) || faults_.ends() || upsets_.needs_reset()};
    const auto& request = core_.next(draw);
    flushing_ = flushing_ || once_in(draw, flush_every_);
    environment_.next(flushing_);
    if (once_in(draw, 5000)) stalls_ = 2 * P.remote.wait_limit;
    in.response_ready = core_.response_ready(draw) && stalls_ == 0;
    stalls_ = std::max(stalls_ - 1, 0);
    in.send_ready = environment_.send_ready(), in.supply_ready = environment_.supply_ready();
    if (in.rst) return in;
    if (request && !held_) pc_ = static_cast<std::uint32_t>(draw() % 6);
    held_ = request.has_value();
    // No more requests come while a flush waits: what is under way comes to its end.
    in.request = request;
    if (in.request) in.request->sideband.pc = pc_;
    in.flush = flushing_, in.probe = environment_.probe();
    if (environment_.reply()) in.reply = *environment_.reply();
    if constexpr (checks) alter(draw, in);
    in.flush_all = flushing_ && golden_.outputs(as_golden(in)).flush_ready;
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    as_request(d.request_valid, d.request_ready, d.request_id, d.request_kind, d.request_address,
               d.request_mask, d.request_byte_enable, d.request_data)
        .drive(in.request ? &*in.request : nullptr, line);
    if (in.request) d.request_pc = in.request->sideband.pc;
    d.response_ready = in.response_ready, d.send_ready = in.send_ready, d.supply_ready = in.supply_ready;
    d.flush_valid = in.flush, d.flush_all = in.flush_all;
    d.probe_valid = in.probe.has_value();
    if (in.probe) {
      d.probe_leader = in.probe->leader, d.probe_group = in.probe->group, d.probe_line = in.probe->line;
      d.probe_pointer = static_cast<std::uint8_t>(in.probe->pointer);
      put(d.probe_targets, listed(in.probe->targets));
    }
    ResponsePorts{d.reply_valid, d.reply_ready, d.reply_id, d.reply_mask, d.reply_data}.drive(
        in.reply ? &in.reply->message : nullptr, line);
    if (!in.reply) return;
    d.reply_core = in.reply->core, d.reply_tracked = in.reply->tracked, d.reply_group = in.reply->group;
    d.reply_supplier = static_cast<std::uint8_t>(in.reply->supplier);
  }

  static std::string words(const Inputs& in) {
    std::string text;
    if (in.request)
      text = fmt::format("request {:#x} kind {} {:#x}, ", in.request->id, static_cast<int>(in.request->kind),
                         in.request->address);
    if (in.probe)
      text +=
          fmt::format("{} {:x} at {} of {} for {:x}, ", in.probe->leader ? "leader" : "scout",
                      in.probe->group, in.probe->pointer, fmt::join(in.probe->targets, " "), in.probe->line);
    if (in.reply)
      text += fmt::format("reply core {:d} tracked {:d} group {:x} id {:#x} mask {:#x}, ", in.reply->core,
                          in.reply->tracked, in.reply->group, in.reply->message.id, in.reply->message.mask);
    return text + fmt::format("flush {:d}{:d}, ready: response {:d}, send {:d}, supply {:d}", in.flush,
                              in.flush_all, in.response_ready, in.send_ready, in.supply_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const Unit::Out& want = golden_.outputs(as_golden(in));
    shown_ = dut.send_valid;
    if constexpr (checks) code_ = static_cast<hw::ProtocolError>(dut.protocol_error_code);
    if (in.rst) return faults_.reset(code_);
    if constexpr (checks)
      if (const auto d = faults_.difference(dut.protocol_error, code_, *golden_.protocol_error_code());
          d || golden_.undefined())
        return d;
    const std::tuple<const char*, std::uint64_t, std::uint64_t> flags[]{
        {"request_ready", dut.request_ready, want.request_ready},
        {"flush_ready", dut.flush_ready, want.flush_ready},
        {"reply_ready", in.reply ? dut.reply_ready : 0, want.reply_ready},
        {"send_valid", dut.send_valid, want.send.has_value()},
        {"supply_valid", dut.supply_valid, want.supply != nullptr}};
    for (const auto& [name, got, golden] : flags)
      if (got != golden) return Difference{name, got, golden};
    response_ = ResponsePorts{dut.response_valid, dut.response_ready, dut.response_id, dut.response_mask,
                              dut.response_data}
                    .shown(line);
    if (const auto d = stream_difference("response", response_, want.response ? &*want.response : nullptr,
                                         false, line, chunk))
      return d;
    if (want.send)
      if (const auto d = sent_difference(dut, *want.send)) return d;
    if (want.supply)
      if (const auto d = supply_difference(dut, *want.supply)) return d;
    if constexpr (protects)
      if (const auto d = ecc_difference("", golden_.cache().shown(), dut.ecc_corrected, dut.ecc_refetched,
                                        dut.ecc_uncorrectable, dut.ecc_uncorrectable_id))
        return d;
    if (faults_.running()) return {};
    upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) { core_.may_be_late(id); });
    if (response_ && in.response_ready)
      if (const auto d = core_.answered(*response_)) return d;
    return core_.overdue(now_);
  }

  void edge(const Inputs& in) {
    const Unit::In golden_in = as_golden(in);
    const Unit::Out out = golden_.outputs(golden_in);
    see(in, out);
    if (in.rst) {
      golden_.edge(golden_in);
      upsets_.reset();
      core_.reset();
      environment_.reset();
      flushing_ = held_ = rolled_ = false;
      return;
    }
    const std::optional<Message> response = of_a_slice(in);
    const bool undefined = golden_.undefined(), of_fault = faults_.adds(0);
    if constexpr (checks) faults_.edge(std::span(&response, 1), std::span(&out.reply_ready, 1), code_);
    if (undefined) return golden_.edge(golden_in);
    if (out.send && in.send_ready) environment_.sent(*out.send);
    golden_.edge(golden_in);
    if (in.flush_all) {
      flushing_ = false;
      environment_.flushed();
    }
    if (in.request && out.request_ready) {
      environment_.asked_for(in.request->address);
      core_.accepted(now_);
      held_ = false;
    }
    if (in.reply && out.reply_ready && !of_fault) environment_.reply_taken();
    ++now_;
  }

  void add_golden(Waves& waves) { waves.add_golden("send_valid", 1, &shown_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    if constexpr (checks) faults_.goals(seen_);
    seen_.merge(upsets_.goals());
    return seen_;
  }

 private:
  static constexpr int core_bits = hw::core_or_none_bits(P.cores);
  static constexpr auto all_bits = static_cast<std::size_t>(P.remote.coverage * core_bits);
  using List = std::bitset<all_bits>;

  static List listed(const std::vector<int>& targets) {
    List list;
    for (std::size_t k = 0; k < targets.size(); ++k)
      for (int b = 0; b < core_bits; ++b)
        list[k * core_bits + static_cast<std::size_t>(b)] = static_cast<unsigned>(targets[k]) >> b & 1;
    return list;
  }

  // What answers a request that is no search: only this can be checked.
  static std::optional<Message> of_a_slice(const Inputs& in) {
    return in.reply && !in.reply->core && !in.reply->tracked ? std::optional(in.reply->message)
                                                             : std::nullopt;
  }

  // Faults stand in the place of responses, or in cycles without any message.
  void alter(std::mt19937_64& draw, Inputs& in) {
    std::optional<Message> response = of_a_slice(in);
    if (in.reply && !response && !faults_.adds(0)) return;
    faults_.alter(
        draw, [&](std::size_t) { environment_.reply_taken(); }, std::span(&response, 1));
    in.reply = response ? std::optional(Unit::Reply{.message = *response}) : std::nullopt;
  }

  static Unit::In as_golden(const Inputs& in) {
    return {.rst = in.rst,
            .request = in.request ? &*in.request : nullptr,
            .response_ready = in.response_ready,
            .flush_valid = in.flush,
            .flush_all = in.flush_all,
            .send_ready = in.send_ready,
            .probe = in.probe,
            .supply_ready = in.supply_ready,
            .reply = in.reply ? &*in.reply : nullptr};
  }

  static std::optional<Difference> sent_difference(Dut& dut, const Unit::Sent& want) {
    if (dut.send_probe != want.probe.has_value())
      return Difference{"send_probe", dut.send_probe, want.probe.has_value()};
    if (!want.probe) return request_difference(dut, want);
    const Probe& probe = *want.probe;
    if (dut.send_leader != probe.leader) return Difference{"send_leader", dut.send_leader, probe.leader};
    if (dut.send_group != probe.group) return Difference{"send_group", dut.send_group, probe.group};
    if (dut.send_pointer != static_cast<unsigned>(probe.pointer))
      return Difference{"send_pointer", dut.send_pointer, static_cast<unsigned>(probe.pointer)};
    if (dut.send_address != probe.line * line)
      return Difference{"send_address", dut.send_address, probe.line * line};
    const auto to = static_cast<std::uint64_t>(want.destination);
    if (dut.send_destination != to) return Difference{"send_destination", dut.send_destination, to};
    return difference("send_targets", bits_of<all_bits>(dut.send_targets), listed(probe.targets));
  }

  static std::optional<Difference> request_difference(Dut& dut, const Unit::Sent& want) {
    if (dut.send_tracked != want.tracked) return Difference{"send_tracked", dut.send_tracked, want.tracked};
    if (want.tracked && dut.send_group != want.group)
      return Difference{"send_group", dut.send_group, want.group};
    const std::optional<Message> got =
        as_request(dut.send_valid, dut.send_ready, dut.send_id, dut.send_kind, dut.send_address,
                   dut.send_mask, dut.send_byte_enable, dut.send_data)
            .shown(line);
    return stream_difference("send", got, &want.message, true, line, chunk);
  }

  static std::optional<Difference> supply_difference(Dut& dut, const golden::ProbeHandler::Line& want) {
    if (dut.supply_group != want.group) return Difference{"supply_group", dut.supply_group, want.group};
    golden::LineData got{};
    words_of(dut.supply_data, got, 8 * line);
    for (std::size_t w = 0; w < line / 8; ++w)
      if (got[w] != want.data[w])
        return Difference{fmt::format("supply_data[{}:{}]", 64 * w + 63, 64 * w), got[w], want.data[w]};
    return {};
  }

  void see(const Inputs& in, const Unit::Out& out) {
    using Class = Unit::Class;
    seen_["reset"] += in.rst;
    if (in.rst) return;
    seen_["flush"] += in.flush_all;
    seen_["a line for another core"] += out.supply != nullptr;
    const auto& waiting = golden_.waiting();
    static constexpr std::array names{"direct", "other", "late", "deflected", "forwarded", "in vain", "own"};
    constexpr std::size_t none = names.size();
    const std::size_t first = waiting.empty() ? none : static_cast<std::size_t>(waiting[0]),
                      second = waiting.size() < 2 ? none : static_cast<std::size_t>(waiting[1]);
    for (std::size_t c = 0; c < none; ++c) {
      if (!P.remote.deflected && static_cast<Class>(c) == Class::deflected) continue;
      seen_[fmt::format("sent: {}", names[c])] += first == c && in.send_ready;
      if (static_cast<Class>(c) > Class::other)
        seen_[fmt::format("waits behind others: {}", names[c])] += second == c;
    }
    seen_["a miss that is shared"] += golden_.takes() && golden_.shared();
    if (P.remote.own_store_guard)
      seen_["a miss to a line that was stored to"] += golden_.takes() && golden_.written();
    seen_["a miss whose entry L2 owes a reply"] += golden_.takes() && golden_.owed();
    seen_["a probe has waited its longest, and the L1 is busy"] += golden_.probe_is_late();
    if (P.remote.selector == hw::SelectorKind::supplier) {
      const bool rolls = golden_.selector().roll();
      seen_["counts of a period become weights"] += rolled_ && !rolls;
      rolled_ = rolls && !in.flush_all;
    }
    const bool store = in.request && golden::changes_memory(in.request->kind);
    seen_["a store is taken"] += store && out.request_ready;
    seen_["a core sends a line"] += in.reply && in.reply->core;
  }

  Unit golden_{P};
  Phase phase_;
  DcCore core_{core_of_node(P.l1d), 0};
  RemoteEnvironment environment_{P};
  DcFaults faults_{slice_of(hw::searched_cache(P))};  // of a node that checks its memory
  hw::ProtocolError code_ = hw::ProtocolError::none;
  CacheUpsets upsets_;  // of none where nothing is protected
  // A flush ends the period of the selector, which lasts thousands of cycles: for a while there is none.
  static constexpr std::uint64_t spell =
      std::max<std::uint64_t>(12'000, static_cast<std::uint64_t>(P.remote.selector_period) * 3 / 2);
  static constexpr std::uint64_t often = 1000, rarely = 8 * spell;
  std::uint64_t flush_every_ = often;
  int stalls_ = 0;  // cycles in which the core takes no response
  bool flushing_ = false, held_ = false, rolled_ = false;
  std::uint32_t pc_ = 0;
  std::optional<Message> response_;
  std::uint64_t shown_ = 0;
  std::int64_t now_ = 0;
  Goals seen_;
};

}  // namespace verif
