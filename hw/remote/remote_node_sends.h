// The messages of a core among cores that search each other's L1s into the network of requests.
#pragma once
#include "hw/remote/remote_node_exchange.h"

namespace hw {

// The first that waits: what goes past all searches, requests of late ones, probes of others (deflected ones
// first), requests of searches in vain, and probes of this core.
void send_messages(RemoteNodeFrame& n, const SendPort& send, const FrontMiss& miss, const DirectLoad& direct,
                   const ProbesHere& others, const Searches& searches);

}  // namespace hw
