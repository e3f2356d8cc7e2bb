// Lock step of the adapter of a GPU core's bus and its reference model, with the rules of streams, and
// properties that do not come from the model (vortex_adapter_scoreboard.h).
#pragma once
#include "cosim/bus/vortex_adapter_scoreboard.h"
#include "cosim/bus/vortex_adapter_stimulus.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::VortexAdapterParams P, class Ports>
class VortexAdapterBench {
 public:
  using Unit = golden::VortexAdapter;
  using Message = golden::Message;
  using Inputs = VortexAdapterInputs;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      in.rst ? golden.reset() : golden.edge(in.in);
      kept += golden.counts().stalls;
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw); }

  static void drive(Dut& d, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    each_port([&]<std::size_t n>() {
      bus_request<n>(d).drive(in.bus_request[n], word);
      bus_response<n>(d).ready = in.bus_response_ready[n];
    });
    d.core_request_ready = in.core_request_ready, d.flush_ready = in.flush_ready;
    d.memory_bus_request_ready = in.memory_bus_request_ready;
    d.memory_response_ready = in.memory_response_ready;
    Ports::core_response(d, as_response).drive(in.core_response ? &*in.core_response : nullptr, line);
    Ports::memory_request(d, as_request).drive(in.memory_request ? &*in.memory_request : nullptr, line);
    Ports::memory_bus_response(d, as_bus_response).drive(in.memory_bus_response, line);
    if constexpr (P.counts == hw::ClientCounts::lookups) {
      d.probe_valid = in.probe_valid, d.probe_miss = in.probe_miss;
    } else {
      const golden::CacheEvents& e = in.events;
      d.event_loads = e.loads, d.event_hits = e.hits;
      d.event_stores = e.stores, d.event_store_updates = e.store_updates;
      d.event_reservation_fail_mshr = e.reservation_fail_mshr;
      d.event_reservation_fail_merge = e.reservation_fail_merge;
    }
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    std::string text;
    for (const auto& r : in.bus_request)
      text += r ? fmt::format("{}{}{} {:x} tag {:x}, ", r->flush ? "fence " : "", r->io ? "io " : "",
                              r->rw ? "store" : "load", r->address, r->tag)
                : "-, ";
    if (in.core_response) text += fmt::format("cache answers {}, ", in.core_response->id);
    if (in.memory_request) text += fmt::format("cache asks {}, ", in.memory_request->id);
    if (in.memory_bus_response) text += fmt::format("memory answers {:x}, ", in.memory_bus_response->tag);
    return text + fmt::format("ready: cache {:d}, flush {:d}, memory {:d}, answer {:d}, core {:d}",
                              in.core_request_ready, in.flush_ready, in.memory_bus_request_ready,
                              in.memory_response_ready, in.bus_response_ready[0]);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    if (inputs.rst) {
      scoreboard_.reset(), core_requests_.reset(), bus_requests_.reset();
      return {};
    }
    const Unit::In& in = inputs.in;
    probe(dut, inputs);
    want_ = golden_.outputs(in);
    seen_now_ = shown(dut);
    shown_ = dut.core_request_valid;
    if (const auto d = rules(in)) return d;
    if (const auto d = same(dut, in)) return d;
    const std::string wrong = scoreboard(in);
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void edge(const Inputs& inputs) {
    see(inputs);
    stimulus_.edge(inputs, inputs.rst ? Unit::Out{} : golden_.outputs(inputs.in));
    inputs.rst ? golden_.reset() : golden_.edge(inputs.in);
  }

  void add_golden(Waves& waves) { waves.add_golden("core_request_valid", 1, &shown_); }

  Goals goals() {
    seen_["each slot taken"] = slots_.all();
    seen_["each tag of a load to memory taken"] = tags_.all();
    seen_["an answer waits for each port"] = answer_waits_.all();
    seen_["each port has an answer"] = answered_.all();
    seen_["each port has a fence's answer"] = fenced_.all();
    seen_["each port waits"] = port_waits_.all();
    return seen_;
  }

 private:
  static constexpr int word = hw::word_bytes(P), line = P.line_bytes;
  static constexpr std::size_t ports = P.ports;
  // What the adapter shows in a cycle.
  using Shown = Unit::Out;

  template <class Visit>
  static void each_port(const Visit& visit) {
    [&]<std::size_t... n>(std::index_sequence<n...>) { (visit.template operator()<n>(), ...); }
    (std::make_index_sequence<P.ports>{});
  }
  template <std::size_t n>
  static auto bus_request(Dut& d) {
    if constexpr (P.ports == 1)
      return Ports::bus_request(d, as_bus_request);
    else if constexpr (n == 0)
      return Ports::bus0_request(d, as_bus_request);
    else if constexpr (n == 1)
      return Ports::bus1_request(d, as_bus_request);
    else if constexpr (n == 2)
      return Ports::bus2_request(d, as_bus_request);
    else
      return Ports::bus3_request(d, as_bus_request);
  }
  template <std::size_t n>
  static auto bus_response(Dut& d) {
    if constexpr (P.ports == 1)
      return Ports::bus_response(d, as_bus_response);
    else if constexpr (n == 0)
      return Ports::bus0_response(d, as_bus_response);
    else if constexpr (n == 1)
      return Ports::bus1_response(d, as_bus_response);
    else if constexpr (n == 2)
      return Ports::bus2_response(d, as_bus_response);
    else
      return Ports::bus3_response(d, as_bus_response);
  }

  static Shown shown(Dut& d) {
    Shown s;
    each_port([&]<std::size_t n>() {
      s.bus_request_ready[n] = bus_request<n>(d).ready;
      s.bus_response[n] = bus_response<n>(d).shown(word);
    });
    s.core_response_ready = d.core_response_ready, s.memory_request_ready = d.memory_request_ready;
    s.memory_bus_response_ready = d.memory_bus_response_ready, s.flush_valid = d.flush_valid;
    s.core_request = Ports::core_request(d, as_request).shown(line);
    s.memory_bus_request = Ports::memory_bus_request(d, as_bus_request).shown(line);
    s.memory_response = Ports::memory_response(d, as_response).shown(line);
    return s;
  }

  // Looks at what it offers with all it offers it to the other way.
  void probe(Dut& d, const Inputs& inputs) {
    Inputs other = inputs;
    Unit::In& in = other.in;
    for (bool& ready : in.bus_response_ready) ready = !ready;
    for (bool* ready :
         {&in.core_request_ready, &in.flush_ready, &in.memory_bus_request_ready, &in.memory_response_ready})
      *ready = !*ready;
    drive(d, other);
    d.eval();
    const Shown s = shown(d);
    core_requests_.probe(s.core_request.has_value(), s.core_request.value_or(Message{}));
    bus_requests_.probe(s.memory_bus_request.has_value(),
                        s.memory_bus_request.value_or(golden::BusRequest{}));
    drive(d, inputs);
    d.eval();
  }

  std::optional<Difference> rules(const Unit::In& in) {
    const auto& request = seen_now_.core_request;
    const auto& bus = seen_now_.memory_bus_request;
    if (const auto rule =
            core_requests_.cycle(request.has_value(), in.core_request_ready, request.value_or(Message{}));
        !rule.empty())
      return Difference{"core_request: " + rule + "; broken rules", 1, 0};
    if (const auto rule = bus_requests_.cycle(bus.has_value(), in.memory_bus_request_ready,
                                              bus.value_or(golden::BusRequest{}));
        !rule.empty())
      return Difference{"memory_bus_request: " + rule + "; broken rules", 1, 0};
    return {};
  }

  // A ready counts where there is something to take.
  std::optional<Difference> same(Dut& dut, const Unit::In& in) const {
    const Shown& s = seen_now_;
    std::optional<Difference> found;
    const auto flag = [&](const std::string& port, bool counts, std::uint64_t got, std::uint64_t want) {
      if (!found && counts && got != want) found = Difference{port, got, want};
    };
    flag("flush_valid", true, s.flush_valid, want_.flush_valid);
    flag("core_response_ready", in.core_response.has_value(), s.core_response_ready,
         want_.core_response_ready);
    flag("memory_request_ready", in.memory_request.has_value(), s.memory_request_ready,
         want_.memory_request_ready);
    flag("memory_bus_response_ready", in.memory_bus_response.has_value(), s.memory_bus_response_ready,
         want_.memory_bus_response_ready);
    const Unit::Counts& counts = golden_.counts();
    if constexpr (P.counts == hw::ClientCounts::lookups) {
      flag("hit_count", true, dut.hit_count, counts.hits);
      flag("miss_count", true, dut.miss_count, counts.misses);
      flag("stall_count", true, dut.stall_count, counts.stalls);
    } else {
      flag("read_count", true, dut.read_count, counts.reads);
      flag("write_count", true, dut.write_count, counts.writes);
      flag("read_miss_count", true, dut.read_miss_count, counts.read_misses);
      flag("write_miss_count", true, dut.write_miss_count, counts.write_misses);
      flag("bank_stall_count", true, dut.bank_stall_count, counts.bank_stalls);
      flag("mshr_stall_count", true, dut.mshr_stall_count, counts.mshr_stalls);
      flag("memory_stall_count", true, dut.memory_stall_count, counts.memory_stalls);
      flag("response_stall_count", true, dut.response_stall_count, counts.response_stalls);
    }
    for (std::size_t n = 0; n < static_cast<std::size_t>(P.ports) && !found; ++n) {
      const std::string bus = P.ports == 1 ? "bus" : fmt::format("bus{}", n);
      flag(bus + "_request_ready", in.bus_request[n].has_value(), s.bus_request_ready[n],
           want_.bus_request_ready[n]);
      if (!found) found = answer_difference(bus + "_response", s.bus_response[n], want_.bus_response[n]);
    }
    if (!found)
      found =
          stream_difference("core_request", s.core_request,
                            want_.core_request ? &*want_.core_request : nullptr, true, line, P.chunk_bytes);
    if (!found)
      found = stream_difference("memory_response", s.memory_response,
                                want_.memory_response ? &*want_.memory_response : nullptr, false, line,
                                P.chunk_bytes);
    if (!found)
      found = bus_difference("memory_bus_request", s.memory_bus_request, want_.memory_bus_request, line);
    return found;
  }

  // A fence's data means nothing.
  std::optional<Difference> answer_difference(const std::string& stream,
                                              const std::optional<golden::BusAnswer>& got,
                                              const std::optional<golden::BusAnswer>& want) const {
    if (got.has_value() != want.has_value())
      return Difference{stream + "_valid", got.has_value(), want.has_value()};
    if (!got) return {};
    if (got->tag != want->tag) return Difference{stream + "_tag", got->tag, want->tag};
    for (std::size_t w = 0; w < word / 8 && !golden_.fence_waits(); ++w)
      if (got->data[w] != want->data[w])
        return Difference{fmt::format("{}_data[{}:{}]", stream, 64 * w + 63, 64 * w), got->data[w],
                          want->data[w]};
    return {};
  }

  std::string scoreboard(const Unit::In& in) {
    const Shown& s = seen_now_;
    std::string wrong;
    const auto note = [&](const std::string& text) {
      if (wrong.empty()) wrong = text;
    };
    if (in.core_response && s.core_response_ready)
      note(scoreboard_.answered(*in.core_response, s.bus_response));
    for (std::size_t n = 0; n < static_cast<std::size_t>(P.ports); ++n) {
      if (s.bus_response[n] && in.bus_response_ready[n] && !in.core_response)
        note(scoreboard_.alone(n, *s.bus_response[n]));
      if (in.bus_request[n] && s.bus_request_ready[n])
        note(scoreboard_.taken(n, *in.bus_request[n], s.core_request ? &*s.core_request : nullptr,
                               s.memory_bus_request ? &*s.memory_bus_request : nullptr));
    }
    if (s.flush_valid && in.flush_ready) note(scoreboard_.flushes());
    return wrong;
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const Unit::In& in = inputs.in;
    const Unit::Out out = golden_.outputs(in);
    const std::optional<int> port = golden_.front(in);
    if (port) see_front(*in.bus_request[static_cast<std::size_t>(*port)], out);
    const bool store_waits = golden_.stores_to_acknowledge() > 0 && out.memory_response;
    if (out.core_request && in.core_request_ready) slots_.set(out.core_request->id);
    for (std::size_t n = 0; n < ports; ++n) see_port(n, in, out);
    see_counts(in);
    seen_["a store's answer is swallowed"] += in.core_response && in.core_response->mask == 0;
    seen_["a store and a load are to be answered"] += store_waits && in.memory_bus_response;
    seen_["an acknowledgement waits"] += store_waits && !in.memory_response_ready;
    seen_["memory's answer waits"] += in.memory_bus_response && !out.memory_bus_response_ready;
    seen_["no tag is free for a load"] += in.memory_request && !golden_.load_tag_free();
    seen_["no slot to acknowledge a store"] +=
        in.memory_request &&
        golden_.stores_to_acknowledge() == static_cast<std::size_t>(hw::acknowledgements);
    seen_["memory does not take a request"] += out.memory_bus_request && !in.memory_bus_request_ready;
    const bool asked = in.memory_request && out.memory_request_ready;
    if (asked && !golden::writes(*in.memory_request)) tags_.set(out.memory_bus_request->tag);
    seen_["the cache asks memory"] += asked;
    seen_["the cache asks a device"] += asked && in.memory_request->kind == golden::RequestKind::non_l1;
  }

  void see_counts(const Unit::In& in) {
    if constexpr (P.counts == hw::ClientCounts::vortex) {
      const golden::CacheEvents& e = in.events;
      seen_["a load hits"] += e.loads && e.hits;
      seen_["a load misses"] += e.loads && !e.hits;
      seen_["a store updates"] += e.stores && e.store_updates;
      seen_["a store misses"] += e.stores && !e.store_updates;
      seen_["no MSHR entry"] += e.reservation_fail_mshr;
      seen_["no MSHR target"] += e.reservation_fail_merge;
    } else {
      seen_["a load hits"] += in.probe_valid && !in.probe_miss;
      seen_["a load misses"] += in.probe_valid && in.probe_miss;
    }
  }

  void see_port(std::size_t n, const Unit::In& in, const Unit::Out& out) {
    if (in.bus_request[n] && !out.bus_request_ready[n]) port_waits_.set(n);
    if (!out.bus_response[n]) return;
    if (!in.bus_response_ready[n]) answer_waits_.set(n);
    if (in.bus_response_ready[n]) (golden_.fence_waits() ? fenced_ : answered_).set(n);
  }

  void see_front(const golden::BusRequest& r, const Unit::Out& out) {
    const bool none = r.byte_enable == golden::ByteMask{};
    seen_["a load"] += !r.flush && !r.rw;
    seen_["a load of no byte"] += !r.flush && !r.rw && none;
    seen_["a store"] += !r.flush && r.rw;
    seen_["a device"] += !r.flush && r.io && !none;
    seen_["a store of no byte to a device"] += !r.flush && r.io && r.rw && none;
    seen_["no slot is free"] += !golden_.slot_free();
    seen_["a fence waits for answers"] += r.flush && !golden_.at_rest();
    seen_["a fence flushes"] += out.flush_valid;
    seen_["a fence goes on"] += r.flush && out.memory_bus_request;
    seen_["a fence that has no answer"] += r.flush && r.rw && out.memory_bus_request;
    seen_["a request waits for a fence's answer"] += golden_.fence_waits();
  }

  Unit golden_{P};
  VortexAdapterStimulus stimulus_{P};
  VortexAdapterScoreboard scoreboard_{P};
  StreamMonitor<Message> core_requests_;
  StreamMonitor<golden::BusRequest> bus_requests_;
  Unit::Out want_;
  Shown seen_now_;
  std::uint64_t shown_ = 0;
  std::bitset<hw::core_requests(P)> slots_;
  std::bitset<hw::memory_loads(P)> tags_;
  std::bitset<ports> answer_waits_, answered_, fenced_, port_waits_;
  Goals seen_{{"reset", 0},
              {"a load", 0},
              {"a load of no byte", 0},
              {"a store", 0},
              {"a device", 0},
              {"a store of no byte to a device", 0},
              {"no slot is free", 0},
              {"a fence waits for answers", 0},
              {"a fence flushes", 0},
              {"a fence goes on", 0},
              {"a fence that has no answer", 0},
              {"a request waits for a fence's answer", 0}};
};

}  // namespace verif
