// The parts of the L1 data cache with split tags, connected (TSC paper, section 3).
#include <fmt/format.h>

#include "hw/l1d/l1d.h"
#include "hw/l1d/mshr.h"
#include "hw/l1d/shell.h"
#include "hw/l1d/split_data_store.h"
#include "hw/mode/mode_selector.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/split_tag_store.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

void L1dShell::split_tags() {
  std::vector<std::pair<std::string, Expr>> pins{{"read", read_},
                                                 {"read_set", read_set_},
                                                 {"enter", enter_},
                                                 {"enter_set", enter_set_},
                                                 {"enter_tag", enter_tag_},
                                                 {"enter_mask", enter_mask_},
                                                 {"probe_set", probe_.set_index},
                                                 {"probe_tag", probe_.tag},
                                                 {"missed", missed_},
                                                 {"pending_slots", pending_slots_},
                                                 {"allocate", allocate_},
                                                 {"waits", waits_},
                                                 {"touch", touch_},
                                                 {"invalidate", invalidate_},
                                                 {"fill", fill_sets_valid_},
                                                 {"fill_set", fill_set_},
                                                 {"fill_slots", fill_slots_},
                                                 {"replay_set", replay_set_},
                                                 {"replay_released", replay_released_},
                                                 {"flush", flush_},
                                                 {"chunk_valid", match_valid_},
                                                 {"asked", hit_slots_},
                                                 {"found", found_},
                                                 {"enough", enough_},
                                                 {"slot_numbers", slot_numbers_}};
  if (widens(p_)) {
    pins.emplace_back("enter_effective", enter_effective_);
    pins.emplace_back("fill_released", fill_released_);
  }
  if (adaptive_) pins.emplace_back("anew", settles_);
  if (p_.store_scope == StoreScope::mask) {
    pins.emplace_back("probe_mask", probe_.mask);
    pins.emplace_back("entry_match", entry_match_);
  }
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(split_tag_store(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

// The MSHR file names slots where it would name a way.
void L1dShell::pins_of_slots(std::vector<std::pair<std::string, Expr>>& pins) {
  std::erase_if(pins, [](const auto& pin) { return !pin.second.known(); });
  pins.insert(pins.end(), {{"slot_numbers", slot_numbers_},
                           {"chunk_valid", match_valid_},
                           {"pending_slots", pending_slots_},
                           {"load", load_},
                           {"fill_numbers", fill_numbers_},
                           {"fill_at", fill_at_},
                           {"replay_at", replay_at_},
                           {"replay_released", replay_released_}});
  if (!widens(p_)) return;
  pins.emplace_back("effective", effective_);
  pins.emplace_back("fill_released", fill_released_);
}

void L1dShell::split_data() {
  m_.instance(split_data_store(p_, m_.name() + "_data_store"), "data_store",
              {{"fill_set", fill_set_},
               {"fill_slots", fill_slots_},
               {"fill_at", fill_at_},
               {"fill_data", memory_response_["data"]},
               {"read", grant_hit_ | grant_replay_},
               {"read_set", mux(replay_shown_, replay_set_, probe_.set_index)},
               {"read_slots", mux(replay_shown_, replay_slots_, hit_slots_)},
               {"read_at", mux(replay_shown_, replay_at_, found_)},
               {"read_data", read_data_}},
              "Data store.");
}

// The selector is told of a load in the cycle after.
void L1dShell::split_selector() {
  if (p_.mode.follow) return;
  m_.section("Mode selection, beside the lookup.");
  const Expr told = m_.reg("told_q", 1, 0, "a load left in the cycle before");
  const Expr set_q = m_.data_reg("told_set_q", set_bits_, "its set");
  const Expr miss_q = m_.data_reg("told_miss_q", 1, "it missed chunks");
  const Expr number = missed_number();
  const Expr chunks_q = m_.data_reg("told_chunks_q", number.width(), "how many");
  m_.clocked("The load that left.", [&] {
    m_.set(told, touch_);
    m_.when(touch_, [&] {
      m_.set(set_q, probe_.set_index);
      m_.set(miss_q, allocate_);
      m_.set(chunks_q, number);
    });
  });
  m_.instance(mode_choice(selector_params(p_), m_.name() + "_mode_selector"), "mode_selector",
              {{"probe_valid", told},
               {"probe_set", set_q},
               {"probe_miss", miss_q},
               {"probe_chunks", chunks_q},
               {"mode_coarse", mode_coarse_}},
              "Fine or coarse.");
}

}  // namespace hw
