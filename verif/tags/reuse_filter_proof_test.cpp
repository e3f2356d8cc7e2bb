// Proofs of the reuse-count filter's tag store, of small geometry but from any state and for all inputs that
// a cache gives it: no two entries of a set point to one data way, none to a way that is not there, and each
// line has its entry; so free data ways = all - entries that have a line - ways that a flush left busy; no
// two entries stand for one line; reuse counts never wrap. Injected faults break the proof.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "gen/config/catalogue.h"
#include "gen/print_verilog.h"
#include "hw/l1d/l1d_params.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/reuse_filter.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

constexpr int sets = 2, tag_bits = 3;

std::string range(int bits) { return fmt::format("[{}:0] ", bits - 1); }

// The property module's text, from what it looks at to what it claims.
class Claims {
 public:
  explicit Claims(const hw::L1dParams& p)
      : p_(p), w_(p.ways), t_(p.reuse.ways), r_(p.reuse.rc_bits), position_bits_(hw::bits_to_number(w_)) {}

  // The unit's texts with its inner state brought out.
  std::map<std::string, std::string> unit(const verif::Fault* fault) {
    auto texts = verif::texts_of(hw::reuse_filter(hw::tag_params(p_), tag_bits, "unit"), fault);
    std::string& top = texts.at("unit");
    for (const auto& [net, bits] : nets()) see(top, net, net, bits);
    ram(texts, "reuse", hw::reuse_row_bits(hw::tag_params(p_)));
    ram(texts, "entry_row", tag_bits, t_);
    return texts;
  }

  std::string property() {
    std::string text = inputs() + state() + assumptions();
    std::vector<std::string> all;
    for (int s = 0; s < sets; ++s) all.push_back(of_set(text, s));
    text += fmt::format(
        "  wire holds = {} & {};\n"
        "  wire wraps = |(({{{}{{counted}}}} & see_row_entries_q & ~see_tag_written) & ((see_found & falls) "
        "| "
        "(~see_found & rises)));\n"
        "  reg past = 1'd0;\n"
        "  always @(posedge clk) past <= (holds & assumed) | rst;\n"
        "  assign bad = (past & ~holds) | (holds & assumed & wraps);\nendmodule\n",
        fmt::join(all, " & "), copies(text), t_);
    return text;
  }

 private:
  std::vector<std::pair<std::string, int>> nets() const {
    std::vector<std::pair<std::string, int>> list{{"entry_valid_q", sets * t_},
                                                  {"valid_q", sets * w_},
                                                  {"busy_q", sets * w_},
                                                  {"row_entries_q", t_},
                                                  {"row_valid_q", w_},
                                                  {"late_q", 1},
                                                  {"late_set_q", 1},
                                                  {"late_entry_valid_q", t_},
                                                  {"late_valid_q", w_},
                                                  {"late_busy_q", w_},
                                                  {"dealloc_q", 1},
                                                  {"dealloc_set_q", 1},
                                                  {"dealloc_way_q", w_},
                                                  {"busy_now", w_},
                                                  {"row", hw::reuse_row_bits(hw::tag_params(p_))},
                                                  {"tag_equal", t_},
                                                  {"found", t_},
                                                  {"tag_written", t_},
                                                  {"rc_after", t_ * r_}};
    for (int w = 0; w < w_; ++w) list.emplace_back(fmt::format("holder{}", w), t_);
    if (position_bits_)  // ages are as wide as positions
      for (const auto& [name, of] : {std::pair("age_q", sets), {"row_ages_q", 1}, {"late_age_q", 1}})
        list.emplace_back(name, of * w_ * position_bits_);
    return list;
  }

  void see(std::string& text, const std::string& name, const std::string& net, int bits) {
    verif::bring_out(text, name, bits, net);
    seen_.emplace_back("see_" + name, bits);
  }

  static std::string stored_tag(int entry, int set) {
    return fmt::format("see_entry_row[{} +: {}]", (entry * sets + set) * tag_bits, tag_bits);
  }

  // Brings out the rows of one RAM or of `count` in a loop, and of the wrapper when it is the first of its
  // kind.
  void ram(std::map<std::string, std::string>& texts, const std::string& instance, int bits, int count = 0) {
    const std::string module = fmt::format("sram_1r1w_{}x{}_read_old", sets, bits);
    std::string& wrapper = texts.at(module);
    if (wrapper.find("see_rows") == std::string::npos)
      verif::bring_out(wrapper, "rows", sets * bits, "{rows[1], rows[0]}");
    std::string& top = texts.at("unit");
    const int all = std::max(count, 1) * sets * bits;
    verif::add_output(top, instance, all);
    const std::string place = fmt::format("{} {}", module, instance);
    if (count)
      verif::connect_each(top, place, "rows", instance, sets * bits);
    else
      verif::connect(top, place, "rows", instance);
    seen_.emplace_back("see_" + instance, all);
  }

