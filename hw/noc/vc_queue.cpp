#include "hw/noc/vc_queue.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

class VcQueueBuilder {
 public:
  VcQueueBuilder(const CrossbarParams& p, const rtl::Size& width, rtl::Module& m)
      : p_(p),
        m_(m),
        depth_(p.vc_depth),
        port_bits_(rtl::clog2(static_cast<std::uint64_t>(p.outputs))),
        width_(width) {}

  void run() {
    push_ = m_.input("push", 1, "a flit enters");
    pop_ = m_.input("pop", 1, "the front leaves; only with `holds`");
    head_ = m_.input("head", 1, "the flit is the first of its packet");
    const Expr tail = m_.input("tail", 1, "the flit is the last of its packet");
    std::vector<Expr> control{tail};
    if (port_bits_ > 0)
      control.push_back(m_.input("destination", port_bits_, "output of its packet, on a head"));
    const Expr word = m_.input("word", width_, "side and data");
    const Expr holds = m_.output("holds", 1, "there is a flit in front");
    const Expr heads = m_.output("heads", p_.outputs, "output that a head in front is for, one-hot");
    const Expr last = m_.output("last", 1, "the front is the last flit of its packet");
    const Expr front = m_.output("front", width_, "side and data of the front");
    valid_ = m_.reg("valid_q", depth_, 0, "as many ones as flits, from bit 0 on");
    m_.observe("held", valid_);
    m_.assign(holds, at(0));
    if (p_.outputs > 1)
      m_.assign(m_.output("empty", 1, "there is none, from a register of its own"), empty());
    keep_control(control.size() == 1 ? tail : cat(control), heads, last);
    keep_words(word, front);
  }

 private:
  Expr at(int k) const { return depth_ == 1 ? valid_ : valid_.bit(k); }

  // What the outputs wait for longest, once more: a register for all of them would drive a tree of buffers.
  Expr empty() {
    const Expr empty = m_.reg("empty_q", 1, 1, "there is no flit");
    m_.clocked("Whether there is none.", [&] {
      m_.when(push_ & ~pop_, [&] { m_.set(empty, lit(1, 0)); }).otherwise([&] {
        m_.when(pop_ & ~push_, [&] { m_.set(empty, depth_ == 1 ? lit(1, 1) : ~at(1)); });
      });
    });
    return empty;
  }

  // Which output a head is for; nothing for other flits.
  Expr decoded(const Expr& head, const Expr& control) const {
    if (port_bits_ == 0) return head;
    std::vector<Expr> bits;
    for (int j = p_.outputs - 1; j >= 0; --j)
      bits.push_back(head & (control.slice(port_bits_ - 1, 0) == lit(port_bits_, static_cast<unsigned>(j))));
    return cat(bits);
  }
  Expr tail_of(const Expr& control) const { return port_bits_ == 0 ? control : control.bit(port_bits_); }

  void count() {
    m_.clocked("Count the flits.", [&] {
      m_.when(push_ & ~pop_, [&] {
          m_.set(valid_, depth_ == 1 ? lit(1, 1) : cat({valid_.slice(depth_ - 2, 0), lit(1, 1)}));
        }).otherwise([&] {
        m_.when(pop_ & ~push_, [&] {
          m_.set(valid_, depth_ == 1 ? lit(1, 0) : cat({lit(1, 0), valid_.slice(depth_ - 1, 1)}));
        });
      });
    });
  }

