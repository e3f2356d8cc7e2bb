// The table of tag organisations.
#pragma once
#include <memory>

#include "hw/tags/tag_store.h"

namespace hw {

struct TagOrganisation {
  TagKind kind;
  const char* name;     // in a cache's description
  const char* key;      // as a value of tags.kind
  bool compares_first;  // tags are compared in a stage of their own before the tag-lookup stage
  // Throws ParamError when none can be built from the parameters.
  void (*check)(const TagParams&, int tag_bits);
  std::unique_ptr<TagStore> (*make)(const TagSocket&);
};

const TagOrganisation& tag_organisation(TagKind kind);

// Validity bits a line.
int valid_bits(const TagParams& p);
// Memory returns a line's chunks apart from each other; of sectored tags, where a line has several.
bool comes_in_parts(const TagParams& p);

}  // namespace hw
