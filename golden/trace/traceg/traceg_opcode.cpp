#include "golden/trace/traceg/traceg_opcode.h"

#include <algorithm>

namespace golden {

namespace {

using Space = TracegOpcode::Space;
using What = TracegOpcode::What;

struct Row {
  std::string_view name;
  AccessKind kind;
  Space space;
};

constexpr Row accesses[] = {
    {"LDG", AccessKind::load, Space::global},     {"LD", AccessKind::load, Space::generic},
    {"LDL", AccessKind::load, Space::local},      {"LDGSTS", AccessKind::load, Space::copy},
    {"STG", AccessKind::store, Space::global},    {"ST", AccessKind::store, Space::generic},
    {"STL", AccessKind::store, Space::local},     {"ATOM", AccessKind::atomic, Space::generic},
    {"ATOMG", AccessKind::atomic, Space::global}, {"RED", AccessKind::atomic, Space::generic},
    {"REDG", AccessKind::atomic, Space::global},
};

// Have addresses, or begin like opcodes with addresses, but stay in shared memory, in constants, textures and
// surfaces, or move no data.
constexpr std::string_view foreign[] = {
    "LDS",   "LDSM",      "STS",   "STSM",    "ATOMS", "REDS", "LDC",  "LDCU",  "LDTRAM",
    "REDUX", "LDGDEPBAR", "LDGMC", "LDT",     "LDTM",  "STT",  "STTM", "STAS",  "REDAS",
    "CCTL",  "CCTLL",     "CCTLT", "ARRIVES", "SYNCS", "SULD", "SUST", "SURED", "SUATOM",
    "TEX",   "TLD",       "TLD4",  "TMML",    "TXD",   "TXQ",  "QSPC", "MATCH"};

struct Width {
  std::string_view token;
  std::uint8_t bytes;
};

// Modifiers that say how many bytes a lane moves; the first one in the opcode counts.
constexpr Width widths[] = {
    {"U8", 1},    {"S8", 1},   {"U16", 2},   {"S16", 2},   {"U32", 4},    {"S32", 4},    {"U64", 8},
    {"S64", 8},   {"F32", 4},  {"F64", 8},   {"16", 2},    {"32", 4},     {"64", 8},     {"128", 16},
    {"U128", 16}, {"256", 32}, {"F16x2", 4}, {"F16x4", 8}, {"F16x8", 16}, {"BF16x2", 4}, {"BF16_V2", 4},
};

bool has_token(std::string_view modifiers, std::string_view wanted) {
  while (!modifiers.empty()) {
    const std::string_view token = modifiers.substr(0, modifiers.find('.'));
    if (token == wanted) return true;
    modifiers.remove_prefix(std::min(token.size() + 1, modifiers.size()));
  }
  return false;
}

std::uint8_t bytes_per_lane(std::string_view modifiers) {
  while (!modifiers.empty()) {
    const std::string_view token = modifiers.substr(0, modifiers.find('.'));
    for (const Width& width : widths)
      if (width.token == token) return width.bytes;
    modifiers.remove_prefix(std::min(token.size() + 1, modifiers.size()));
  }
  return 4;
}

}  // namespace

Operation traceg_operation(std::string_view opcode) {
  static constexpr std::string_view branches[] = {"BRA",  "BRX",      "JMP",   "JMX", "EXIT", "RET",
                                                  "CALL", "BSSY",     "BSYNC", "SSY", "SYNC", "BREAK",
                                                  "BRK",  "WARPSYNC", "KILL",  "BPT", "YIELD"};
  static constexpr std::string_view shared[] = {"LDS", "LDSM", "STS", "STSM", "ATOMS", "REDS", "LDC"};
  static constexpr std::string_view integers[] = {
      "FLO"};  // no floating-point instruction, for all its letter
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const auto one_of = [name](const auto& names) { return std::ranges::find(names, name) != std::end(names); };
  if (one_of(branches)) return Operation::branch;
  if (one_of(shared)) return Operation::shared;
  if (name == "MUFU") return Operation::sfu;
  if (one_of(integers)) return Operation::integer;
  if (name.starts_with("DADD") || name.starts_with("DMUL") || name.starts_with("DFMA") ||
      name.starts_with("DSETP") || name.starts_with("DMNMX"))
    return Operation::dp;
  const bool floating = name.starts_with('F') || name.starts_with("HADD") || name.starts_with("HMUL") ||
                        name.starts_with("HFMA") || name.starts_with("HSET") || name.starts_with("HMNMX");
  return floating ? Operation::fp : Operation::integer;
}

TracegOpcode traceg_opcode(std::string_view opcode) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const std::string_view modifiers = opcode.substr(std::min(name.size() + 1, opcode.size()));
  TracegOpcode out;
  if (const auto* row = std::ranges::find(accesses, name, &Row::name); row != std::end(accesses)) {
    out = {What::access, row->space, row->kind, bytes_per_lane(modifiers)};
    if (row->kind == AccessKind::load && has_token(modifiers, "STRONG") && has_token(modifiers, "GPU"))
      out.kind = AccessKind::non_l1;
  } else if (name == "BAR" && (has_token(modifiers, "SYNC") || has_token(modifiers, "RED"))) {
    out.what = What::barrier;
  } else if (std::ranges::find(foreign, name) == std::end(foreign)) {
    out.what = What::unknown;
  }
  return out;
}

}  // namespace golden
