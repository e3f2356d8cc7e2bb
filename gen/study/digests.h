// What results depend on in this program, by content; the build writes both (cmake/Digests.cmake).
#pragma once

namespace gen {

extern const char* const simulation_digest;  // of the models, and of what drives and compares them
extern const char* const synthesis_digest;   // of the recipe, and of what reads its reports

}  // namespace gen
