// The request half of a coalescer: ranks of registers from the lanes to the cache. An instruction stays in
// the rank `split` for as many cycles as it has requests; rank `merge` holds one of them.
#include <fmt/format.h>

#include "hw/coalescer/coalescer_parts.h"
#include "hw/coalescer/lane_bytes.h"
#include "hw/coalescer/lane_fields.h"
#include "hw/coalescer/line_groups.h"
#include "hw/coalescer/line_merge.h"
#include "hw/l1d/request_kind.h"
#include "hw/l1d/stream_params.h"

namespace hw {
namespace {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

// The address of a lane in parts, so that each part of all lanes is one vector.
rtl::Module lane_address(const CoalescerParams& p, const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, "A lane's byte address in parts.");
  const Expr address = m.input("address", p.address_bits, "byte address");
  m.assign(m.output("line", w.line, "number of the line"), address.slice(p.address_bits - 1, w.offset));
  m.assign(m.output("word", w.word, "number of the word in the line"), address.slice(w.offset - 1, w.low));
  if (w.low) m.assign(m.output("low", w.low, "number of the byte in the word"), address.slice(w.low - 1, 0));
  return m;
}

// An instruction on its way to the rank that splits it.
struct Instruction {
  Expr valid, id, kind, mask, address, size, data;
  std::vector<std::pair<std::string, Expr>> brought = {};  // sideband
};

class RequestsBuilder {
 public:
  RequestsBuilder(const CoalescerParams& p, const std::string& name)
      : p_(p),
        w_(p),
        m_(name, fmt::format("Splits the instruction of {} lanes into requests, one a line, {} cycles behind "
                             "the lanes.",
                             p.lanes, p.stages)) {}

  rtl::Module run() {
    ports();
    taken();
    split();
    choose();
    merge();
    leave();
    opened();
    return m_;
  }

 private:
  void ports() {
    lane_request_ =
        rtl::input_stream(m_, "lane_request", lane_request_fields(p_), "an instruction of the lanes");
    core_request_ =
        rtl::output_stream(m_, "core_request", coalesced_request_fields(p_), "a request to the cache");
    id_free_ = m_.input("id_free", 1, "an id is free");
    id_ = m_.input("id", p_.core_id_bits, "the id of the next request");
    sent_ = m_.output("sent", 1, "a request takes the id");
    sent_awaited_ = m_.output("sent_awaited", 1, "lanes wait for the request's answer");
    sent_slot_ = m_.output("sent_slot", w_.slot, "number of the request's instruction");
    sent_lanes_ = m_.output("sent_lanes", w_.lanes, "lanes of the request");
    opened_ = m_.output("opened", 1, "an instruction begins");
    opened_slot_ = m_.output("opened_slot", w_.slot, "number of the instruction that begins");
    opened_shape_ = m_.output("opened_shape", w_.shape, "the instruction's mask, size and offsets");
    opened_count_ = m_.output("opened_count", w_.count, "number of the instruction's requests");
  }

  // The instruction as it was taken, where a rank of registers is spent on that.
  void taken() {
    split_takes_ = m_.wire("split_takes", 1, "the rank that splits can take an instruction");
    next_ = {lane_request_.valid,      lane_request_["id"],   lane_request_["kind"], lane_request_["mask"],
             lane_request_["address"], lane_request_["size"], lane_request_["data"]};
    each_sideband_field(brought_sideband_bits(p_), [&](const auto& field, int) {
      next_.brought.emplace_back(field.name, lane_request_[field.name]);
    });
    if (p_.stages == 2) {
      m_.assign(lane_request_.ready, split_takes_);
      return;
    }
    m_.section("The instruction as taken.");
    const Instruction in = next_;
    next_.valid = m_.reg("taken_valid_q", 1, 0, "an instruction was taken");
    std::vector<std::pair<Expr, Expr>> fields;
    const auto keep = [&](const std::string& field, Expr& kept) {
      const Expr q = m_.data_reg(fmt::format("taken_{}_q", field), kept.width(),
                                 fmt::format("{} of the instruction", field));
      fields.emplace_back(q, kept);
      kept = q;
    };
    keep("id", next_.id);
    keep("kind", next_.kind);
    keep("mask", next_.mask);
    keep("address", next_.address);
    keep("size", next_.size);
    keep("data", next_.data);
    for (auto& [field, value] : next_.brought) keep(field, value);
    const Expr takes = m_.let("takes", ~next_.valid | split_takes_, "an instruction can be taken");
    m_.assign(lane_request_.ready, takes);
    m_.clocked("Whether one was taken.", [&] { m_.when(takes, [&] { m_.set(next_.valid, in.valid); }); });
    m_.clocked("The taken access.", [&] {
      m_.when(takes, [&] {
        for (const auto& [q, value] : fields) m_.set(q, value);
      });
    });
  }