  bool filters() const { return hw::filters(hw::tag_params(p_)); }

  std::string inputs() {
    std::string text = fmt::format(
        "module property (input wire clk, input wire rst, input wire moves, input wire comes, input wire "
        "enter_set, input wire {0}enter_tag, input wire load, input wire has_free, input wire "
        "queue_not_full, "
        "input wire invalidate,\n"
        "    input wire fill, input wire fill_set, input wire {1}fill_way, input wire dealloc, input wire "
        "dealloc_set, input wire {1}dealloc_way, input wire flush, input wire filter_enable, output wire "
        "bad);\n",
        range(tag_bits), range(w_));
    std::string pins;
    for (const auto& [name, bits] : seen_) {
      text += fmt::format("  wire {}{};\n", range(bits), name);
      pins += fmt::format(", .{0}({0})", name);
    }
    text += fmt::format(
        "  reg probe_valid, probe_set;\n  reg {}probe_tag;\n  wire {}match, way, entry_way;\n"
        "  wire can_allocate, filtered;\n  wire entry_match = |entry_way;\n"
        "  wire misses = load & queue_not_full & ~entry_match & ~(|match);\n"
        "  wire allocate = misses & has_free & can_allocate & ~filtered;\n"
        "  wire bypass = misses & filtered;\n"
        "  wire enter = moves & comes;\n  wire counted = moves & load;\n",
        range(tag_bits), range(w_));
    if (!filters() || p_.reuse.follow) pins += ", .has_free(has_free)";
    if (filters()) pins += ", .bypass(bypass), .filtered(filtered)";
    if (filters() && p_.reuse.follow) pins += ", .filter_enable(filter_enable)";
    for (const char* name :
         {"clk",       "rst",          "moves",     "comes",    "enter_set",   "enter_tag",      "probe_set",
          "probe_tag", "entry_match",  "entry_way", "allocate", "load",        "queue_not_full", "invalidate",
          "fill",      "fill_set",     "fill_way",  "dealloc",  "dealloc_set", "dealloc_way",    "flush",
          "match",     "can_allocate", "way"})
      pins += fmt::format(", .{0}({0})", name);
    const auto now = [&](const std::string& name, const std::string& net, int bits, bool deallocates) {
      text += fmt::format("  wire {}{};\n", range(sets * bits), name);
      for (int s = 0; s < sets; ++s)
        text += fmt::format(
            "  assign {0}[{1} +: {2}] = ((see_late_q & (see_late_set_q == {3})) ? see_late_{4} : see_{4}[{1} "
            "+: "
            "{2}]){5};\n",
            name, s * bits, bits, s, net,
            deallocates
                ? fmt::format(" & ~(see_dealloc_way_q & {{{}{{see_dealloc_q & (see_dealloc_set_q == {})}}}})",
                              bits, s)
                : "");
    };
    now("entries_now", "entry_valid_q", t_, false);  // what the probe changed is on its way into the arrays
    now("valid_now", "valid_q", w_, false);
    now("busy_now", "busy_q", w_, true);
    if (position_bits_) now("ages_now", "age_q", w_ * position_bits_, false);
    if (!filters()) text += "  assign filtered = 1'd0;\n";
    return text + "  unit dut (" + pins.substr(2) + ");\n";
  }

  // The request in the tag-lookup stage, and the data ways whose MSHR entry was flushed.
  std::string state() const {
    std::string linked;  // data ways that the probe's entry is linked to
    for (int w = w_ - 1; w >= 0; --w)
      linked += fmt::format("|(see_holder{} & see_found){}", w, w ? ", " : "");
    return fmt::format(
        "  reg {1}left;\n"
        "  wire {1}deallocated = (dealloc ? {{{0}'d0, dealloc_way}} : {2}'d0) << (dealloc_set ? {0} : 0);\n"
        "  always @(posedge clk) begin\n"
        "    probe_valid <= ~rst & (moves ? comes : probe_valid);\n"
        "    if (enter) begin\n      probe_set <= enter_set;\n      probe_tag <= enter_tag;\n    end\n"
        "    left <= rst ? {2}'d0 : (flush ? busy_now : left) & ~deallocated;\n"
        "  end\n"
        "  assign entry_way = {{{3}}} & see_busy_now;\n",
        w_, range(sets * w_), sets * w_, linked);
  }

