// The sections of a datasheet, each as HTML under its heading.
#pragma once
#include <string>

#include "gen/config/catalogue.h"
#include "gen/config/config.h"
#include "gen/datasheet/measured.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"

namespace gen {

struct Sheet {
  const Config& config;
  const Unit& unit;
  const Measured& measured;

  const Preset& preset() const { return preset_named(config.preset); }
  // It keeps misses in MSHRs, or a part of it does.
  bool has_mshrs() const { return config.resolved.contains("mshr.merges"); }
  bool is_cache() const { return config.params.holds<hw::L1dParams>(); }
  bool is_topology() const { return config.params.holds<hw::TopologyParams>(); }
};

// A heading with what stands below it.
std::string section(const std::string& heading, const std::string& body);
std::string paragraph(const std::string& text);

// What the unit is.
std::string about_section(const Sheet& sheet);
std::string ports_section(const Sheet& sheet);
std::string parameters_section(const Sheet& sheet);

// What it does.
std::string latency_section(const Sheet& sheet);
std::string mshrs_section(const Sheet& sheet);
std::string kernels_section(const Sheet& sheet);

// What it takes.
std::string storage_section(const Sheet& sheet);
std::string gates_section(const Sheet& sheet);
// Nothing where no technology was given.
std::string energy_section(const Sheet& sheet);
// Gates of the unit; of a topology those of its networks.
double gates_of(const Measured& measured);
// Its longest path in ns; 0: none was measured.
double path_of(const Measured& measured);

// What is known of it.
std::string verification_section(const Sheet& sheet);
std::string claims_section(const Sheet& sheet);

// How it is used.
std::string use_section(const Sheet& sheet);
std::string constraints_section(const Sheet& sheet);

}  // namespace gen
