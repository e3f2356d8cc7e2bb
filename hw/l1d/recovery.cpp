#include "hw/l1d/recovery.h"

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

constexpr const char* chunks_doc = "its valid chunks, and below them its way, one-hot";

}  // namespace

RecoveryStage::Load RecoveryStage::load(const std::string& name, const std::string& doc) {
  const int block_bits = p_.address_bits - bits_to_number(p_.line_bytes);
  Load l;
  l.valid = m_.reg(name + "_q", 1, 0, doc);
  l.id = m_.data_reg(name + "_id_q", p_.core_id_bits, "id of the load");
  l.mask = m_.data_reg(name + "_mask_q", chunks_of_line(p_), "chunks of the load");
  l.line = m_.data_reg(name + "_line_q", block_bits, "line of the load");
  l.late = m_.data_reg(name + "_late_q", 1, "a store may have gone to its line since");
  return l;
}

// `bits`: of what is read again alone, or of what goes too.
void RecoveryStage::add_place(Load& load, const std::string& name, int bits) {
  load.set_index = m_.data_reg(name + "_set_q", bits_to_number(sets_of(p_)), "set of the line");
  load.way = m_.data_reg(place_name(name), bits, bits == read_bits() ? place_doc() : chunks_doc);
}

bool RecoveryStage::in_slots() const { return traits_of(p_.tags).in_slots; }

// A way has chunks of several lines.
bool RecoveryStage::shares_ways() const { return p_.tags == TagKind::decoupled; }

int RecoveryStage::read_bits() const { return in_slots() ? chunks_of_line(p_) * slots_of(p_) : p_.ways; }

int RecoveryStage::place_bits() const { return read_bits() + (shares_ways() ? chunks_of_line(p_) : 0); }

std::string RecoveryStage::place_name(const std::string& stem) const {
  return stem + (in_slots() ? "_slots_q" : "_way_q");
}

const char* RecoveryStage::place_doc() const {
  return in_slots() ? "slot of each of its chunks, one-hot" : "way of the line, one-hot";
}

RecoveryStage::RecoveryStage(rtl::Module& m, const L1dParams& p, ProbeStage& probe, const Expr& queue_free)
    : m_(m), p_(p), queue_free_(queue_free) {
  const int block_bits = p.address_bits - bits_to_number(p.line_bytes);
  m.section(
      "Reads that found wrong data: the one that is checked, the next to recover, and the one that is "
      "recovered.");
  checked_.valid = m.reg("check_q", 1, 0, "the answer stage has read the data store in the cycle before");
  checked_.line = m.data_reg("check_line_q", block_bits, "line of that load");
  checked_.late = m.data_reg("check_late_q", 1, "a store may have gone to the line since");
  add_place(checked_, "check", place_bits());
  checked_.stays = m.data_reg("check_stays_q", 1, "an MSHR entry has the line");
  if (p.snoops)
    snoop_checked_ = m.reg("snoop_check_q", 1, 0, "the answer stage has read a line for a snoop then");
  back_ = load("next_wrong", "a load waits behind the one that is recovered");
  add_place(back_, "next_wrong", place_bits());
  back_.stays = m.data_reg("next_wrong_stays_q", 1, "the line stays where it is");
  front_ = load("wrong", "a load is recovered");
  if (corrects()) add_place(front_, "wrong", read_bits());
  Recovery& again = probe.recovery;
  again.waits = m.let("recovers", back_.valid | front_.valid, "no other load reads the data store");
  if (corrects()) {
    failed_ = m.data_reg("wrong_failed_q", 1, "its data cannot be corrected");
    slow_ = m.reg("slow_q", 1, 0, "its data has been read once more: the errors are worked out");
    known_ = m.reg("known_q", 1, 0, "they are known since this cycle");
    fixed_ = m.reg("fixed_q", 1, 0, "the answer stage shows corrected data");
    again.first_reads =
        m.let("wrong_reads", front_.valid & ~failed_ & ~known_, "the load reads its data once more");
    again.set_index = front_.set_index;
    again.way = front_.way;
    again.id = front_.id;
    again.mask = front_.mask;
  }
  const Expr same = checked_.valid & (checked_.set_index == probe.request.set_index);
  probe.queue_not_full = m.let("queue_not_full", queue_free & ~again.waits & ~same,
                               "the miss queue has a free slot, and nothing older may still go there");
  const int chunks = chunks_of_line(p);
  again.wrong = m.wire("wrong_chunks", chunks, "chunks read last that are not as they were written");
  withdrawn_ = m.wire("withdrawn", 1, "the answer in the answer stage is not given");
  if (corrects()) {
    again.corrects = fixing_ = m.wire("fixing", 1, "the chunks read last are being corrected");
    again.uncorrectable = m.wire("beyond_chunks", chunks, "chunks with too many wrong bits");
  }
  done_ = m.wire("recovered", 1, "the load that is recovered has an answer, or has gone to memory");
  const Expr moves = m.let("next_recovers", back_.valid & (~front_.valid | done_), "the next one follows");
  again.drop = m.let("drop", moves & ~back_.stays, "its line goes");
  again.drop_set = back_.set_index;
  again.drop_way = back_.way;
}