  // Everything that the number of requests depends on.
  void split() {
    m_.section("The instruction that is split.");
    const Expr lines = m_.wire("lines", w_.lanes * w_.line, "line of each lane");
    const Expr words = m_.wire("words", w_.lanes * w_.word, "word of each lane in its line");
    const Expr lows =
        w_.low ? m_.wire("lows", w_.lanes * w_.low, "position of each lane in its word") : Expr{};
    const rtl::Module part = lane_address(p_, w_, m_.name() + "_address");
    m_.repeat("lane_address", w_.lanes, "A lane each.", [&](const Expr& l) {
      rtl::Pins pins{{"address", next_.address.part(l, p_.address_bits)},
                     {"line", lines.part(l, w_.line)},
                     {"word", words.part(l, w_.word)}};
      if (w_.low) pins.emplace_back("low", lows.part(l, w_.low));
      m_.instance(part, "parts", pins, "The parts of the lane's address.");
    });
    const Expr first = m_.wire("first", w_.lanes * w_.lane, "lowest lane of each lane's request");
    const Expr leads = m_.wire("leads", w_.lanes, "lanes that are the lowest of their requests");
    m_.instance(line_groups(p_, m_.name() + "_groups"), "groups",
                {{"active", next_.mask},
                 {"lines", lines},
                 {"alone", is_kind(m_, next_.kind, RequestKind::atomic)},
                 {"first", first},
                 {"leads", leads}},
                "Lanes of one line share a request, but for atomics.");
    Expr wide;
    if (w_.halvings) {
      std::vector<Expr> larger;
      for (int s = w_.halvings - 1; s >= 0; --s)
        larger.push_back(next_.size >= lit(w_.size, static_cast<std::uint64_t>(s) + 1));
      wide = m_.let("wide", larger.size() == 1 ? larger[0] : cat(larger),
                    "bit s: lanes have more than 2^s bytes");
    } else {
      m_.unused("unused_size", next_.size, "a lane has one byte");
    }
    valid_ = m_.reg("split_valid_q", 1, 0, "there is an instruction");
    begins_ = m_.data_reg("split_begins_q", 1, "no request of the instruction has been split off");
    pending_ = m_.data_reg("split_pending_q", w_.lanes, "lowest lanes of the requests still to come");
    std::vector<std::pair<Expr, Expr>> fields;
    const auto keep = [&](const std::string& field, const Expr& value, const char* doc) {
      const Expr q = m_.data_reg(fmt::format("split_{}_q", field), value.width(), doc);
      fields.emplace_back(q, value);
      return q;
    };
    slot_ = keep("id", next_.id, "number of the instruction");
    kind_ = keep("kind", next_.kind, "kind of the instruction");
    mask_ = keep("mask", next_.mask, "active lanes");
    first_ = keep("first", first, "lowest lane of each lane's request");
    lines_ = keep("lines", lines, "line of each lane");
    words_ = keep("words", words, "word of each lane in its line");
    if (w_.low) lows_ = keep("lows", lows, "position of each lane in its word");
    if (w_.halvings) wide_ = keep("wide", wide, "bit s: lanes have more than 2^s bytes");
    data_ = keep("data", next_.data, "values of the lanes");
    for (const auto& [field, value] : next_.brought)
      brought_.emplace_back(field, keep(field, value, "of the instruction"));
    lead_ = lowest_of(m_, "lead", pending_, "lowest lane of the next request");
    const Expr rest = m_.let("rest", pending_ & ~lead_, "lowest lanes of the requests behind it");
    merge_takes_ = m_.wire("merge_takes", 1, "the rank that merges can take a request");
    goes_ = m_.let("goes", valid_ & merge_takes_, "a request is split off");
    m_.assign(split_takes_, ~valid_ | (merge_takes_ & ~any(rest)));
    m_.clocked("Whether an instruction is split.",
               [&] { m_.when(split_takes_, [&] { m_.set(valid_, next_.valid); }); });
    m_.clocked("The access that is being split.", [&] {
      m_.when(split_takes_, [&] {
          m_.set(begins_, lit(1, 1));
          m_.set(pending_, leads);
          for (const auto& [q, value] : fields) m_.set(q, value);
        }).otherwise([&] {
        m_.when(goes_, [&] {
          m_.set(begins_, lit(1, 0));
          m_.set(pending_, rest);
        });
      });
    });
  }

