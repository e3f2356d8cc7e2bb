// The L1 of a core among cores that search each other's L1s: requests and snoops on their way into it, its
// answers, replies for it, and its flush.
#pragma once
#include <utility>

#include "hw/remote/remote_node_exchange.h"

namespace hw {

// Parts add to `cache`, pins of the L1's instance.

std::pair<CacheEntry, SearchStatus> enter_cache(RemoteNodeFrame& n, const CoreSide& core, Pins& cache);

void cache_answers(RemoteNodeFrame& n, const rtl::Stream& response, const SnoopAnswer& snooped, Pins& cache);

// Lines that were searched for come through the table, all else as it is. Returns what enters the L1.
Channel cache_replies(RemoteNodeFrame& n, const rtl::Stream& reply, const ReplyLookup& lookup, Pins& cache);

// Of an L1 that checks its memory: lines of searches come as their replies, too. `shared`: the miss in front
// is searched for.
void check_replies(RemoteNodeFrame& n, const FrontMiss& miss, const rtl::Expr& shared,
                   const ReplyLookup& lookup, const Channel& fill, Pins& cache);

// With it the L1 itself, of all these pins. Requests, probes, searches and marks hinder the flush.
void cache_flush(RemoteNodeFrame& n, const CoreSide& core, const CacheEntry& entry, const ProbesHere& probes,
                 const Searches& searches, const rtl::Condition& clean, Pins cache);

}  // namespace hw
