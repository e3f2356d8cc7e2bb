// Recovery of loads that read wrong data, in the cycle of an L1 data cache (docs/contracts/l1d-ecc.md).
#include "golden/l1d/cycle_l1d.h"

namespace golden {

// Nothing of the request goes to memory in this cycle. While a read is checked that may have to be fetched
// once more, requests to its set wait.
bool CycleL1d::queue_closed(const Held& request) const {
  if (queue_.full()) return true;
  if (!recovery_) return false;
  return recovery_->waits() || (recovery_->checks() && recovery_->checked().set == request.set);
}

void CycleL1d::read_data(Recovery::Load load) {
  data_->read(load.set, load.slots, load.mask, answer_.data());
  if (!protected_ || !recovery_) return;
  LineData line = answer_.data();
  recovery_->read(load, protected_->check(load.set, load.slots, load.mask, line).wrong);
}

// A wrong line counts as not there: the core that asks finds it elsewhere.
void CycleL1d::read_snooped(const Held& request, const Slots& slots) {
  data_->read(request.set, slots, request.mask, answer_.data());
  if (!protected_ || !recovery_) return;
  LineData line = answer_.data();
  if (!protected_->check(request.set, slots, request.mask, line).wrong) return;
  answer_.take_again(request.id, 0);
  recovery_->snooped_wrong();
}

void CycleL1d::read_again() {
  const Recovery::Load& load = recovery_->first();
  answer_.take_again(load.id, load.mask);
  if (!with_data_) return recovery_->read_again(false);
  data_->read(load.set, load.slots, load.mask, answer_.data());
  recovery_->read_again(protected_->check(load.set, load.slots, load.mask, answer_.data()).beyond);
}

// Before anything is taken at the edge: the answer that is withdrawn, the line that goes.
void CycleL1d::step_recovery() {
  if (!recovery_) return;
  if (recovery_->withdrawn()) answer_.withdraw();
  const Recovery::Load& next = recovery_->next();
  if (recovery_->moves(now_.fetches_again) && !next.stays) tags_->drop(next.set, next.place);
  refetched_ = {};
  if (now_.fetches_again) refetched_ = recovery_->first();
  recovery_->step(now_.fetches_again);
}

// Like a load past the cache.
void CycleL1d::fetch_again() {
  if (!now_.fetches_again) return;
  queue_.push({.kind = RequestKind::load,
               .mask = refetched_.mask,
               .payload = 0,
               .id = std::uint64_t{1} << id_bits_ | refetched_.id,
               .address = index_.address_of(refetched_.block)});
}

void CycleL1d::show_recovery() {
  const bool fetches = now_.fetches_again, late = recovery_->first().late;
  out_.ecc_corrected = recovery_->corrected();
  out_.ecc_refetched = fetches && !late;
  out_.ecc_uncorrectable = fetches && late;
  out_.ecc_uncorrectable_id = recovery_->first().id;
}

void CycleL1d::publish_recovery(StateList& list) const {
  const auto bit = [&](const char* name, bool (Recovery::*of)() const) {
    list.value(name, 1, {}, [this, of](unsigned, unsigned) { return std::uint64_t{((*recovery_).*of)()}; });
  };
  bit("recovery_check", &Recovery::checks);
  bit("recovery_next", &Recovery::has_next);
  bit("recovery_first", &Recovery::has_first);
  if (corrects_) bit("recovery_slow", &Recovery::slow);
}

void CycleL1d::meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with) {
  if (hw::protects_data(as_with)) protected_.emplace(params, as_with);
  if (hw::protects_tags(as_with)) tags_->meet_upsets(params, as_with);
}

bool CycleL1d::is_clean(unsigned set, unsigned slot, unsigned word) const {
  const auto width = static_cast<unsigned>(protected_->code().data_bits());
  const std::uint64_t data = data_->word(set, slot, word * width / 64) >> word * width % 64;
  return protected_->is_clean(set, slot, word, data);
}

void CycleL1d::flip(unsigned set, unsigned slot, unsigned word, const CodeWord& bits) {
  const auto width = static_cast<unsigned>(protected_->code().data_bits());
  data_->flip(set, slot, word * width / 64, bits.data << word * width % 64);
  protected_->flip(set, slot, word, bits.check);
}

}  // namespace golden
