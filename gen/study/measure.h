// What a study can measure: each kind is a row of a table, with the command that measures it and where its
// figures stand in that command's JSON.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gen/study/digests.h"
#include "gen/unit/unit.h"

namespace gen {

enum class MeasureInputs { none, traces, recordings };

// A key of a measure's table.
struct MeasureKey {
  std::string key, flag;  // "sms" becomes "--sms"
  std::string (*fault)(
      std::string value);  // what the command would say against its flag; nothing if it is right
};

struct MeasureKind {
  std::string name;                            // [measure.NAME]
  std::string command;                         // of l1forge
  std::vector<std::string> flags = {};         // behind the unit
  std::string input_flag = {};                 // before the inputs
  MeasureInputs inputs = MeasureInputs::none;  // what it runs on
  std::vector<MeasureKey> keys = {};
  std::string rows = {};                // list of rows in the result; empty: the result is one row
  std::vector<std::string> shown = {};  // figures of tables and charts, dotted
  std::vector<std::string> whole = {};  // figures of the result that stand in each of its rows
  const char* const* program = &exploration_digest;  // of the sources that its results depend on
  bool parameters = true;                            // depends on those of the configuration
  bool verilog = false;                              // depends on the Verilog
};

std::span<const MeasureKind> measure_kinds();

// One that a study asks for.
struct Measure {
  std::string name, place;
  const MeasureKind* kind;
  std::vector<std::string> flags = {};  // of its keys: "--sms", "4"
  std::vector<std::string> only = {};   // plots on whose front a configuration must be; empty: every one
  std::vector<std::string> vary = {};   // keys in which it may differ from one on the front
  std::vector<std::string> grids = {};  // whose configurations are measured; empty: all

  bool takes(const std::string& grid) const;
};

// The figures of a result: an object for each row.
std::vector<nlohmann::ordered_json> rows_of(const MeasureKind& kind, const nlohmann::ordered_json& result);

// Lists are for a command's own reports and for expressions; a row of a table has no cell for them.
nlohmann::ordered_json without_lists(const nlohmann::ordered_json& row);

// "traffic.bytes_down" of a row; none where it has no such number.
std::optional<double> figure_of(const nlohmann::ordered_json& row, const std::string& name);

}  // namespace gen