  // What the cache around the unit never does.
  std::string assumptions() const {
    const auto one = [&](const std::string& way) {
      return fmt::format("(|{0}) & ~(|({0} & ({0} - {1}'d1)))", way, w_);
    };
    const auto row = [&](const std::string& vector, const std::string& set) {
      return fmt::format("({0} ? {1}[{2}:{3}] : {1}[{4}:0])", set, vector, 2 * w_ - 1, w_, w_ - 1);
    };
    return fmt::format(
        "  wire acts = counted | invalidate;\n"
        "  wire assumed = (~flush | ~(enter | acts | probe_valid)) & (~(load | invalidate) | probe_valid) & "
        "~(invalidate & load)\n"
        "    & (~(allocate | bypass | invalidate) | moves)\n"
        "    & (~counted | allocate | bypass | entry_match | (|match))\n"
        "    & (~fill | ({} & |(fill_way & {} & ~{})))\n"
        "    & (~dealloc | ({} & |(dealloc_way & {})));\n",
        one("fill_way"), row("busy_now", "fill_set"), row("left", "fill_set"), one("dealloc_way"),
        row("busy_now", "dealloc_set"));
  }

  // What holds of set s; adds its wires to `text`.
  std::string of_set(std::string& text, int s) const {
    const std::string n = fmt::format("{}", s);
    const int row = s * hw::reuse_row_bits(hw::tag_params(p_)), links = row + t_ * r_;
    std::vector<std::string> claims;
    std::string with_line = "3'd0";
    for (int e = 0; e < t_; ++e) {
      const std::string valid = fmt::format("entries_now[{}]", s * t_ + e);
      const std::string linked = fmt::format("({} & see_reuse[{}])", valid, links + e);
      const std::string position =
          position_bits_ ? fmt::format("see_reuse[{} +: {}]", links + t_ + e * position_bits_, position_bits_)
                         : "1'd0";
      std::string has_line = "1'd0";
      for (int w = 0; w < w_; ++w) {
        text += fmt::format("  wire link_{}_{}_{} = {} & ({} == {});\n", s, e, w, linked, position, w);
        has_line += fmt::format(" | (link_{}_{}_{} & (valid_now[{}] | busy_now[{}]))", s, e, w, s * w_ + w,
                                s * w_ + w);
      }
      claims.push_back(fmt::format("(~{} | ({} < {}))", linked, position, w_));
      with_line += fmt::format(" + {{5'd0, {}}}", has_line);
      for (int f = 0; f < e; ++f)
        claims.push_back(fmt::format("~({} & entries_now[{}] & ({} == {}))", valid, s * t_ + f,
                                     stored_tag(e, s), stored_tag(f, s)));
    }
    std::string free = "6'd0", left = "6'd0";
    for (int w = 0; w < w_; ++w) {
      const int i = s * w_ + w;
      std::string any = "1'd0", two = "1'd0";
      for (int e = 0; e < t_; ++e) {
        any += fmt::format(" | link_{}_{}_{}", s, e, w);
        for (int f = 0; f < e; ++f)
          two += fmt::format(" | (link_{0}_{1}_{2} & link_{0}_{3}_{2})", s, e, w, f);
      }
      claims.push_back(fmt::format("~({})", two));
      claims.push_back(fmt::format("(~(valid_now[{0}] | (busy_now[{0}] & ~left[{0}])) | ({1}))", i, any));
      claims.push_back(fmt::format("(~left[{0}] | (busy_now[{0}] & ~valid_now[{0}] & ~({1})))", i, any));
      free += fmt::format(" + {{5'd0, ~valid_now[{0}] & ~busy_now[{0}]}}", i);
      left += fmt::format(" + {{5'd0, left[{}]}}", i);
    }
    for (int w = 0; position_bits_ && w < w_; ++w) {  // ages are a permutation
      const auto age = [&](int i) {
        return fmt::format("ages_now[{} +: {}]", (s * w_ + i) * position_bits_, position_bits_);
      };
      claims.push_back(fmt::format("({} < {})", age(w), w_));
      for (int v = 0; v < w; ++v) claims.push_back(fmt::format("({} != {})", age(w), age(v)));
    }
    text += fmt::format(
        "  wire [5:0] free_{0} = {1};\n  wire [5:0] left_{0} = {2};\n  wire [5:0] lines_{0} = {3};\n", n,
        free, left, with_line);
    claims.push_back(fmt::format("(free_{0} == 6'd{1} - lines_{0} - left_{0})", n, w_));
    text += fmt::format("  wire holds_{} = {};\n", n, fmt::join(claims, "\n    & "));
    return "holds_" + n;
  }

