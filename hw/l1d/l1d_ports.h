// The ports of an L1 data cache, made from the tables that golden, benches and manifests read too.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hw/l1d/controls_params.h"
#include "hw/l1d/stream_params.h"
#include "hw/rtl/stream.h"
#include "hw/tags/exchange.h"

namespace hw {

// Fields as a stream of `m` has them, without those of no width.
std::vector<rtl::Field> fields_of(std::span<const StreamField> fields, const MessageShape& shape);

// A stream of the cache, by its name in the table.
rtl::Stream cache_stream(rtl::Module& m, const L1dParams& p, std::string_view name);

// The controls that the parameters ask for, as inputs or outputs of `m`, or wires inside.
class ControlPorts {
 public:
  ControlPorts() = default;
  ControlPorts(rtl::Module& m, const L1dParams& p);

  const rtl::Expr& operator[](Control c) const { return ports_[c.row()].value(); }
  // All that there are, for tag stores and policies.
  ControlSignals signals() const;

 private:
  std::array<std::optional<rtl::Expr>, control_rows.size()> ports_;
};

}  // namespace hw
