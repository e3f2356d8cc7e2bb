#include "hw/remote/taken_requests.h"

#include "hw/remote/remote_node_params.h"

namespace hw {

using rtl::Expr, rtl::lit;

namespace {

constexpr std::uint64_t most_requests = (1u << open_bits) - 1;

void late_marks(rtl::Module& m, int line_bits) {
  const Expr marks = m.input("marks", 1, "the request is a store or an atomic"),
             line = m.input("line", line_bits, "block address of the core's request"),
             marked = m.output("marked", 1, "a store or an atomic was taken in the cycle before"),
             marked_line = m.output("marked_line", line_bits, "block address of that request");
  const Expr marks_q = m.reg("marks_q", 1, 0, "a store or an atomic was taken in the cycle before"),
             line_q = m.data_reg("line_q", line_bits, "block address of the request before");
  m.assign(marked, marks_q);
  m.assign(marked_line, line_q);
  m.clocked("Stores mark their lines a cycle later.", [&] { m.set(marks_q, marks); });
  m.clocked("The line of the core's request.", [&] { m.set(line_q, line); });
}

}  // namespace

rtl::Module taken_requests(int line_bits, const std::string& name) {
  rtl::Module m(name, "Requests of the core that its L1 takes (DC-L1 thesis, chapter 3).");
  const Expr entered = m.input("entered", 1, "a request is taken"),
             answered = m.input("answered", 1, "an answer is taken"),
             none = m.output("none_open", 1, "no request is open"),
             most = m.output("most_open", 1, "no more requests may be open");
  if (line_bits) late_marks(m, line_bits);
  const Expr open_q = m.reg("open_q", open_bits, 0, "requests without an answer in the cycle before"),
             entered_q = m.reg("entered_q", 1, 0, "a request was taken in that cycle"),
             answered_q = m.reg("answered_q", 1, 0, "a request was answered in that cycle");
  const Expr same = m.let("as_many", ~(entered_q ^ answered_q), "as many are open as before");
  const auto are = [&](std::uint64_t number) { return open_q == lit(open_bits, number); };
  m.assign(none, (are(0) & same) | (are(1) & answered_q & ~entered_q));
  m.assign(most, (are(most_requests) & same) | (are(most_requests - 1) & entered_q & ~answered_q));
  m.clocked("Count the open ones.", [&] {
    m.set(entered_q, entered);
    m.set(answered_q, answered);
    m.when(entered_q & ~answered_q, [&] { m.set(open_q, open_q + lit(open_bits, 1)); }).otherwise([&] {
      m.when(answered_q & ~entered_q, [&] { m.set(open_q, open_q - lit(open_bits, 1)); });
    });
  });
  return m;
}

}  // namespace hw