  // The probe's set is seen as it is; and how its reuse counts change.
  std::string copies(std::string& text) const {
    std::vector<std::string> claims{"1'd1"}, rises, falls;
    const auto pick = [&](const std::string& vector, int bits, int offset, int stride) {
      return fmt::format("(probe_set ? {0}[{1} +: {3}] : {0}[{2} +: {3}])", vector, stride + offset, offset,
                         bits);
    };
    claims.push_back(fmt::format("(see_row_entries_q == {})", pick("entries_now", t_, 0, t_)));
    claims.push_back(fmt::format("(see_row_valid_q == {})", pick("valid_now", w_, 0, w_)));
    if (const int bits = w_ * position_bits_)
      claims.push_back(fmt::format("(see_row_ages_q == {})", pick("ages_now", bits, 0, bits)));
    claims.push_back(fmt::format("(see_busy_now == {})", pick("busy_now", w_, 0, w_)));
    const int row = hw::reuse_row_bits(hw::tag_params(p_));
    for (int e = 0; e < t_; ++e) {
      const auto same = [&](int offset, int bits) {
        return fmt::format("(see_row[{} +: {}] == {})", offset, bits, pick("see_reuse", bits, offset, row));
      };
      std::string equal = same(e * r_, r_) + " & " + same(t_ * r_ + e, 1);
      if (position_bits_) equal += " & " + same(t_ * (r_ + 1) + e * position_bits_, position_bits_);
      claims.push_back(
          fmt::format("(~probe_valid | ~see_row_entries_q[{0}] | ({1} & (see_tag_equal[{0}] == ({2} == "
                      "probe_tag))))",
                      e, equal, fmt::format("(probe_set ? {} : {})", stored_tag(e, 1), stored_tag(e, 0))));
      const std::string count = fmt::format("see_row[{} +: {}]", e * r_, r_),
                        after = fmt::format("see_rc_after[{} +: {}]", e * r_, r_);
      rises.insert(rises.begin(), fmt::format("{} > {}", after, count));
      falls.insert(falls.begin(), fmt::format("{} < {}", after, count));
    }
    text += fmt::format("  wire {0}rises = {{{1}}};\n  wire {0}falls = {{{2}}};\n", range(t_),
                        fmt::join(rises, ", "), fmt::join(falls, ", "));
    return fmt::format("{}", fmt::join(claims, "\n    & "));
  }

  const hw::L1dParams& p_;
  const int w_, t_, r_, position_bits_;
  std::vector<std::pair<std::string, int>> seen_;
};

verif::Property property(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  Claims claims(p);
  const auto texts = claims.unit(fault);
  verif::Property out{
      .top = "property", .verilog = {claims.property()}, .flush_cycles = 1, .undefined_is_free = true};
  for (const auto& [name, text] : texts) out.verilog.push_back(text);
  return out;
}

hw::L1dParams small(int ways, hw::ReuseFilterParams reuse) {
  return {.line_bytes = 32,
          .capacity_bytes = sets * ways * 32,
          .ways = ways,
          .tags = hw::TagKind::reuse_filter,
          .reuse = reuse};
}

}  // namespace

TEST(ReuseFilterProof, LinesEntriesAndCountsAgree) {
  for (const hw::L1dParams& p :
       {small(2, {.ways = 4, .rc_bits = 2}),
        small(3, {.ways = 5, .rc_bits = 3, .tag_victim = hw::TagVictim::dataless_lfu, .follow = true}),
        small(4, {.ways = 4, .threshold = 3, .rc_bits = 2}),
        small(4, {.ways = 4, .threshold = 0, .rc_bits = 2, .tag_victim = hw::TagVictim::dataless_lfu}),
        small(1, {.ways = 4, .rc_bits = 2, .follow = true})}) {
    const auto result = verif::prove(property(p));
    EXPECT_TRUE(result.proven()) << gen::changed_settings(p) << "\n" << result.message;
    fmt::print("{} entries, {} data ways: {} by {}, {:.1f} s\n", p.reuse.ways, p.ways, result.message,
               result.engine, result.seconds);
  }
}

TEST(ReuseFilterProof, InjectedFaultsBreakIt) {
  const hw::L1dParams p = small(2, {.ways = 4, .rc_bits = 2});
  const verif::Fault faults[] = {
      {"loser_keeps_its_link", "", "row_after", "~unlinked", verif::high()},
      {"waiting_entry_replaced", "", "settled", "", verif::high()},
      {"counts_read_too_early", "", "row_beside_q", "", verif::low()},
      {"count_wraps", "", "raised_counts", "&reuse_counts[entry * 2 +: 2]", verif::low()},
      {"zero_ages", "", "aged_counts", "|reuse_counts[entry * 2 +: 2]", verif::high()},
      {"unused_entry_found", "", "found", "row_entries_q", verif::high()}};
  for (const verif::Fault& fault : faults)
    EXPECT_EQ(verif::prove(property(p, &fault)).outcome, verif::Outcome::counterexample) << fault.what;
}
