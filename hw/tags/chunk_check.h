// Check bits beside the chunks of a data store, and the check of what is read (docs/contracts/l1d-ecc.md).
#pragma once
#include "hw/ecc/secded_params.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The code of a chunk's words.
SecdedParams data_code(const TagParams& p);

// Check bits beside the data of a bank's row; 0 where the data RAM is not protected.
int check_bits_of_chunk(const TagParams& p);

// Bytes are written alone: each is a code word, and has its check bits directly above it.
bool has_words_of_bytes(const TagParams& p);
// The row of a bank: `data` with the check bits of its words, which are worked out here.
rtl::Expr protected_row(rtl::Module& m, const TagParams& p, const rtl::Expr& data);

// The check of the chunk read last, and with SECDED its correction a cycle later.
class ChunkCheck {
 public:
  ChunkCheck(const TagParams& p, rtl::Module& m);
  void run(const rtl::Expr& row, const rtl::Expr& read_data);

 private:
  bool corrects() const { return code_.code == EccCode::secded; }

  rtl::Expr data_of(const rtl::Expr& row) const;
  rtl::Expr check_of(const rtl::Expr& row) const;

  const SecdedParams code_;
  const bool of_bytes_;
  rtl::Module& m_;
  rtl::Expr corrects_, wrong_, uncorrectable_;
};

}  // namespace hw
