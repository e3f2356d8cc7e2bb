#include "hw/rtl/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace rtl {
namespace {

// IEEE 1364-2005, annex B.
constexpr std::string_view verilog_2005 =
    " always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default "
    "defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive "
    "endspecify endtable endtask event for force forever fork function generate genvar highz0 highz1 if "
    "ifnone "
    "incdir include initial inout input instance integer join large liblist library localparam macromodule "
    "medium "
    "module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge "
    "primitive "
    "pull0 pull1 pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release "
    "repeat "
    "rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 "
    "strong1 "
    "supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use "
    "uwire "
    "vectored wait wand weak0 weak1 while wire wor xnor xor ";

// IEEE 1800-2017, annex B: the words that it adds.
constexpr std::string_view systemverilog_2017 =
    " accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break "
    "byte "
    "chandle checker class clocking const constraint context continue cover covergroup coverpoint cross dist "
    "do "
    "endchecker endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence "
    "enum "
    "eventually expect export extends extern final first_match foreach forkjoin global iff ignore_bins "
    "illegal_bins implements implies import inside int interconnect interface intersect join_any join_none "
    "let "
    "local logic longint matches modport nettype new nexttime null package packed priority program property "
    "protected pure rand randc randcase randsequence ref reject_on restrict return s_always s_eventually "
    "s_nexttime s_until s_until_with sequence shortint shortreal soft solve static string strong struct "
    "super "
    "sync_accept_on sync_reject_on tagged this throughout timeprecision timeunit type typedef union unique "
    "unique0 "
    "until until_with untyped var virtual void wait_order weak wildcard with within ";

// ISO C++20 keywords and alternative tokens, and names that a Verilated model's class already has.
constexpr std::string_view cpp_20 =
    " alignas alignof and_eq asm auto bitand bitor bool catch char char8_t char16_t char32_t co_await "
    "co_return "
    "co_yield compl concept const_cast consteval constexpr constinit decltype delete double dynamic_cast "
    "explicit "
    "false float friend goto inline long mutable namespace noexcept not_eq nullptr operator or_eq private "
    "public "
    "register reinterpret_cast requires short signed sizeof static_assert static_cast switch template "
    "thread_local "
    "throw true try typeid typename using volatile wchar_t xor_eq "
    "context eval eval_step eval_end_step final name set trace ";

bool lists(std::string_view words, std::string_view word) {
  return words.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

}  // namespace

bool is_reserved(std::string_view word) {
  return lists(verilog_2005, word) || lists(systemverilog_2017, word) || lists(cpp_20, word);
}

std::string name_fault(std::string_view name) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty()) return "is empty";
  if (!lower(name[0]) || !std::ranges::all_of(name, [&](char c) { return lower(c) || digit(c) || c == '_'; }))
    return "is not lower snake case: a letter first, then letters, digits and single underscores";
  if (name.ends_with('_') || name.find("__") != std::string_view::npos)
    return "has a double or closing underscore, which tools use for their own names";
  if (is_reserved(name)) return "is a reserved word of Verilog, SystemVerilog or C++";
  return "";
}

bool legal_constant(std::string_view name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && upper(name[0]) && !name.ends_with('_') &&
         name.find("__") == std::string_view::npos &&
         std::ranges::all_of(name, [&](char c) { return upper(c) || digit(c) || c == '_'; });
}

bool legal_name(std::string_view name) { return name_fault(name).empty(); }

}  // namespace rtl
