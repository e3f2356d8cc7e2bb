#include "hw/mshr/mshr_parts.h"

#include <fmt/format.h>

#include "hw/rtl/module_data.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

MshrSizes::MshrSizes(const MshrParams& params, const MshrLines& lines)
    : p(params),
      entries(p.entries),
      merges(p.merges),
      chunks(lines.chunks),
      pending(lines.by_chunk ? lines.chunks : 1),
      set_bits(lines.set_bits),
      tag_bits(lines.tag_bits),
      entry_width(entry_bits(p)),
      place_width(place_bits(p)),
      count_width(rtl::clog2(static_cast<std::uint64_t>(merges) + 1)),
      by_chunk(lines.by_chunk),
      tag_is_line(lines.tag_is_line),
      joins_late(hw::joins_late(p, by_chunk)),
      in_order(hw::in_order(p, by_chunk)) {}

MshrTop::MshrTop(const MshrParams& params, const MshrLines& lines, const std::string& name,
                 const rtl::Loc& loc)
    : MshrFrame(MshrSizes(params, lines), name,
                fmt::format("MSHR file of {} entr{}, up to {} load{} each: lines on their way and the loads "
                            "that wait for them ({}).",
                            params.entries, params.entries == 1 ? "y" : "ies", params.merges,
                            params.merges == 1 ? "" : "s", lines.source),
                loc) {}

MshrPart::MshrPart(MshrTop& file, const std::string& part, const std::string& doc, const rtl::Loc& loc)
    : MshrFrame(file, file.m.name() + "_" + part, doc, loc), file_(file.m), part_(part) {}

namespace {

const std::string& doc_of_net(const rtl::Module& file, const Expr& net) {
  return file.data().signal(net.node().text)->doc;
}

}  // namespace

Expr MshrPart::in(const Expr& net, const rtl::Loc& loc) {
  pins_.emplace_back(net.node().text, net);
  return m.input(net.node().text, net.width(), doc_of_net(file_, net), loc);
}

Expr MshrPart::out(const Expr& net, const rtl::Loc& loc) {
  pins_.emplace_back(net.node().text, net);
  return m.output(net.node().text, net.width(), doc_of_net(file_, net), loc);
}

std::optional<Expr> MshrPart::in(const std::optional<Expr>& net, const rtl::Loc& loc) {
  return net ? std::optional(in(*net, loc)) : std::nullopt;
}

std::optional<Expr> MshrPart::out(const std::optional<Expr>& net, const rtl::Loc& loc) {
  return net ? std::optional(out(*net, loc)) : std::nullopt;
}

void MshrPart::place(const std::string& doc) { file_.instance(m, part_, pins_, doc); }

std::optional<Expr> net_if(bool needed, const Expr& net) {
  return needed ? std::optional(net) : std::nullopt;
}

Expr EntryValues::add(const std::string& name, const Expr& of_entries, int width, const std::string& doc) {
  values_.push_back({f_.m.wire(name, width, doc), of_entries});
  return values_.back().out;
}

void EntryValues::gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
                         const Expr& which) const {
  if (values_.empty()) return;
  rtl::Module& m = f_.m;
  m.comb(doc, [&] {
    for (const auto& [out, of_entries] : values_) m.set(out, lit(out.width(), 0));
    const auto all = [&] {
      m.loop(label, f_.entries, [&](const Expr& e) {
        for (const auto& [out, of_entries] : values_)
          m.set(out, out | (of_entries.part(e, out.width()) & replicate(out.width(), which.at(e))));
      });
    };
    if (when.is_always())
      all();
    else
      m.when(when.when(), all);
  });
}

}  // namespace hw
