// A pipeline stage of the L1 data cache that holds a request on its way to the tag-lookup stage.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hw/tags/exchange.h"

namespace hw {

class HeldStage {
 public:
  // Registers `stem`_*_q, of which `valid` follows when the stage `moves`; of set and tag, and of write data,
  // where the request brings them.
  HeldStage(rtl::Module m, const Request& from, const std::string& stem, const std::string& stage,
            const rtl::Expr& moves, bool indexed);

  // The fields are taken, and, unless the request is a load, what it writes.
  void take_fields(const rtl::Expr& when);
  void take_payload(const rtl::Expr& when);

  Request request;   // in the stage
  rtl::Expr enters;  // one enters it

 private:
  rtl::Expr hold(const rtl::Expr& value, const std::string& field, const std::string& doc);

  rtl::Module m_;
  const Request from_;
  const std::string stem_, stage_;
  std::vector<std::pair<rtl::Expr, rtl::Expr>> fields_;
};

}  // namespace hw
