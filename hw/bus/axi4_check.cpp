#include "hw/bus/axi4_check.h"

#include <optional>

#include "hw/bus/axi4_read_order_params.h"
#include "hw/check/first_error.h"
#include "hw/prim/fifo.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

class Axi4CheckBuilder {
 public:
  Axi4CheckBuilder(const Axi4BridgeParams& p, rtl::Module& m)
      : p_(p), m_(m), place_bits_(axi_id_bits(p)), id_bits_(axi_read_id_bits(p)) {}

  void run() {
    ports();
    const Expr writes = write_responses();
    if (id_bits_)
      reads_of_ids();
    else
      reads_in_order();
    std::optional<Expr> reading;
    if (p_.check.timeout) reading = reads_by_slot();
    const auto late = late_request(m_, p_.check.timeout, place_bits_,
                                   [&](const Expr& slot) { return writes.at(slot) | reading->at(slot); });
    keep_first_error(m_,
                     {{unasked_write_, ProtocolError::write_unasked},
                      {unasked_read_, ProtocolError::read_unasked},
                      {wrong_last_, ProtocolError::read_last},
                      {late, ProtocolError::answer_late}},
                     code_);
  }

 private:
  void ports() {
    write_sent_ = m_.input("write_sent", 1, "address and data of a write are sent at this edge");
    read_sent_ = m_.input("read_sent", 1, "a read is sent at this edge");
    sent_place_ = m_.input("sent_place", place_bits_, "slot of the request that is sent");
    if (id_bits_)
      read_id_ = m_.input("read_id", id_bits_, "ID of the read that is sent");
    else
      read_two_ = m_.input("read_two", 1, "the read that is sent has two beats");
    b_ = m_.input("b", 1, "a B is taken at this edge");
    bid_ = m_.input("bid", place_bits_, "ID of the B");
    r_ = m_.input("r", 1, "an R is taken at this edge");
    rid_ = m_.input("rid", place_bits_, "ID of the R");
    rlast_ = m_.input("rlast", 1, "the last beat of a read");
    if (p_.check.timeout) r_place_ = m_.input("r_place", place_bits_, "slot of the read that it belongs to");
    code_ = m_.output("code", protocol_code_bits, "rule that was broken first; 0 for none");
  }

  Expr write_responses() {
    m_.section("Writes.");
    const Expr writes = m_.reg("writes_q", p_.requests, 0, "writes in flight, by slots");
    m_.clocked("A B ends a write.", [&] {
      m_.when(b_, [&] { m_.set(writes.at(bid_), lit(1, 0)); });
      m_.when(write_sent_, [&] { m_.set(writes.at(sent_place_), lit(1, 1)); });
    });
    unasked_write_ = m_.let("unasked_write", b_ & ~writes.at(bid_), "there is no write of this ID");
    return writes;
  }

  // Each read has one beat.
  void reads_of_ids() {
    m_.section("Reads.");
    const int width = rtl::clog2(static_cast<std::uint64_t>(p_.requests) + 1);
    const Expr reads = m_.reg("reads_q", axi_read_ids(p_) * width, 0, "reads in flight, of each ID");
    const Expr came = id_bits_ == place_bits_ ? rid_ : rid_.slice(id_bits_ - 1, 0);
    m_.clocked("An R ends a read.", [&] {
      m_.loop("id", axi_read_ids(p_), [&](const Expr& id) {
        const Expr number = id.slice(id_bits_ - 1, 0), count = reads.part(id, width);
        m_.set(count, count + rtl::zext(read_sent_ & (read_id_ == number), width) -
                          rtl::zext(r_ & (came == number), width));
      });
    });
    Expr asked = rtl::any(reads.part(came, width));
    if (id_bits_ < place_bits_) asked = asked & none(rid_.slice(place_bits_ - 1, id_bits_));
    unasked_read_ = m_.let("unasked_read", r_ & ~asked, "there is no read of this ID");
    wrong_last_ = m_.let("wrong_last", r_ & ~rlast_, "each read has one beat");
  }

  // All reads have one ID, and one beat or two.
  void reads_in_order() {
    m_.section("Reads, in the order in which they were sent.");
    const Expr second = m_.reg("second_q", 1, 0, "the first beat of two has come");
    const Expr two = m_.wire("two", 1, "the oldest read has two beats");
    const Expr asked = m_.wire("asked", 1, "a read is in flight");
    const Expr not_full = m_.wire("not_full", 1, "never full: as many entries as requests");
    const Expr last = m_.let("last", ~two | second, "the beat that comes is its last");
    m_.instance(fifo(p_.requests, 1), "order",
                {{"in_valid", read_sent_},
                 {"in_ready", not_full},
                 {"in_data", read_two_},
                 {"out_valid", asked},
                 {"out_ready", r_ & last},
                 {"out_data", two}},
                "How many beats each has.");
    m_.unused("unused_not_full", not_full, "never full");
    m_.clocked("Beats of the oldest.", [&] { m_.when(r_, [&] { m_.set(second, ~last); }); });
    unasked_read_ = m_.let("unasked_read", r_ & ~(asked & none(rid_)), "there is no read of this ID");
    wrong_last_ = m_.let("wrong_last", r_ & (rlast_ ^ last), "the last beat is another one");
  }

  Expr reads_by_slot() {
    m_.section("Reads, by slots.");
    const Expr reading = m_.reg("reading_q", p_.requests, 0, "slots whose read is in flight");
    m_.clocked("The last R ends it.", [&] {
      m_.when(r_ & rlast_, [&] { m_.set(reading.at(r_place_), lit(1, 0)); });
      m_.when(read_sent_, [&] { m_.set(reading.at(sent_place_), lit(1, 1)); });
    });
    return reading;
  }

  const Axi4BridgeParams& p_;
  rtl::Module& m_;
  const int place_bits_, id_bits_;
  Expr write_sent_, read_sent_, sent_place_, read_id_, read_two_, b_, bid_, r_, rid_, rlast_, r_place_, code_;
  Expr unasked_write_, unasked_read_, wrong_last_;
};

}  // namespace

rtl::Module axi4_check(const Axi4BridgeParams& p, const std::string& name) {
  rtl::Module m(name, "Each B and each R belongs to a write or a read in flight (this generator's checks).");
  Axi4CheckBuilder(p, m).run();
  return m;
}

}  // namespace hw
