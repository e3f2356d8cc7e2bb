// The table of tag organisations.
#pragma once
#include <memory>

#include "hw/tags/tag_store.h"

namespace hw {

struct TagOrganisation {
  TagKind kind;
  const char* name;     // in a cache's description
  bool compares_first;  // tags are compared in a stage of its own before the probe stage
  std::unique_ptr<TagStore> (*make)(const TagSocket&);
};

const TagOrganisation& tag_organisation(TagKind kind);

}  // namespace hw