  // The next request of that instruction.
  void choose() {
    m_.section("The request that is split off.");
    const Expr number = number_of(m_, "lead_number", lead_, "number of the request's lowest lane");
    members_ = m_.wire("members", w_.lanes, "lanes of the request");
    line_ = m_.wire("line", w_.line, "line of the request");
    m_.comb("Active lanes of the same lowest lane.", [&] {
      m_.loop("l", w_.lanes, [&](const Expr& l) {
        m_.set(members_.at(l), mask_.at(l) & (first_.part(l, w_.lane) == number));
      });
    });
    m_.comb("The lowest lane's line.", [&] {
      m_.set(line_, lit(w_.line, 0));
      m_.loop("l", w_.lanes, [&](const Expr& l) {
        m_.set(line_, line_ | (lines_.part(l, w_.line) & replicate(w_.line, lead_.at(l))));
      });
    });
    count_ = ones_of(m_, "requests", pending_, "requests still to come");
    bytes_ = m_.wire("bytes", w_.lanes * w_.bytes, "bytes that each lane of the request has of its word");
    placed_ = m_.wire("placed", w_.data, "the value of each lane at its position in the word");
    if (!w_.low) {
      m_.assign(bytes_, members_);
      m_.assign(placed_, data_);
      return;
    }
    const Expr own = m_.wire("own_bytes", w_.lanes * w_.bytes, "bytes that each lane has of its word");
    const rtl::Module one = lane_to_word(p_.lane_bytes);
    m_.repeat("lane_word", w_.lanes, "A lane each.", [&](const Expr& l) {
      m_.instance(one, "placing",
                  {{"wide", wide_},
                   {"low", lows_.part(l, w_.low)},
                   {"data", data_.part(l, 8 * w_.bytes)},
                   {"bytes", own.part(l, w_.bytes)},
                   {"word", placed_.part(l, 8 * w_.bytes)}},
                  "The lane's bytes in its word.");
    });
    m_.comb("Lanes of other requests have none.", [&] {
      m_.loop("l", w_.lanes, [&](const Expr& l) {
        m_.set(bytes_.part(l, w_.bytes), own.part(l, w_.bytes) & replicate(w_.bytes, members_.at(l)));
      });
    });
  }

  Expr degree() {
    if (w_.count <= degree_bits) return zext(count_, degree_bits);
    const Expr most =
        m_.constant("HIGHEST_DEGREE", degree_bits, (1u << degree_bits) - 1, "more count as many");
    return mux(count_.bit(degree_bits), most, count_.slice(degree_bits - 1, 0));
  }

  void merge() {
    m_.section("The request whose bytes are put together.");
    merge_valid_ = m_.reg("merge_valid_q", 1, 0, "there is a request");
    merge_leaves_ = m_.wire("merge_leaves", 1, "the request can leave, if there is one");
    m_.assign(merge_takes_, ~merge_valid_ | merge_leaves_);
    if (has_sideband(p_, sideband::degree))
      merge_.degree = m_.data_reg("merge_degree_q", degree_bits, "requests of its instruction");
    std::vector<std::pair<Expr, Expr>> fields;
    const auto keep = [&](const std::string& field, const Expr& value, const char* doc) {
      const Expr q = m_.data_reg(fmt::format("merge_{}_q", field), value.width(), doc);
      fields.emplace_back(q, value);
      return q;
    };
    const Expr slot = keep("slot", slot_, "number of the request's instruction");
    merge_.kind = keep("kind", kind_, "kind of the request");
    if (has_sideband(p_, sideband::first))
      merge_.first = keep("first", begins_, "the request is the first of its instruction");
    const Expr line = keep("line", line_, "line of the request");
    const Expr members = keep("members", members_, "lanes of the request");
    const Expr words = keep("words", words_, "word of each lane");
    const Expr bytes = keep("bytes", bytes_, "bytes that each lane of the request has of its word");
    const Expr placed = keep("placed", placed_, "the value of each lane at its position in the word");
    for (auto& [field, value] : brought_) value = keep(field, value, "of the request");
    m_.clocked("Whether a request is put together.",
               [&] { m_.when(merge_takes_, [&] { m_.set(merge_valid_, valid_); }); });
    const bool counts = has_sideband(p_, sideband::degree);
    m_.clocked(counts ? "The request that is being merged; its degree is that of the first."
                      : "The request that is being merged.",
               [&] {
                 m_.when(merge_takes_, [&] {
                   for (const auto& [q, value] : fields) m_.set(q, value);
                   if (counts) m_.when(begins_, [&] { m_.set(merge_.degree, degree()); });
                 });
               });
    touched_ = m_.wire("touched", p_.line_bytes, "bytes that a lane of the request has");
    merge_.data = m_.wire("line_data", 8 * p_.line_bytes, "values of those bytes");
    m_.instance(
        line_merge(p_, m_.name() + "_merge"), "bytes_of_line",
        {{"words", words}, {"bytes", bytes}, {"data", placed}, {"touched", touched_}, {"line", merge_.data}},
        "The lanes' bytes in their line.");
    merge_.line = line;
    chunks();
    const Expr store = is_kind(m_, merge_.kind, RequestKind::store);
    const Expr writes = m_.let("writes", store | is_kind(m_, merge_.kind, RequestKind::atomic),
                               "the request has values for the cache");
    merge_.byte_enable = touched_ & replicate(p_.line_bytes, writes);
    m_.assign(sent_awaited_, ~store);
    m_.assign(sent_slot_, slot);
    m_.assign(sent_lanes_, members);
  }

