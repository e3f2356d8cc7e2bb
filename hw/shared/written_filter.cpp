#include "hw/shared/written_filter.h"

#include <fmt/format.h>

#include "hw/geometry_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/require.h"
#include "hw/rtl/optional.h"
#include "hw/shared/shared_ranges.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

int block_bits(const WrittenFilterParams& p) { return p.address_bits - bits_to_number(p.line_bytes); }

class WrittenFilterBuilder {
 public:
  WrittenFilterBuilder(const WrittenFilterParams& p, const std::string& name)
      : p_(p),
        rows_(written_rows(p)),
        row_number_bits_(bits_to_number(rows_)),
        column_bits_(bits_to_number(written_row_bits)),
        m_(name,
           fmt::format("Filter of {} bits over the lines that a core has stored to past their homes (DC-L1 "
                       "thesis, chapter 4).",
                       1 << p.filter_bits)) {}

  rtl::Module run() {
    ports();
    hash();
    clearing();
    request();
    memory();
    m_.observe("clears", clears_q_);
    m_.observe("row", cleared_q_);
    return m_;
  }

 private:
  void ports() {
    clear_ = m_.input("clear", 1, "all bits become 0");
    valid_ = m_.input("request_valid", 1, "a request");
    ready_ = m_.output("request_ready", 1, "the request transfers");
    mark_ = m_.input("request_mark", 1, "the request marks the line; else it asks");
    block_ = m_.input("request_block_address", block_bits(p_), "the line");
    odd_ = m_.input("request_odd", 1, "lowest bit of the line's set");
    written_ = m_.output("written", 1, "a line of this bit was marked; in the cycle after the request");
  }

  // The fold of the bits above the lowest, which `odd` stands for.
  void hash() {
    m_.unused("unused_lowest", block_.bit(0), "the lowest bit of the set stands in the place of this one");
    index_ = m_.let("index", written_index(p_, block_, odd_), "bit of the line: row and position in it");
  }

  void clearing() {
    m_.section("Clearing.");
    clears_q_ = m_.reg("clears_q", 1, 1, "a row is cleared in this cycle");
    cleared_q_ = m_.reg("row_q", row_number_bits_, 0, "the row that is cleared");
    m_.assign(ready_, ~clears_q_);
    m_.clocked("Row by row, after a reset, too.", [&] {
      m_.when(clear_, [&] {
          m_.set(clears_q_, lit(1, 1));
          m_.set(cleared_q_, lit(row_number_bits_, 0));
        }).otherwise([&] {
        m_.when(clears_q_, [&] {
          m_.set(clears_q_, ~rtl::all(cleared_q_));
          m_.set(cleared_q_, cleared_q_ + lit(row_number_bits_, 1));
        });
      });
    });
  }

  Expr row_of(const Expr& index) const { return index.slice(p_.filter_bits - 1, column_bits_); }

  void request() {
    m_.section("The request, in the cycle after it.");
    takes_ = m_.let("takes", valid_ & ~clears_q_, "a request transfers");
    marks_q_ = m_.reg("marks_q", 1, 0, "the bit of the request is set in this cycle");
    at_q_ = m_.data_reg("at_q", p_.filter_bits, "bit of the request");
    again_q_ = m_.data_reg("again_q", 1, "the row was written while the request read it");
    newer_q_ = m_.data_reg("newer_q", written_row_bits, "the row as it was written then");
    m_.clocked("A mark that meets a clear is lost with it.", [&] { m_.set(marks_q_, takes_ & mark_); });
  }

  void memory() {
    const Expr read = m_.wire("read", written_row_bits, "the request's row, as the RAM has it");
    const Expr row = m_.let("row", mux(again_q_, newer_q_, read), "the request's row");
    const Expr bit = one_hot_of(m_, "place", at_q_.slice(column_bits_ - 1, 0), written_row_bits,
                                "the request's bit of the row");
    m_.assign(written_, rtl::any(row & bit));
    const Expr marked = m_.let("marked", row | bit, "the row with the bit");
    m_.clocked("Keep the request, and a row that it would read too early.", [&] {
      m_.when(takes_, [&] {
        m_.set(at_q_, index_);
        m_.set(again_q_, marks_q_ & (row_of(at_q_) == row_of(index_)));
        m_.set(newer_q_, marked);
      });
    });
    m_.instance(sram_1r1w(rows_, written_row_bits), "filter",
                {{"read", takes_},
                 {"read_row", row_of(index_)},
                 {"write", clears_q_ | marks_q_},
                 {"write_row", mux(clears_q_, cleared_q_, row_of(at_q_))},
                 {"write_data", marked & replicate(written_row_bits, ~clears_q_)},
                 {"read_data", read}},
                "The bits.");
  }

  const WrittenFilterParams& p_;
  const int rows_, row_number_bits_, column_bits_;
  rtl::Module m_;
  Expr clear_, valid_, ready_, mark_, block_, odd_, written_;
  Expr index_, clears_q_, cleared_q_, takes_, marks_q_, at_q_, again_q_, newer_q_;
};

}  // namespace

void check(const WrittenFilterParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(SharedRanges::filter_bits, "shared.filter_bits", p.filter_bits, "use 13");
  require(p.filter_bits <= block_bits(p), "shared.filter_bits", p.filter_bits,
          fmt::format("must not exceed the {} bits of a block address", block_bits(p)),
          fmt::format("use {}", block_bits(p)));
}

Expr written_index(const WrittenFilterParams& p, const Expr& block_address, const Expr& odd) {
  const int fold_bits = p.filter_bits - 1, above = block_bits(p) - 1;
  rtl::Optional fold;
  for (int low = 1; low <= above; low += fold_bits) {
    const int high = std::min(low + fold_bits - 1, above);
    fold ^= zext(block_address.slice(high, low), fold_bits);
  }
  return cat({*fold, odd});
}

rtl::Module written_filter(const WrittenFilterParams& p, const std::string& name) {
  check(p);
  return WrittenFilterBuilder(p, name).run();
}

}  // namespace hw
