// A cycle of a core among cores that search each other's L1s, and its edge.
#include "golden/topology/remote_node.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "golden/bits.h"
#include "golden/topology/dc_l1_node.h"
#include "golden/topology/plan.h"

namespace golden {
namespace {

constexpr int most_open_requests = (1 << hw::open_bits) - 1;
constexpr std::size_t snoop_slots = 2;  // for snoops that the L1 has not taken

// Of a line's address as it stands in messages.
int offset_bits_of(const hw::L1dParams& p) { return std::countr_zero(static_cast<unsigned>(p.line_bytes)); }

}  // namespace

RemoteNode::RemoteNode(const hw::RemoteNodeParams& p, Foreign foreign)
    : p_(p),
      foreign_(std::move(foreign)),
      table_params_(hw::table_params(p)),
      guards_(p.remote.own_store_guard),
      entry_bits_(bits_for(p.l1d.mshr_entries)),
      sequence_bits_(hw::sequence_bits(table_params_)),
      offset_bits_(offset_bits_of(p.l1d)),
      memory_id_bits_(memory_id_bits(hw::searched_cache(p))),
      all_chunks_(~0u >> (32 - hw::chunks_of_line(p.l1d))),
      cache_(CycleL1d::make(hw::searched_cache(p))),
      arbiter_({.remote_wait_limit = p.remote.wait_limit}),
      filter_(hw::filter_params(p)),
      predictor_(p.remote.predictor),
      selector_(hw::selector_params(p.remote, p.cores, p.core)),
      table_(table_params_),
      handler_(hw::handler_params(p)),
      lines_(static_cast<std::size_t>(p.l1d.mshr_entries)) {
  reset();
}

const RemoteNode::Out& RemoteNode::outputs(const In& in) {
  out_ = {};
  drive_cache(in);
  judge_miss(in);
  choose(in);
  const bool other_goes = class_ == Class::other && in.send_ready;
  driven_.memory_request_ready = takes_ || other_goes;
  const L1dOut& shown = cache_->outputs(driven_);
  const auto fill = filling();
  undefined_ = shown.undefined || search_check_.broken() || (fill && search_check_.unasked(*fill));
  out_.flush_ready = shown.flush_ready && idle();
  out_.supply = handler_.reply();
  return out_;
}

// The line of the first one for the L1.
std::optional<std::uint64_t> RemoteNode::snoop() const {
  if (stages()) return snoops_.empty() ? std::nullopt : std::optional(snoops_.front());
  const Probe* const probe = handler_.snoop();
  return probe ? std::optional(probe->line) : std::nullopt;
}

std::optional<std::uint64_t> RemoteNode::entering_mark(const In& in) const {
  if (!guards_ || !in.request || !out_.request_ready || !changes_memory(in.request->kind)) return {};
  return line_of(*in.request);
}

// Requests and answers of the cache depend on registers alone; whether it takes one, on the reply too.
void RemoteNode::drive_cache(const In& in) {
  const L1dCounters& events = cache_->events();
  const bool may = !in.flush_valid && open_ < most_open_requests && (!guards_ || filter_.ready());
  arbiter_in_ = {.local = in.request && may,
                 .failed = events.reservation_fail_line + events.reservation_fail_mshr +
                               events.reservation_fail_merge + events.reservation_fail_queue >
                           0,
                 .served = snoop().has_value()};
  serves_ = arbiter_.serves(arbiter_in_);
  l1_request_.reset();
  if (serves_)
    l1_request_ = Message{.kind = RequestKind::snoop,
                          .id = std::uint64_t{1} << p_.l1d.core_id_bits,
                          .address = *snoop() << offset_bits_,
                          .mask = all_chunks_};
  else if (arbiter_in_.local)
    l1_request_ = *in.request;
  driven_ = core_side(l1_request_ ? &*l1_request_ : nullptr, false);
  driven_.rst = in.rst;
  driven_.flush_valid = in.flush_all;
  for (unsigned e = 0; guards_ && e < lines_.size(); ++e)
    driven_.controls["searching"] |= std::uint64_t{ProbeTable::searches(table_.entries()[e])} << e;
  table_in_ = table_in(in);
  // With stages a reply of a search is looked up first, and taken in the next cycle.
  fills_ = stages() ? looked_ && looked_fills_ : table_.fills(table_in_.reply);
  fill_.reset();
  if (in.reply && (!of_search(in.reply) || fills_)) {
    fill_ = in.reply->message;
    if (fills_) fill_->id = entry_of(in.reply->group);
  }
  add_memory_side(driven_, fill_ ? &*fill_ : nullptr, false);
  const L1dOut* shown = &cache_->outputs(driven_);
  down_ = memory_request(*shown);
  const std::uint32_t pc = shown->memory_request_pc;
  answer_ = core_response(*shown);
  const bool snooped = answer_ && answer_->id >> p_.l1d.core_id_bits & 1;
  driven_.core_response_ready = snooped || in.response_ready;
  shown = &cache_->outputs(driven_);
  predictor_in_ = {.pc = pc, .clear = in.flush_all};
  arbiter_in_.ready = shown->core_request_ready;
  out_.request_ready = may && !serves_ && shown->core_request_ready;
  if (answer_ && !snooped) out_.response = answer_;
  const bool search_taken = of_search(in.reply) && (!stages() || looked_);
  out_.reply_ready = in.reply && (of_search(in.reply) ? search_taken : shown->memory_response_ready);
}

// The miss in front: taken when the search is decided, and there is a free entry for it.
void RemoteNode::judge_miss(const In& in) {
  if (!stages()) mark_ = entering_mark(in);
  const bool fetch = fetches();
  asks_filter_ = guards_ && fetch && !asked_ && !mark_;
  const auto entry = static_cast<unsigned>(down_ ? down_->id & ((1u << entry_bits_) - 1) : 0);
  owed_ = ProbeTable::late(table_.entries()[entry]);
  const bool marked = mark_ && down_ && filter_index(*mark_) == filter_index(line_of(*down_));
  written_now_ = (fresh_ ? filter_.written() : written_) || marked;
  plain_ = !p_.remote.enable || owed_ || (guards_ && written_now_);
  takes_ = fetch && (!guards_ || asked_) && !direct_ && (plain_ || table_.miss_ready());
  predictor_in_.miss = takes_ && !plain_;
  const Reply* const reply = in.reply;
  if (reply && reply->core && fills_) {
    const ProbeTable::Entry& served = table_.entries()[entry_of(reply->group)];
    predictor_in_.reply = served.tracked;
    predictor_in_.slot = served.slot;
  }
  predicted_ = predict();
  if (predicted_.shared)
    table_in_.miss = {.valid = true, .entry = entry, .tracked = predicted_.tracked, .slot = predicted_.slot};
}

SharingPredictor::Answer RemoteNode::predict() const {
  if (p_.remote.predictor.kind != hw::PredictorKind::perfect) return predictor_.answer(predictor_in_);
  return {.shared = predictor_in_.miss && foreign_(line_of(*down_))};
}

ProbeTable::In RemoteNode::table_in(const In& in) const {
  ProbeTable::In table;
  const auto held = static_cast<int>(outgoing_.size());
  table.list = {selector_.valid(), selector_.list().probes, p_.remote.outgoing - held};
  if (in.probe && returns(*in.probe)) {
    table.probe = {.valid = true,
                   .scout = !in.probe->leader,
                   .entry = entry_of(in.probe->group),
                   .sequence = sequence_of(in.probe->group)};
    for (int k = 0; k < hw::scout_places(table_params_); ++k)
      if (const int core = in.probe->targets[static_cast<std::size_t>(k)]; core != no_core)
        table.probe.found.push_back(core);
  }
  if (of_search(in.reply) && !looked_)
    table.reply = {.valid = true,
                   .l2 = !in.reply->core,
                   .entry = entry_of(in.reply->group),
                   .sequence = sequence_of(in.reply->group)};
  return table;
}

RemoteNode::Sent RemoteNode::request_of(unsigned entry, std::uint64_t line, bool tracked,
                                        std::uint32_t sequence) const {
  return {.tracked = tracked,
          .group = tracked ? group_of(entry, sequence) : 0,
          .message = {.id = entry, .address = line << offset_bits_, .mask = all_chunks_}};
}

void RemoteNode::choose(const In& in) {
  const auto ask = table_.asks();
  waiting_.clear();
  if (direct_) waiting_.push_back(Class::direct);
  if (down_ && !fetches() && !direct_) waiting_.push_back(Class::other);
  if (ask && ask->timed_out) waiting_.push_back(Class::late_ask);
  if (handler_.deflected()) waiting_.push_back(Class::deflected);
  if (handler_.forwarded()) waiting_.push_back(Class::forwarded);
  if (ask && !ask->timed_out) waiting_.push_back(Class::vain_ask);
  if (!outgoing_.empty()) waiting_.push_back(Class::own);
  class_ = waiting_.empty() ? Class::none : waiting_.front();
  table_in_.ask_take = in.send_ready && (class_ == Class::late_ask || class_ == Class::vain_ask);
  const auto probe = [&](const Probe& sent) {
    return Sent{.probe = sent, .destination = handler_.destination(sent)};
  };
  switch (class_) {
    case Class::direct:
      out_.send = request_of(direct_->entry, direct_->line, false, 0);
      break;
    case Class::other:
      out_.send = Sent{.message = *down_};
      break;
    case Class::late_ask:
    case Class::vain_ask:
      out_.send = request_of(ask->entry, lines_[ask->entry], true, table_.entries()[ask->entry].sequence);
      break;
    case Class::deflected:
      out_.send = probe(*handler_.deflected());
      break;
    case Class::forwarded:
      out_.send = probe(*handler_.forwarded());
      break;
    case Class::own:
      out_.send = probe(outgoing_.front());
      break;
    case Class::none:
      break;
  }
}

// The line that enters the L1 in this cycle, of a cache that checks.
std::optional<SearchCheck::Fill> RemoteNode::filling() const {
  if (!p_.l1d.check.ports || !fill_ || fill_->id >> entry_bits_) return {};
  return SearchCheck::Fill{static_cast<unsigned>(fill_->id), fills_};
}

std::optional<hw::ProtocolError> RemoteNode::protocol_error_code() const {
  const AnswerCheck* const of_l1 = cache_->answer_check();
  return of_l1 ? std::optional(search_check_.code(of_l1->code())) : std::nullopt;
}

void RemoteNode::check_edge() {
  if (const AnswerCheck* const of_l1 = cache_->answer_check()) {
    const ProbeTable::Miss& miss = table_in_.miss;
    search_check_.edge(miss.valid ? std::optional(miss.entry) : std::nullopt, filling(), of_l1->code());
  }
  cache_->edge(driven_);
}

std::optional<RemoteNode::Begun> RemoteNode::begins() const {
  const auto sent = table_.sends(table_in_);
  if (!sent) return {};
  const int probes = sent->list ? std::min(selector_.list().probes, p_.remote.coverage) : 1;
  return Begun{sent->entry, sent->list, probes};
}

// The targets of a list, dealt to the probes that share it; all candidates to one leader.
void RemoteNode::push_probes(const ProbeTable::Sent& sent, int probes) {
  const std::vector<int>& all = sent.list ? selector_.list().targets : sent.targets;
  const int targets = static_cast<int>(all.size());
  int next = 0;
  for (int n = 0; n < probes; ++n) {
    Probe probe{.leader = n == 0,
                .group = group_of(sent.entry, table_.entries()[sent.entry].sequence),
                .targets = std::vector<int>(static_cast<std::size_t>(p_.remote.coverage), no_core),
                .line = lines_[sent.entry]};
    const int own = targets / probes + (n < targets % probes);
    for (int k = 0; k < own; ++k)
      probe.targets[static_cast<std::size_t>(k)] = all[static_cast<std::size_t>(next++)];
    outgoing_.push_back(probe);
  }
}

void RemoteNode::step_filter(const In& in) {
  if (!guards_) return;
  const bool clears = in.flush_valid && open_ == 0 && dirty_, asks = asks_filter_ && filter_.ready();
  const std::uint64_t line = mark_ ? *mark_ : down_ ? line_of(*down_) : 0;
  written_ = written_now_;
  filter_.edge({.clear = clears,
                .valid = mark_ || asks_filter_,
                .mark = mark_.has_value(),
                .odd = (line & 1) != 0,
                .block = line});
  fresh_ = asks;
  if (asks)
    asked_ = true;
  else if (takes_)
    asked_ = false;
  if (clears)
    dirty_ = false;
  else if (mark_)
    dirty_ = true;
  mark_ = entering_mark(in);
}

void RemoteNode::edge(const In& in) {
  if (in.rst) {
    cache_->edge(driven_);
    return reset();
  }
  if (undefined_) return check_edge();
  const bool sends = in.send_ready, entered = in.request && out_.request_ready,
             answered = out_.response && in.response_ready;
  const bool snooped = answer_ && answer_->id >> p_.l1d.core_id_bits & 1;
  const bool taken = serves_ && arbiter_in_.ready;
  ProbeHandler::In handler{.snoop_ready = stages() ? snoops_.size() < snoop_slots : taken,
                           .forwarded_ready = sends && class_ == Class::forwarded,
                           .deflected_ready = sends && class_ == Class::deflected,
                           .reply_ready = in.supply_ready};
  if (in.probe && !returns(*in.probe)) handler.probe = in.probe;
  if (snooped) handler.answer = ProbeHandler::Answer{answer_->mask != 0, answer_->data};
  if (stages()) {
    if (taken) snoops_.pop_front();
    if (handler.snoop_ready && handler_.snoop()) snoops_.push_back(handler_.snoop()->line);
  }
  const auto sent = table_.sends(table_in_);
  const bool takes_list = sent && sent->list;
  if (sends && class_ == Class::own) outgoing_.pop_front();
  if (sent) push_probes(*sent, begins()->probes);
  if (sends && class_ == Class::direct) direct_.reset();
  if (takes_ && !predicted_.shared)
    direct_ = Direct{static_cast<unsigned>(down_->id & ((1u << entry_bits_) - 1)), line_of(*down_)};
  if (table_in_.miss.valid) lines_[table_in_.miss.entry] = line_of(*down_);
  const bool core_fills = in.reply && in.reply->core && fills_;
  step_filter(in);
  arbiter_.edge(arbiter_in_);
  predictor_.edge(predictor_in_);
  selector_.edge({.take = takes_list,
                  .reply = core_fills,
                  .core = core_fills ? in.reply->supplier : 0,
                  .clear = in.flush_all});
  looked_fills_ = table_.fills(table_in_.reply);
  looked_ = stages() && table_in_.reply.valid;
  table_.edge(table_in_);
  handler_.edge(handler);
  check_edge();
  open_ += entered - answered;
}

void RemoteNode::reset() {
  arbiter_.reset();
  filter_.reset();
  predictor_.reset();
  selector_.reset();
  search_check_.reset();
  table_.reset();
  handler_.reset();
  outgoing_.clear();
  direct_.reset();
  snoops_.clear();
  mark_.reset();
  open_ = 0;
  asked_ = fresh_ = dirty_ = written_ = looked_ = looked_fills_ = false;
}

}  // namespace golden
