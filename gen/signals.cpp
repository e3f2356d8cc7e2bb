#include "gen/signals.h"

#include "gen/files.h"
#include "gen/process.h"
#include "verif/lockstep/harness/ending_signals.h"

namespace gen {

void clean_up_on_signals() {
  verif::on_ending_signals([] {
    end_children();  // first, so that they write nothing more
    remove_temporary_folders();
  });
}

}  // namespace gen
