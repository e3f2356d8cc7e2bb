// Parts of the bridge to AXI4: the request of the cache in front, its order behind others, and its way onto
// the channels; answers of the memory, and those to the cache.
#pragma once
#include <optional>

#include "hw/bus/axi4_block.h"
#include "hw/bus/axi4_channels.h"
#include "hw/rtl/stream.h"

namespace hw {

// The module with its parameters and sizes.
struct BridgeFrame {
  BridgeFrame(const Axi4BridgeParams& p, rtl::Module m);

  rtl::Module m;
  const Axi4BridgeParams& p;
  const int chunks, line_bits, place_bits;
  const bool two_beats;
  const bool scatters;  // one chunk or two are always a block
};

// The entry of the next request, and that it is taken: wires.
struct SpareEntry {
  rtl::Expr number, valid, taken;
};
// The part of the write in front that is sent; registers.
struct WriteProgress {
  rtl::Expr aw_done, w_done;
  std::optional<rtl::Expr> w_second;  // where a line has two beats
};
// Chunks of a scattered load.
struct GatherProgress {
  rtl::Expr chunks, waits;
};
struct FrontProgress {
  SpareEntry spare;
  WriteProgress write;
  std::optional<GatherProgress> gather;  // where loads may be scattered
};
FrontProgress front_progress(BridgeFrame& f);

// Answers of memory, registers.
struct ReadStage {
  rtl::Expr full, place, data;
  std::optional<rtl::Expr> second;  // where a line has two beats
};
struct AckStage {
  rtl::Expr full, place;
};
struct AnswerStages {
  ReadStage read;
  AckStage ack;
  rtl::Expr turn_ack, error;
};
AnswerStages answer_stages(BridgeFrame& f);

// The answer that leaves, and the R and B that come. `read_free`: an R can be taken.
struct BridgeAnswer {
  rtl::Expr place, answered, r_taken, b_taken, read_free;
};
BridgeAnswer answer_cache(BridgeFrame& f, const AnswerStages& stages, const Axi4Channels& axi,
                          const rtl::Stream& response);

// A load of devices that leaves chunks out is read chunk by chunk.
struct Scatter {
  rtl::Expr is, chunk, last;
};
struct BridgeRequest {
  rtl::Expr device, writes, line;
  std::optional<rtl::Expr> read_id;  // where reads of several lines are on their way under IDs of their own
  Axi4Block block;
  std::optional<Scatter> scatter;
};
BridgeRequest bridge_request(BridgeFrame& f, const rtl::Stream& request,
                             const std::optional<GatherProgress>& gather);

// The table of requests; returns that this one may go.
rtl::Expr order_requests(BridgeFrame& f, const rtl::Stream& request, const rtl::Stream& response,
                         const BridgeRequest& kind, const SpareEntry& spare, const BridgeAnswer& answer);

// Returns that address and data are taken.
rtl::Expr send_writes(BridgeFrame& f, const rtl::Stream& request, const BridgeRequest& kind,
                      const FrontProgress& front, const rtl::Expr& goes, const Axi4Channels& axi);

// A load's only read is sent; the last chunk of a scattered one comes.
struct ReadsSent {
  rtl::Expr taken;
  std::optional<rtl::Expr> gathered;
};
ReadsSent send_reads(BridgeFrame& f, const BridgeRequest& kind, const FrontProgress& front,
                     const rtl::Expr& goes, const rtl::Expr& r_taken, const rtl::Expr& write_taken,
                     const Axi4Channels& axi);

}  // namespace hw
