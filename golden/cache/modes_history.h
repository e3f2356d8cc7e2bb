// How the modes that sampling sets chose are written down.
#pragma once
#include "golden/cache/history.h"

namespace golden {

inline History modes_history() {
  return {.name = "mode_history",
          .key = "mode",
          .title = "mode of its loads",
          .words = {"fine", "coarse"},
          .of_all = true};
}

}  // namespace golden