Expr RecoveryStage::pushed(const Expr& own, const Expr& of_probe) const {
  return mux(front_.valid, own, of_probe);
}

void RecoveryStage::run(const ProbeStage& probe, const Expr& id, const Expr& mask) {
  m_.section("Reads that found wrong data.");
  wrong_ = m_.let("found_wrong", checked_.valid & rtl::any(*probe.recovery.wrong & mask),
                  "the read in the answer stage did");
  if (corrects()) correct(probe, mask);
  m_.assign(withdrawn_, corrects() ? wrong_ | beyond_ : wrong_);
  pushes_ = m_.let("fetches_again", (corrects() ? front_.valid & failed_ : front_.valid) & queue_free_,
                   "its line is fetched once more");
  m_.assign(done_, corrects() ? pushes_ | (known_ & ~beyond_) : pushes_);
  check(probe, id, mask);
}

rtl::Condition RecoveryStage::snoop_wrong(const ProbeStage& probe, const Expr& mask) const {
  if (!snoop_checked_.can_be()) return {};
  return m_.let("snoop_found_wrong", snoop_checked_ & rtl::any(*probe.recovery.wrong & mask),
                "the line that a snoop has read is not as it was written");
}

// The answer stage is not free in the cycle after the second read.
void RecoveryStage::correct(const ProbeStage& probe, const Expr& mask) {
  const Answers& a = probe.answers;
  beyond_ = m_.let("beyond_correction", known_ & rtl::any(probe.recovery.uncorrectable & mask),
                   "the load's data cannot be corrected");
  m_.assign(fixing_, (slow_ | fixed_) & ~a.free);
  m_.clocked("Correction.", [&] {
    m_.set(slow_.when(), probe.recovery.reads.when());
    m_.set(known_, slow_.when());
    m_.set(fixed_, fixing_);
  });
}

