// Lock step of the coalescer and its reference model, with the rules of streams, and properties that do not
// come from the model (coalescer_scoreboard.h).
#pragma once
#include "cosim/coalescer/coalescer_scoreboard.h"
#include "cosim/coalescer/coalescer_stimulus.h"
#include "cosim/coalescer/coalescer_watch.h"
#include "cosim/coalescer/lane_ports.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::CoalescerParams P, class Ports>
class CoalescerBench {
 public:
  using Unit = golden::Coalescer;
  using Message = golden::Message;
  using Inputs = CoalescerInputs;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      in.rst ? golden.reset() : golden.edge(in.in);
      kept += golden.requests_in_flight();
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw); }

  static void drive(Dut& d, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    Ports::lane_request(d, as_lane_request<P>).drive(in.lane_request);
    Ports::core_response(d, as_response).drive(in.core_response ? &*in.core_response : nullptr, P.line_bytes);
    d.lane_response_ready = in.lane_response_ready, d.core_request_ready = in.core_request_ready;
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    std::string text;
    if (const auto& i = in.lane_request)
      text += fmt::format("{} {} size {} mask {:x} first {:x}, ",
                          hw::kind_names[static_cast<std::size_t>(i->kind)], i->id, i->size, i->mask,
                          i->place(0));
    if (in.core_response) text += fmt::format("cache answers {}, ", in.core_response->id);
    return text + fmt::format("ready: lanes {:d}, cache {:d}", in.lane_response_ready, in.core_request_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    if (inputs.rst) {
      scoreboard_.reset(), requests_.reset(), answers_.reset();
      return {};
    }
    const Unit::In& in = inputs.in;
    want_ = golden_.outputs(in);
    if (const auto d = probe(dut, inputs)) return d;
    shown_ = shown(dut);
    valid_ = dut.core_request_valid;
    if (const auto d = rules(in)) return d;
    if (const auto d = same()) return d;
    const std::string wrong = owed(in);
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void edge(const Inputs& inputs) {
    const Unit::Out out = inputs.rst ? Unit::Out{} : golden_.outputs(inputs.in);
    watch_.cycle(golden_, inputs, out);
    stimulus_.edge(inputs, out);
    inputs.rst ? golden_.reset() : golden_.edge(inputs.in);
  }

  void add_golden(Waves& waves) { waves.add_golden("core_request_valid", 1, &valid_); }

  Goals goals() { return watch_.goals(scoreboard_.orders()); }

 private:
  static Unit::Out shown(Dut& d) {
    Unit::Out out{.lane_request_ready = d.lane_request_ready != 0,
                  .core_response_ready = d.core_response_ready != 0};
    out.core_request =
        Ports::core_request(d, as_request_with<hw::coalesced_sideband_bits>).shown(P.line_bytes);
    out.lane_response = Ports::lane_response(d, as_lane_response<P>).shown();
    return out;
  }

  // The same cycle with other readies and lanes: what a stream shows follows from none of them, nor does the
  // ready of the cache's answers from the request side.
  std::optional<Difference> probe(Dut& d, const Inputs& inputs) {
    Inputs other = inputs;
    Unit::In& in = other.in;
    in.core_request_ready = !in.core_request_ready;
    in.lane_request.reset();
    drive(d, other);
    d.eval();
    const bool ready = d.core_response_ready != 0;
    in.lane_response_ready = !in.lane_response_ready;
    drive(d, other);
    d.eval();
    const Unit::Out s = shown(d);
    requests_.probe(s.core_request.has_value(), s.core_request.value_or(Message{}));
    answers_.probe(s.lane_response.has_value(), s.lane_response.value_or(golden::LaneAnswer{}));
    drive(d, inputs);
    d.eval();
    if (ready != (d.core_response_ready != 0))
      return Difference{"core_response_ready depends on the request side", d.core_response_ready, ready};
    return {};
  }

  std::optional<Difference> rules(const Unit::In& in) {
    const auto broken = [](const char* stream, const std::string& rule) {
      return Difference{fmt::format("{}: {}; broken rules", stream, rule), 1, 0};
    };
    const auto& request = shown_.core_request;
    const auto& answer = shown_.lane_response;
    if (const auto rule =
            requests_.cycle(request.has_value(), in.core_request_ready, request.value_or(Message{}));
        !rule.empty())
      return broken("core_request", rule);
    if (const auto rule =
            answers_.cycle(answer.has_value(), in.lane_response_ready, answer.value_or(golden::LaneAnswer{}));
        !rule.empty())
      return broken("lane_response", rule);
    return {};
  }

  std::optional<Difference> same() const {
    if (shown_.lane_request_ready != want_.lane_request_ready)
      return Difference{"lane_request_ready", shown_.lane_request_ready, want_.lane_request_ready};
    if (shown_.core_response_ready != want_.core_response_ready)
      return Difference{"core_response_ready", shown_.core_response_ready, want_.core_response_ready};
    const auto& got = shown_.core_request;
    const Message* want = want_.core_request ? &*want_.core_request : nullptr;
    if (auto d = stream_difference("core_request", got, want, true, P.line_bytes, P.chunk_bytes)) return d;
    return lane_answer_difference(shown_.lane_response, want_.lane_response, P.lanes, P.lane_bytes);
  }

  std::string owed(const Unit::In& in) {
    std::string wrong;
    const auto note = [&](const std::string& text) {
      if (wrong.empty()) wrong = text;
    };
    if (shown_.lane_response && in.lane_response_ready) note(scoreboard_.answered(*shown_.lane_response));
    if (in.core_response && shown_.core_response_ready) note(scoreboard_.responded(*in.core_response));
    if (shown_.core_request && in.core_request_ready) note(scoreboard_.requested(*shown_.core_request));
    if (in.lane_request && shown_.lane_request_ready) note(scoreboard_.taken(*in.lane_request));
    return wrong;
  }

  Unit golden_{P};
  CoalescerStimulus stimulus_{P};
  CoalescerScoreboard scoreboard_{P};
  CoalescerWatch watch_{P};
  StreamMonitor<Message> requests_;
  StreamMonitor<golden::LaneAnswer> answers_;
  Unit::Out want_, shown_;
  std::uint64_t valid_ = 0;
};

}  // namespace verif
