// Waiting loads and queued requests whose rows have flipped bits, in the cycle of an L1 data cache
// (docs/contracts/l1d-ecc.md, "Waiting loads and queued requests").
#include <bit>

#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::protect_rows(const hw::L1dParams& params) {
  const unsigned line_bits =
      static_cast<unsigned>(params.address_bits - std::countr_zero(static_cast<unsigned>(params.line_bytes)));
  mshrs_.protect(params.ecc.mshr, core_id_bits_ + chunks_, hw::protects_data(params.ecc) ? line_bits : 0);
  queue_.protect(params.ecc.mshr,
                 static_cast<unsigned>(params.pc_bits) + 2 + id_bits_ + 1 + line_bits + chunks_,
                 9 * static_cast<unsigned>(params.line_bytes));
  first_id_bit_ = chunks_ + line_bits;
}

// A late load has the output for one cycle alone; who stays can wait.
void CycleL1d::show_rows() {
  const bool late = recovery_ && out_.ecc_uncorrectable;
  load_reports_ = mshrs_.stuck() && !load_reported_ && !late;
  request_reports_ = queue_.stuck() && !request_reported_ && !late && !load_reports_;
  out_.ecc_corrected = (recovery_ && out_.ecc_corrected) || load_corrected_ || queue_.corrected();
  if (load_reports_)
    out_.ecc_uncorrectable_id =
        mshrs_.replayed().id ^ mshrs_.target_rows()->wrong_bits(chunks_, core_id_bits_);
  if (request_reports_) {
    const std::uint64_t id =
        queue_.front()->id ^ queue_.request_rows()->wrong_bits(first_id_bit_, core_id_bits_);
    out_.ecc_uncorrectable_id = id & ~std::uint64_t{0} >> (64 - core_id_bits_);
  }
  out_.ecc_uncorrectable = late || load_reports_ || request_reports_;
}

void CycleL1d::step_rows() {
  load_reported_ |= load_reports_;
  request_reported_ |= request_reports_;
  load_corrected_ = now_.granted == AnswerStage::replay && mshrs_.corrected();
}

ProtectedRows* CycleL1d::rows_of(RowArray array) {
  switch (array) {
    case RowArray::targets:
      return mshrs_.target_rows();
    case RowArray::waiting_lines:
      return mshrs_.line_rows();
    case RowArray::queued_requests:
      return queue_.request_rows();
    case RowArray::queued_payloads:
      return queue_.payload_rows();
  }
  return nullptr;
}

bool CycleL1d::shows_row(RowArray array) const {
  if (array == RowArray::targets || array == RowArray::waiting_lines) return mshrs_.replays();
  return queue_.front() && (array == RowArray::queued_requests || queue_.carries());
}

}  // namespace golden