  // What follows a tail is a head, so only the one that enters an empty queue is looked at.
  void keep_control(const Expr& in, const Expr& heads, const Expr& last) {
    const int bits = in.width();
    const Expr front_heads = m_.reg("front_heads_q", p_.outputs, 0, "output of the head in front, decoded");
    const Expr front_last = m_.data_reg("front_last_q", 1, "the front is the last of its packet");
    std::vector<Expr> behind;  // tail, destination
    for (int k = 1; k < depth_; ++k)
      behind.push_back(m_.data_reg(fmt::format("control{}_q", k), bits,
                                   fmt::format("tail and destination, {} behind the front", k)));
    m_.assign(heads, front_heads);
    m_.assign(last, front_last);
    const Expr entering = m_.let("entering", in, "control of the flit that enters");
    Expr next = entering, next_head = head_, comes = push_;
    if (depth_ > 1) {
      next = m_.let("next", mux(at(1), behind[0], entering), "control of the flit that comes to the front");
      next_head =
          m_.let("next_head", mux(at(1), front_last, head_), "the next flit is a head: it follows a tail");
      comes = m_.let("comes", at(1) | push_, "there is one");
    }
    count();
    m_.clocked("Decode what comes to the front.", [&] {
      m_.when(pop_ | ~at(0),
              [&] { m_.set(front_heads, decoded(next_head, next) & replicate(p_.outputs, comes)); });
    });
    m_.clocked("Move the control of the flits towards the front.", [&] {
      m_.when(pop_ | ~at(0), [&] { m_.set(front_last, tail_of(next)); });
      for (int k = 1; k < depth_; ++k) {
        const bool end = k + 1 == depth_;
        m_.when(end ? ~at(k) : pop_ | ~at(k), [&] {
          const std::size_t n = static_cast<std::size_t>(k);
          m_.set(behind[n - 1], end ? entering : mux(at(k + 1), behind[n], entering));
        });
      }
    });
  }

  // A ring: nothing moves, so that an entry costs a flop, its enable and an input of the read multiplexer.
  void keep_words(const Expr& word, const Expr& front) {
    std::vector<Expr> entry;
    for (int d = 0; d < depth_; ++d)
      entry.push_back(
          m_.data_reg(fmt::format("word{}_q", d), width_, fmt::format("side and data, slot {}", d)));
    if (depth_ == 1) {
      m_.assign(front, entry[0]);
      m_.clocked("Keep the word.", [&] { m_.when(push_, [&] { m_.set(entry[0], word); }); });
      return;
    }
    const Expr write = m_.reg("write_q", depth_, 1, "slot of the next flit that enters, one-hot");
    const Expr read = m_.reg("read_q", depth_, 1, "slot of the front, one-hot");
    Expr chosen = entry[0] & replicate(width_, read.bit(0));
    for (int d = 1; d < depth_; ++d)
      chosen = chosen | (entry[static_cast<std::size_t>(d)] & replicate(width_, read.bit(d)));
    m_.assign(front, chosen);
    const auto turned = [&](const Expr& place) {
      return cat({place.slice(depth_ - 2, 0), place.bit(depth_ - 1)});
    };
    const Expr load = m_.let("load", write & replicate(depth_, push_), "slot that takes the flit, one-hot");
    // Not the complement of `load`, which would cost a multiplexer: the next slot is free unless all are
    // taken.
    const Expr hold =
        m_.let("hold", ~write | replicate(depth_, at(depth_ - 1)), "slots that keep what they hold");
    m_.clocked("Go round the slots.", [&] {
      m_.when(push_, [&] { m_.set(write, turned(write)); });
      m_.when(pop_, [&] { m_.set(read, turned(read)); });
    });
    m_.clocked("Keep the words.", [&] {
      for (int d = 0; d < depth_; ++d)
        m_.set(entry[static_cast<std::size_t>(d)],
               (word & replicate(width_, load.bit(d))) |
                   (entry[static_cast<std::size_t>(d)] & replicate(width_, hold.bit(d))));
    });
  }

  const CrossbarParams& p_;
  rtl::Module& m_;
  int depth_, port_bits_;
  rtl::Size width_;
  Expr push_, pop_, head_, valid_;
};

}  // namespace

int word_bits(const CrossbarParams& p) { return 8 * p.flit_bytes + p.side_bits; }

rtl::Module vc_queue(const CrossbarParams& p, const rtl::Size& width) {
  rtl::Module m(
      fmt::format("vc_queue_o{}_d{}_w{}", p.outputs, p.vc_depth, width.value()),
      fmt::format("One input VC of a crossbar: up to {} flits (DC-L1 thesis, chapter 5).", p.vc_depth));
  m.cell(fmt::format("vc_queue_o{}_d{}", p.outputs, p.vc_depth));
  VcQueueBuilder(p, m.parameter("WIDTH", width, 8, "side and data of a flit"), m).run();
  return m;
}

}  // namespace hw
