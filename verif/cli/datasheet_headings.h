// The headings of a datasheet that readers look for.
#pragma once
#include <string>
#include <vector>

#include "verif/cli/page_reader.h"

namespace verif {

// Headings that are missing, or have nothing below them.
inline std::vector<std::string> missing_headings(const std::string& page, bool has_technology) {
  std::vector<std::string> headings{"Block diagram",
                                    "Ports",
                                    "Timing diagrams",
                                    "Latency of a hit",
                                    "Behaviour when the MSHRs are full",
                                    "Bits of storage",
                                    "Gates",
                                    "Verification status",
                                    "Claims of the paper",
                                    "Instantiation",
                                    "Constraints",
                                    "Parameters",
                                    "How this page was made"};
  if (has_technology) headings.emplace_back("Energy of a miss");
  std::vector<std::string> missing;
  for (const std::string& heading : headings)
    if (below(page, heading).find_first_not_of(" \n") == std::string::npos) missing.push_back(heading);
  return missing;
}

}  // namespace verif
