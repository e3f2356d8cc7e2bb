#include "hw/check/answer_check.h"

#include <algorithm>

#include "hw/check/first_error.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

class AnswerCheckBuilder {
 public:
  AnswerCheckBuilder(const CheckedRequests& p, rtl::Module& m)
      : p_(p), m_(m), top_(p.one_class ? p.id_bits : p.id_bits - 1), chunks_(p.chunks) {}

  void run() {
    ports();
    m_.section("Requests in flight.");
    if (p_.one_class) {
      fetches_ = m_.reg("in_flight_q", 1 << p_.fetch_bits, 0, "requests in flight, by their ids");
    } else {
      fetches_ =
          m_.reg("fetches_q", 1 << p_.fetch_bits, 0, "fetches in flight, by the low bits of their ids");
      others_ = m_.reg("others_q", 1 << p_.core_bits, 0, "other requests in flight, by the core's ids");
    }
    m_.clocked("A response ends a request.", [&] {
      change(came_, came_id_, false);
      change(sent_, sent_id_, true);
    });
    compare();
    const auto late = late_request(m_, p_.timeout, row_bits(), [&](const Expr& id) { return in_flight(id); });
    keep_first_error(m_,
                     {{unasked_, ProtocolError::answer_unasked},
                      {other_mask_, ProtocolError::answer_mask},
                      {late, ProtocolError::answer_late}},
                     code_);
  }

 private:
  void ports() {
    sent_ = m_.input("sent", 1, "a request goes to memory at this edge");
    sent_id_ = m_.input("sent_id", row_bits(), "id of the request");
    sent_mask_ = m_.input("sent_mask", chunks_, "mask of its response");
    offered_ = m_.input("offered", 1, "memory offers a response");
    came_ = m_.input("came", 1, "the response is taken at this edge");
    came_id_ = m_.input("came_id", p_.id_bits, "id of the response");
    came_mask_ = m_.input("came_mask", chunks_, "mask of the response");
    code_ = m_.output("code", protocol_code_bits, "rule that was broken first; 0 for none");
  }

  static Expr of(const Expr& vector, const Expr& id, int bits) {
    return bits ? vector.at(id.slice(bits - 1, 0)) : vector;
  }
  Expr of_fetches(const Expr& id) const { return of(fetches_, id, p_.fetch_bits); }
  Expr of_others(const Expr& id) const { return of(others_, id, p_.core_bits); }

  void change(const Expr& when, const Expr& id, bool to) {
    if (p_.one_class) {
      m_.when(when, [&] { m_.set(of_fetches(id), lit(1, to)); });
      return;
    }
    const Expr other = id.bit(top_);
    m_.when(when & ~other, [&] { m_.set(of_fetches(id), lit(1, to)); });
    m_.when(when & other, [&] { m_.set(of_others(id), lit(1, to)); });
  }

  // A request with this id is in flight; unused upper bits are 0.
  Expr in_flight(const Expr& id) const {
    const auto known = [&](const Expr& bit, int bits) {
      const int above = std::min(top_, id.width());
      return bits < above ? bit & none(id.slice(above - 1, bits)) : bit;
    };
    if (p_.one_class) return known(of_fetches(id), p_.fetch_bits);
    return mux(id.bit(top_), known(of_others(id), p_.core_bits), known(of_fetches(id), p_.fetch_bits));
  }

  // The mask is read from a RAM, so that both comparisons are made a cycle later.
  void compare() {
    m_.section("A response against its request.");
    const Expr asked = m_.let("asked", in_flight(came_id_), "the response belongs to a request in flight");
    const Expr came = m_.reg("came_q", 1, 0, "a response was taken");
    const Expr was_asked = m_.data_reg("asked_q", 1, "the answer belonged to a request in flight");
    const Expr mask = m_.data_reg("came_mask_q", chunks_, "mask of that response");
    m_.clocked("The response that was taken.", [&] {
      m_.set(came, came_);
      m_.set(was_asked, asked);
      m_.set(mask, came_mask_);
    });
    const Expr asked_mask = m_.wire("asked_mask", chunks_, "mask of the right response");
    m_.instance(sram_1r1w(checked_ids(p_), chunks_), "masks",
                {{"read", offered_},
                 {"read_row", row_of(came_id_)},
                 {"read_data", asked_mask},
                 {"write", sent_},
                 {"write_row", sent_id_},
                 {"write_data", sent_mask_}},
                "Masks of responses, by ids.");
    unasked_ = m_.let("unasked", came & ~was_asked, "there is no request of its id");
    other_mask_ =
        m_.let("other_mask", came & was_asked & (mask != asked_mask), "the answer has another mask");
  }

  // Of an id, that distinguish requests.
  int row_bits() const { return p_.one_class ? p_.fetch_bits : p_.id_bits; }
  Expr row_of(const Expr& id) const { return row_bits() < p_.id_bits ? id.slice(row_bits() - 1, 0) : id; }

  const CheckedRequests& p_;
  rtl::Module& m_;
  const int top_, chunks_;
  Expr sent_, sent_id_, sent_mask_, offered_, came_, came_id_, came_mask_, code_;
  Expr fetches_, others_, unasked_, other_mask_;
};

}  // namespace

int checked_ids(const CheckedRequests& p) { return 1 << (p.one_class ? p.fetch_bits : p.id_bits); }
int checked_flops(const CheckedRequests& p) {
  return (1 << p.fetch_bits) + (p.one_class ? 0 : 1 << p.core_bits);
}

rtl::Module answer_check(const CheckedRequests& p, const std::string& name) {
  rtl::Module m(name, "Each response of memory belongs to a request in flight (this generator's checks).");
  AnswerCheckBuilder(p, m).run();
  return m;
}

}  // namespace hw