void RecoveryStage::check(const ProbeStage& probe, const Expr& id, const Expr& mask) {
  const Answers& a = probe.answers;
  const auto shown = [&](const Expr& of_replay, const Expr& of_probe) {
    return mux(a.replay_shown, of_replay, of_probe);
  };
  const bool by_chunks = in_slots() || shares_ways();
  m_.clocked("Whether the next answer is checked.", [&] {
    m_.set(checked_.valid, a.hit | a.replay);
    if (snoop_checked_.can_be()) m_.set(snoop_checked_.when(), a.snoop & probe.decision.hit);
  });
  m_.clocked("The line that is read.", [&] {
    m_.set(checked_.line, shown(probe.replay.line, probe.request.block_address));
    m_.set(checked_.set_index, shown(probe.replay.set_index, probe.request.set_index));
    m_.set(checked_.way, shown(a.replay_way, a.hit_way));
    m_.set(checked_.late, a.replay_shown & probe.replay.late);
    m_.set(checked_.stays,
           by_chunks ? a.replay_shown | probe.entry.match : shown(~a.replay_frees, probe.entry.match));
  });
  const Expr moves = back_.valid & (~front_.valid | done_);
  m_.clocked("Loads to recover.", [&] {
    m_.set(back_.valid, wrong_ | (back_.valid & front_.valid & ~done_));
    m_.set(front_.valid, back_.valid | (front_.valid & ~done_));
  });
  m_.clocked("The read that may have found wrong data.", [&] {
    m_.when(checked_.valid, [&] {
      m_.set(back_.id, id);
      m_.set(back_.mask, mask);
      m_.set(back_.line, checked_.line);
      m_.set(back_.set_index, checked_.set_index);
      m_.set(back_.way, checked_.way);
      m_.set(back_.late, checked_.late);
      m_.set(back_.stays, checked_.stays);
    });
  });
  m_.clocked("The load that is recovered.", [&] {
    m_.when(moves, [&] {
      m_.set(front_.id, back_.id);
      m_.set(front_.mask, back_.mask);
      m_.set(front_.line, back_.line);
      m_.set(front_.late, back_.late);
      if (!corrects()) return;
      m_.set(front_.set_index, back_.set_index);
      m_.set(front_.way, shares_ways() ? back_.way.slice(read_bits() - 1, 0) : back_.way);
    });
  });
  if (corrects())
    m_.clocked("Whether its data can be corrected.", [&] {
      m_.when(moves, [&] { m_.set(failed_, lit(1, 0)); }).otherwise([&] {
        m_.when(beyond_, [&] { m_.set(failed_, lit(1, 1)); });
      });
    });
  m_.observe("recovery_check", checked_.valid);
  m_.observe("recovery_next", back_.valid);
  m_.observe("recovery_first", front_.valid);
  if (corrects()) m_.observe("recovery_slow", slow_.when());
}

EccEvents RecoveryStage::events() const {
  return {.corrected = corrects() ? rtl::Condition(known_ & ~beyond_) : rtl::Condition(),
          .refetched = pushes_ & ~front_.late,
          .uncorrectable = pushes_ & front_.late,
          .id = front_.id};
}

EccEvents with_stuck_rows(rtl::Module& m, const EccEvents& events, const StuckRow& load,
                          const StuckRow& request, const Expr& answered) {
  m.section("Waiting loads and queued requests that cannot be corrected.");
  EccEvents all = events;
  const auto report = [&](const std::string& name, const StuckRow& row, const std::string& what) {
    const Expr reported_q = m.reg(name + "_reported_q", 1, 0, "ecc_uncorrectable has reported the " + what);
    const Expr reports = m.let(name + "_reports", row.wrong.when() & ~reported_q & ~all.uncorrectable,
                               "ecc_uncorrectable reports the " + what + " that stays");
    m.clocked("Each " + what + " is reported once.", [&] { m.set(reported_q, reported_q | reports); });
    all.id = all.id ? mux(reports, row.id, *all.id) : row.id;
    all.uncorrectable = all.uncorrectable | rtl::Condition(reports);
  };
  report("load", load, "waiting load");
  report("request", request, "queued request");
  if (!load.corrected.can_be()) return all;
  const Expr corrected_q = m.reg("load_corrected_q", 1, 0, "the answer is of a load that was corrected");
  m.clocked("Corrected loads, in the first cycle of the response.",
            [&] { m.set(corrected_q, answered & load.corrected); });
  all.corrected = all.corrected | rtl::Condition(corrected_q) | request.corrected;
  return all;
}

void add_ecc_ports(rtl::Module& m, int id_bits, const EccEvents& events) {
  const auto event = [&](const char* name, const rtl::Condition& when, const char* doc) {
    m.assign(m.output(name, 1, doc), when.can_be() ? when.when() : lit(1, 0));
  };
  m.section("Events of protected RAMs.");
  event("ecc_corrected", events.corrected, "a load is answered, or a request is sent, with a corrected bit");
  event("ecc_refetched", events.refetched, "a load with wrong data fetches its line once more");
  event("ecc_uncorrectable", events.uncorrectable,
        "one whose line a store may have changed does so, or what is stored of a request is lost");
  m.assign(m.output("ecc_uncorrectable_id", id_bits, "id of that load or request"),
           events.id ? *events.id : lit(id_bits, 0));
}

}  // namespace hw
