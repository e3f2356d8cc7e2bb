// What results depend on in this program, by content without comments; the build writes them
// (cmake/Digests.cmake).
#pragma once

namespace gen {

extern const char* const exploration_digest;  // of the models that `explore` runs, and of it
extern const char* const simulation_digest;   // of all models, and of what drives and compares them
extern const char* const synthesis_digest;    // of the recipe, and of what reads its reports
extern const char* const networks_digest;     // of the synthesis, and of what adds up the parts of a network
extern const char* const energy_digest;       // of the simulation, of the synthesis and of what counts energy

}  // namespace gen