  void chunks() {
    const int count = chunks_of_line(p_);
    merge_.mask = m_.wire("chunks", count, "chunks of those bytes");
    if (count == 1) return m_.assign(merge_.mask, any(touched_));
    m_.comb("Chunks with a byte.", [&] {
      m_.loop("c", count,
              [&](const Expr& c) { m_.set(merge_.mask.at(c), any(touched_.part(c, p_.chunk_bytes))); });
    });
  }

  // To the cache, through a last rank where one is spent on that.
  void leave() {
    m_.section("The request to the cache.");
    m_.assign(sent_, merge_valid_ & merge_leaves_);
    std::vector<std::pair<std::string, Expr>> fields{{"id", id_},
                                                     {"kind", merge_.kind},
                                                     {"line", merge_.line},
                                                     {"mask", merge_.mask},
                                                     {"byte_enable", merge_.byte_enable},
                                                     {"data", merge_.data}};
    if (has_sideband(p_, sideband::degree)) fields.emplace_back(sideband::degree.name, merge_.degree);
    if (has_sideband(p_, sideband::first)) fields.emplace_back(sideband::first.name, merge_.first);
    for (const auto& [field, value] : brought_) fields.emplace_back(field, value);
    if (p_.stages < 4) {
      m_.assign(core_request_.valid, merge_valid_ & id_free_);
      m_.assign(merge_leaves_, core_request_.ready & id_free_);
      for (const auto& [field, value] : fields) show(field, value);
      return;
    }
    const Expr valid = m_.reg("leaving_valid_q", 1, 0, "there is a request for the cache");
    const Expr takes =
        m_.let("leaving_takes", ~valid | core_request_.ready, "the last rank can take a request");
    m_.assign(merge_leaves_, takes & id_free_);
    m_.assign(core_request_.valid, valid);
    std::vector<std::pair<Expr, Expr>> kept;
    for (const auto& [field, value] : fields) {
      const Expr q = m_.data_reg(fmt::format("leaving_{}_q", field), value.width(),
                                 fmt::format("{} of the request", field));
      kept.emplace_back(q, value);
      show(field, q);
    }
    m_.clocked("Whether a request leaves.",
               [&] { m_.when(takes, [&] { m_.set(valid, merge_valid_ & id_free_); }); });
    m_.clocked("The request that leaves.", [&] {
      m_.when(takes, [&] {
        for (const auto& [q, value] : kept) m_.set(q, value);
      });
    });
  }
  void show(const std::string& field, const Expr& value) {
    if (field == "line")
      m_.assign(core_request_["address"], cat({value, lit(w_.offset, 0)}));
    else
      m_.assign(core_request_[field], value);
  }

  void opened() {
    m_.section("An instruction begins.");
    m_.assign(opened_, goes_ & begins_);
    m_.assign(opened_slot_, slot_);
    m_.assign(opened_shape_, join_known({mask_, wide_, words_, lows_}));
    m_.assign(opened_count_, count_);
  }

  const CoalescerParams& p_;
  const CoalescerWidths w_;
  rtl::Module m_;
  Stream lane_request_, core_request_;
  Expr id_free_, id_, sent_, sent_awaited_, sent_slot_, sent_lanes_;
  Expr opened_, opened_slot_, opened_shape_, opened_count_;
  Instruction next_;
  std::vector<std::pair<std::string, Expr>>
      brought_;  // of the instruction that is split, then of the request
  Expr split_takes_, valid_, begins_, pending_, slot_, kind_, mask_, first_, lines_, words_, lows_, wide_,
      data_;
  Expr lead_, goes_, members_, line_, count_, bytes_, placed_;
  Expr merge_takes_, merge_valid_, merge_leaves_, touched_;
  struct {
    Expr kind, line, mask, byte_enable, data, degree, first;
  } merge_;
};

}  // namespace

rtl::Module coalescer_requests(const CoalescerParams& p, const std::string& name) {
  return RequestsBuilder(p, name).run();
}

}  // namespace hw
