// Misses of a core among cores that search each other's L1s, one in front at a time, and what a reply in
// front is.
#pragma once
#include "hw/remote/remote_node_exchange.h"

namespace hw {

// A request of the L1 stands in front until it is taken: a fetch, as a search or to its slice, all else as it
// is sent.
FrontMiss front_miss(RemoteNodeFrame& n, Pins& cache);

// Whether the miss in front may be looked for elsewhere. `late`: entries that L2 owes a reply.
GuardAnswer guard_misses(RemoteNodeFrame& n, const CoreSide& core, const CacheEntry& entry,
                         const FrontMiss& miss, const rtl::Expr& late);

// With stages, a reply of a search is looked up in its first cycle in front, and taken in the next.
ReplyLookup look_up_reply(RemoteNodeFrame& n, const rtl::Stream& reply);

SharingGuess guess_sharing(RemoteNodeFrame& n, const FrontMiss& miss, const rtl::Expr& plain,
                           const ReplyLookup& reply, const rtl::Expr& clear);

// `waits`: the register that says so.
DirectLoad direct_load(RemoteNodeFrame& n, const FrontMiss& miss, const rtl::Expr& shared,
                       const rtl::Expr& waits);

}  // namespace hw
