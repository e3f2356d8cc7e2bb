// The parts of the L1 data cache, connected.
#include <fmt/format.h>

#include "hw/l1d/data_store.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/mshr.h"
#include "hw/l1d/shell.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/reuse_filter.h"
#include "hw/tags/tag_store.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// Pins of a tag store whose lines lie in ways, whatever it keeps of them.
std::vector<std::pair<std::string, Expr>> L1dShell::tag_pins() const {
  std::vector<std::pair<std::string, Expr>> pins{{"moves", moves_},
                                                 {"comes", comes_},
                                                 {"enter_set", enter_set_},
                                                 {"enter_tag", enter_tag_},
                                                 {"probe_set", probe_.set_index},
                                                 {"probe_tag", probe_.tag},
                                                 {"entry_match", entry_match_},
                                                 {"entry_way", entry_way_},
                                                 {"allocate", allocate_},
                                                 {"invalidate", invalidate_},
                                                 {"fill", fill_sets_valid_},
                                                 {"fill_set", fill_set_},
                                                 {"fill_way", fill_way_},
                                                 {"vacate", vacate_},
                                                 {"vacate_set", replay_set_},
                                                 {"vacate_way", replay_way_},
                                                 {"flush", flush_},
                                                 {"match", match_},
                                                 {"can_allocate", can_allocate_},
                                                 {"way", way_}};
  if (adaptive_) pins.emplace_back("anew", again_);
  return pins;
}

void L1dShell::tags() {
  if (p_.tags == TagKind::reuse_filter) return filter_tags();
  std::vector<std::pair<std::string, Expr>> pins = tag_pins();
  if (needs_touch(p_)) pins.emplace_back("load", load_);
  if (sectored_)
    for (const auto& pin : {std::pair<std::string, Expr>{"probe_mask", probe_.mask},
                            {"reserve", reserve_},
                            {"fill_mask", memory_response_["mask"]},
                            {"hit", hit_},
                            {"match_valid", match_valid_}})
      pins.push_back(pin);
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(tag_store(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store.");
}

void L1dShell::filter_tags() {
  std::vector<std::pair<std::string, Expr>> pins = tag_pins();
  pins.insert(pins.end(), {{"load", load_}, {"has_place", has_place_}});
  if (!filters_ || p_.reuse.follow) pins.emplace_back("has_free", has_free_);
  if (filters_) {
    pins.emplace_back("bypass", bypass_);
    pins.emplace_back("filtered", filtered_);
    if (p_.reuse.follow) pins.emplace_back("filter_enable", filter_enable_);
  }
  if (p_.counters) pins.emplace_back("evicted", evicted_);
  m_.instance(reuse_filter(p_, tag_bits_, m_.name() + "_tags"), "tags", pins, "Tag store with reuse counts.");
}

void L1dShell::entries() {
  std::vector<std::pair<std::string, Expr>> pins{{"moves", moves_},
                                                 {"enter_set", enter_set_},
                                                 {"enter_tag", enter_tag_},
                                                 {"probe_set", probe_.set_index},
                                                 {"probe_tag", probe_.tag},
                                                 {"probe_id", probe_.id},
                                                 {"probe_mask", probe_.mask},
                                                 {"allocate", new_entry_},
                                                 {"merge", merge_},
                                                 {"way", way_},
                                                 {"doom", doom_},
                                                 {"fill", fill_},
                                                 {"replay_granted", grant_replay_},
                                                 {"flush", flush_},
                                                 {"match", entry_match_},
                                                 {"match_doomed", doomed_},
                                                 {"match_room", room_},
                                                 {"match_way", entry_way_},
                                                 {"has_free", has_free_},
                                                 {"fill_set", fill_set_},
                                                 {"fill_way", fill_way_},
                                                 {"fill_way_early", fill_way_early_},
                                                 {"fill_lands", fill_lands_},
                                                 {"replay_ready", replay_ready_},
                                                 {"replay_set", replay_set_},
                                                 {"replay_way", replay_way_},
                                                 {"replay_id", replay_id_},
                                                 {"replay_mask", replay_mask_},
                                                 {"vacate", vacate_}};
  if (adaptive_) std::erase_if(pins, [](const auto& pin) { return pin.first == "enter_set"; });
  if (const int bits = entry_bits(p_)) {
    pins.emplace_back("fill_entry", memory_response_["id"].slice(bits - 1, 0));
    pins.emplace_back("entry", entry_);
  }
  if (sectored_) {
    pins.emplace_back("missed", missed_);
    pins.emplace_back("fill_mask", memory_response_["mask"]);
    pins.emplace_back("match_pending", pending_);
  }
  if (split_) pins_of_slots(pins);
  m_.instance(mshr(p_, tag_bits_, m_.name() + "_mshr"), "mshr", pins, "MSHR file.");
}

void L1dShell::queue() {
  const Expr chunk =
      sectored_ && chunks_ > 1
          ? number_of(lowest_of(m_, "lowest_missed", missed_, "names the fetch among those of its entry"))
          : Expr{};
  const Expr name = join_known({chunk, entry_});
  const int low = id_bits_ - 1;
  const Expr fetch_id = name.known() ? rtl::zext(name, low) : lit(low, 0);
  const Expr own = filters_ ? other_ | bypass_ : other_;  // answered to the core as it comes
  const Expr id = cat({own, mux(own, rtl::zext(probe_.id, low), fetch_id)});
  fetch_mask_ = sectored_ ? missed_ : rtl::ones(chunks_);
  m_.instance(miss_queue(p_, m_.name() + "_miss_queue"), "miss_queue",
              {{"push", push_},
               {"push_kind", probe_.kind},
               {"push_id", id},
               {"push_block_address", probe_.block_address},
               {"push_mask", mux(own, probe_.mask, fetch_mask_)},
               {"push_byte_enable", probe_.byte_enable},
               {"push_data", probe_.data},
               {"has_place", has_place_},
               {"memory_request_valid", memory_request_.valid},
               {"memory_request_ready", memory_request_.ready},
               {"memory_request_id", memory_request_["id"]},
               {"memory_request_kind", memory_request_["kind"]},
               {"memory_request_address", memory_request_["address"]},
               {"memory_request_mask", memory_request_["mask"]},
               {"memory_request_byte_enable", memory_request_["byte_enable"]},
               {"memory_request_data", memory_request_["data"]}},
              "Miss queue.");
}

// Read before it is known that the answer is granted: while the answer stage is free, nobody looks.
void L1dShell::data() {
  std::vector<std::pair<std::string, Expr>> pins{
      {"fill", fill_},
      {"fill_set", fill_set_},
      {"fill_way", fill_way_},
      {"fill_mask", memory_response_["mask"]},
      {"fill_data", memory_response_["data"]},
      {"read", answer_free_ & ((load_ & is_hit_) | replay_ready_)},
      {"read_set", mux(replay_shown_, replay_set_, probe_.set_index)},
      {"read_way", mux(replay_shown_, replay_way_, hit_)},
      {"read_mask", mux(replay_shown_, replay_mask_, probe_.mask)},
      {"read_data", read_data_}};
  if (p_.ways > 1) pins.emplace_back("shows", answer_free_);
  m_.instance(data_store(p_, m_.name() + "_data_store"), "data_store", pins, "Data store.");
}

}  // namespace hw
