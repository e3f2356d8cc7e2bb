#include "golden/tags/split_tags.h"

#include <algorithm>
#include <bit>

#include "golden/cache/chunk_count.h"

namespace golden {
namespace {

unsigned lowest(std::uint64_t bits) { return static_cast<unsigned>(std::countr_zero(bits)); }

}  // namespace

SplitTags::SplitTags(const hw::L1dParams& p)
    : index_(p.index),
      rules_(p),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
      private_bits_(p.split.private_tag_bits),
      mask_scope_(p.store_scope == hw::StoreScope::mask),
      widens_(p.mode.kind != hw::ModeKind::fine),
      bits_(static_cast<std::size_t>(hw::sets_of(p))),
      shared_(bits_.size() * rules_.groups),
      blocks_(bits_.size() * rules_.slots),
      private_(blocks_.size()),
      positions_(blocks_.size()),
      owner_(blocks_.size()),
      owners_(static_cast<std::size_t>(p.mshr_entries)),
      slots_(owners_.size() * chunks_),
      waits_(slots_.size()) {
  if (hw::protects_tags(p.ecc)) meet_upsets(p, p.ecc);
}

void SplitTags::reset() {
  reset_lfsr();
  std::ranges::fill(bits_, SplitBits{});
  std::ranges::fill(owners_, Owner{});
  std::ranges::fill(waits_, 0);
  planned_ = placed_ = false;
}

std::uint64_t SplitTags::shared_tag(std::uint64_t block) const {
  return index_.tag_of(block) >> private_bits_;
}

std::uint64_t SplitTags::private_tag(std::uint64_t block) const {
  return index_.tag_of(block) & ((std::uint64_t{1} << private_bits_) - 1);
}

std::uint64_t SplitTags::tagged(unsigned set, std::uint64_t slots, std::uint64_t block) const {
  const std::uint64_t shared = shared_tag(block), own = private_tag(block);
  for (unsigned g = 0; g < rules_.groups; ++g)
    if (shared_[set * rules_.groups + g] != shared) slots &= ~rules_.group(g);
  std::uint64_t found = 0;
  for (; slots; slots &= slots - 1)
    if (private_[set * rules_.slots + lowest(slots)] == own) found |= slots & -slots;
  return found;
}

// Those of them that hold one of these chunks of their lines.
std::uint64_t SplitTags::slots_in(std::uint32_t set, std::uint64_t slots, std::uint32_t positions) const {
  std::uint64_t found = 0;
  for (; slots; slots &= slots - 1)
    if (positions >> positions_[set * rules_.slots + lowest(slots)] & 1) found |= slots & -slots;
  return found;
}

std::uint64_t SplitTags::slots_of_owner(unsigned e, std::uint32_t chunks) const {
  std::uint64_t slots = 0;
  for (; chunks; chunks &= chunks - 1) slots |= chunk_slot(slots_[e * chunks_ + lowest(chunks)]);
  return slots;
}

// A bit for each slot that holds a chunk of the line.
void SplitTags::lookup(const Held& request, Lookup& line) {
  const SplitBits& bits = bits_[request.set];
  const std::size_t first = request.set * rules_.slots;
  line = {.place = tagged(request.set, bits.valid & ~wrong_slots(), request.block)};
  for (std::uint64_t left = line.place; left; left &= left - 1)
    line.valid |= 1u << positions_[first + lowest(left)];
  // An entry in use has a busy slot.
  for (std::uint64_t left = bits.busy; left && line.entry == no_entry; left &= left - 1) {
    const unsigned e = owner_[first + lowest(left)];
    if (owners_[e].block == request.block && !owners_[e].dead) line.entry = e;
  }
  line.found = line.place != 0 || line.entry != no_entry;
}

// A line that has just gone leaves more to fetch than the plan has slots for: then the miss queue is closed.
Reservation SplitTags::reserve(const Held&, Decision&, std::uint64_t) {
  if (!planned_) return Reservation::later;
  return plan_.count == plan_wanted_ ? Reservation::some : Reservation::none;
}

// Slots for the next cycle, from the state that this one began with. A load that fires has its plan still.
void SplitTags::plan(const Held* load, const Decision& decision) {
  planned_ = load != nullptr;
  placed_ = false;
  if (!load) return;
  plan_bits_ = bits_[load->set];
  plan_bits_.valid &= ~wrong_slots();
  plan_wanted_ = chunk_count(decision.missed);
  plan_ =
      rules_.choose(plan_bits_, {&shared_[load->set * rules_.groups], rules_.groups}, shared_tag(load->block),
                    slots_in(load->set, decision.line.place, decision.wanted), plan_wanted_, lfsr());
}

Lost SplitTags::load(const Held& load, const Decision& decision) {
  SplitBits& bits = bits_[load.set];
  std::uint64_t used = slots_in(load.set, decision.line.place, decision.wanted);
  Lost lost;
  if (decision.result != Result::hit) {
    if (!decision.merges()) owners_[decision.entry] = {.block = load.block, .set = load.set};
    used |= slots_of_owner(decision.entry, decision.pending);
    if (decision.missed) {
      lost = allocate(load, decision);
      used |= plan_.taken;
    }
    wait_for(load, decision);
  }
  bits.nru |= used;
  if (bits.nru == rules_.all) bits.nru = 0;
  return lost;
}

// The missed chunks come to their slots.
Lost SplitTags::allocate(const Held& load, const Decision& decision) {
  SplitBits& bits = bits_[load.set];
  placed_ = true;
  if (slot_rows_) write_rows(load.set, bits.occupied());
  if (plan_.draws) step_lfsr();
  for (std::uint32_t left = plan_.claimed; left; left &= left - 1)
    shared_[load.set * rules_.groups + lowest(left)] = shared_tag(load.block);
  bits.valid &= ~(plan_.lost | plan_.taken);
  bits.busy |= plan_.taken;
  std::uint32_t missed = decision.missed;
  for (unsigned i = 0; i < plan_.count; ++i, missed &= missed - 1) {
    const std::size_t at = load.set * rules_.slots + plan_.slots[i];
    blocks_[at] = load.block;
    private_[at] = private_tag(load.block);
    positions_[at] = static_cast<std::uint8_t>(lowest(missed));
    owner_[at] = static_cast<std::uint16_t>(decision.entry);
    slots_[decision.entry * chunks_ + positions_[at]] = plan_.slots[i];
  }
  owners_[decision.entry].held |= decision.missed;
  return {.chunks = static_cast<unsigned>(std::popcount(plan_.lost))};
}

// The load becomes an MSHR target: its chunks stay where they are until it has read them.
void SplitTags::wait_for(const Held& load, const Decision& decision) {
  const unsigned e = decision.entry;
  for (std::uint64_t left = slots_in(load.set, decision.line.place, load.mask); left; left &= left - 1) {
    const std::size_t at = load.set * rules_.slots + lowest(left);
    slots_[e * chunks_ + positions_[at]] = static_cast<std::uint8_t>(lowest(left));
    owner_[at] = static_cast<std::uint16_t>(e);
    bits_[load.set].busy |= left & -left;
  }
  owners_[e].held |= load.mask;
  for (std::uint32_t left = load.mask; left; left &= left - 1) ++waits_[e * chunks_ + lowest(left)];
}

bool SplitTags::invalidate(const Held& request, const Lookup& line) {
  SplitBits& bits = bits_[request.set];
  if (line.entry != no_entry) {  // with what a fill brings in this cycle
    bits.valid &= ~tagged(request.set, bits.valid, request.block);
    return true;
  }
  const std::uint64_t gone = mask_scope_ ? slots_in(request.set, line.place, request.mask) : line.place;
  bits.valid &= ~gone;
  return gone != 0;
}

void SplitTags::fill(unsigned entry, std::uint32_t chunks, bool installs) {
  if (installs) bits_[owners_[entry].set].valid |= slots_of_owner(entry, chunks);
}

void SplitTags::answered(unsigned entry, std::uint32_t mask) {
  for (; mask; mask &= mask - 1) --waits_[entry * chunks_ + lowest(mask)];
}

void SplitTags::settle(unsigned entry, std::uint32_t pending) {
  Owner& owner = owners_[entry];
  for (std::uint32_t left = owner.held & ~pending; left; left &= left - 1) {
    const unsigned c = lowest(left);
    if (waits_[entry * chunks_ + c]) continue;
    owner.held &= ~(1u << c);
    bits_[owner.set].busy &= ~chunk_slot(slots_[entry * chunks_ + c]);
  }
}

void SplitTags::flush() {
  for (SplitBits& bits : bits_) bits.valid = 0;
  for (Owner& owner : owners_) owner.dead = true;
}

void SplitTags::slots_of(const Held& request, const Lookup& line, std::uint32_t chunks, Slots& slots) const {
  for (std::uint64_t left = slots_in(request.set, line.place, chunks); left; left &= left - 1)
    slots[positions_[request.set * rules_.slots + lowest(left)]] = static_cast<std::uint16_t>(lowest(left));
}

void SplitTags::slots_of_entry(unsigned entry, std::uint32_t chunks, Slots& slots) const {
  for (; chunks; chunks &= chunks - 1) slots[lowest(chunks)] = slots_[entry * chunks_ + lowest(chunks)];
}

SplitTags::SlotState SplitTags::slot(unsigned set, unsigned s) const {
  const SplitBits& bits = bits_[set];
  const std::size_t at = set * rules_.slots + s;
  return {.shared = shared_[set * rules_.groups + s / rules_.group_slots],
          .low = private_[at],
          .position = positions_[at],
          .valid = (bits.valid >> s & 1) != 0,
          .busy = (bits.busy >> s & 1) != 0,
          .nru = (bits.nru >> s & 1) != 0};
}

std::vector<std::uint64_t> SplitTags::resident_blocks() const {
  std::vector<std::uint64_t> blocks;
  for (std::size_t set = 0; set < bits_.size(); ++set) {
    const auto first = static_cast<std::ptrdiff_t>(blocks.size());
    for (std::uint64_t left = bits_[set].valid; left; left &= left - 1)
      blocks.push_back(blocks_[set * rules_.slots + lowest(left)]);
    std::sort(blocks.begin() + first, blocks.end());
    blocks.erase(std::unique(blocks.begin() + first, blocks.end()), blocks.end());
  }
  return blocks;
}

}  // namespace golden
