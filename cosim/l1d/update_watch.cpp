#include "cosim/l1d/update_watch.h"

namespace verif {

using golden::RequestKind, golden::Result, golden::Stall;

void L1dUpdateWatch::before(const golden::L1dIn& in, const golden::CycleL1d&, unsigned filled) {
  filled_before_ = filled_;
  filled_ = filled;
  flush_ = in.flush_valid;
  seen_[before_fill] += last_.any && last_.is_store && filled != ~0u && last_.entry == filled;
}

void L1dUpdateWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (probe.occupied && !probe.fired && probe.kind == RequestKind::store && probe.stall == Stall::bank)
    ++seen_[filled_ != ~0u ? waits_for_fill : waits_for_replay];
  const golden::ProbeEvent* event = golden.last_event();
  if (!probe.occupied || !event) {
    last_ = {};
    return;
  }
  const bool is_store = probe.kind == RequestKind::store;
  const Left now{.any = true,
                 .is_store = is_store,
                 .is_hit = probe.kind == RequestKind::load && probe.result == Result::hit,
                 .block = event->block,
                 .chunks = is_store ? probe.written : probe.mask,
                 .entry = probe.entry};
  if (is_store) store(golden, now);
  in_a_row(now);
  last_ = now;
}

void L1dUpdateWatch::store(const golden::CycleL1d& golden, const Left& now) {
  const auto& probe = golden.last_probe();
  if (now.entry != ~0u) {
    seen_[poisoned_line] += probe.poisoned;
    seen_[beside_fill] += now.entry == filled_;
    seen_[after_fill] += now.entry == filled_before_;
    return;
  }
  if (now.chunks) ++seen_[now.chunks == probe.mask ? all_of_it : some_of_it];
  seen_[none_of_it] += probe.place != golden::nowhere && !now.chunks;
  seen_[flush_waits] += now.chunks && flush_;
  const golden::MshrFile& mshrs = golden.mshrs();
  for (unsigned e = 0; e < mshrs.entries(); ++e)
    seen_[left_by_flush] += mshrs.in_use().test(e) && mshrs[e].flushed && mshrs[e].block == now.block;
}

void L1dUpdateWatch::in_a_row(const Left& now) {
  if (!last_.any || last_.block != now.block || !(now.chunks & last_.chunks)) return;
  seen_[twice_in_a_row] += last_.is_store && now.is_store;
  seen_[hit_behind_it] += last_.is_store && now.is_hit;
  seen_[behind_hit] += last_.is_hit && now.is_store;
}

void L1dUpdateWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  seen["update of all chunks of a store"] = seen_[all_of_it];
  // A store seldom names a chunk and none of its bytes.
  if (hw::by_chunk(params_.tags) && hw::chunks_of_line(params_) > 1)
    seen["update of some of its chunks"] = seen_[some_of_it];
  seen["update of none, in a line that is there"] = seen_[none_of_it];
  seen["store to a poisoned line"] = seen_[poisoned_line];
  seen["store to a line that a flush left on its way"] = seen_[left_by_flush];
  seen["store right before the fill of its line"] = seen_[before_fill];
  seen["store beside the fill of its line"] = seen_[beside_fill];
  seen["store right after the fill of its line"] = seen_[after_fill];
  seen["update while a flush waits"] = seen_[flush_waits];
  if (ids < 8) return;
  seen["update waits for a fill"] = seen_[waits_for_fill];
  seen["update waits for a waiting load"] = seen_[waits_for_replay];
  seen["two updates of the same chunks in a row"] = seen_[twice_in_a_row];
  seen["hit right behind an update of its chunks"] = seen_[hit_behind_it];
  // While the data of a hit is checked, requests to its set wait.
  if (!hw::protects_data(params_.ecc)) seen["update right behind a hit of its chunks"] = seen_[behind_hit];
}

}  // namespace verif
