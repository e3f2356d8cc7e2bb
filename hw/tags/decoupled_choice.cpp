#include "hw/tags/decoupled_choice.h"

#include <fmt/format.h>

#include "hw/tags/decoupled_way.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::mux, rtl::replicate;

class Choice {
 public:
  Choice(const TagParams& p, const std::string& name)
      : p_(p),
        ways_(p.ways),
        tags_(p.decoupled.tags_per_way),
        entries_(decoupled_entries(p)),
        m_(name,
           fmt::format("Chooses one of {} tags for a line without a tag (DSC of the TSC paper).", entries_)) {
  }

  rtl::Module run() {
    used_ = m_.input("used", entries_, "tags that stand for a line");
    waits_ = m_.input("waits", entries_, "lines with a position on its way or waited for");
    const bool by_way = p_.decoupled.victim == DecoupledVictim::way;
    if (by_way) hurt_ = m_.input("hurt", entries_, "lines with a chunk where the new line has one");
    blocked_ = m_.input("blocked", ways_, "ways where a position for the new line may not be overwritten");
    if (by_way && tags_ > 1)
      ages_ = m_.input("ages", entries_ * bits_to_number(entries_), "ages of the tags, 0 is the youngest");
    if (entries_ > 1) older_ = m_.input("older", entries_ * entries_, "for each tag the older ones");
    chosen_ = m_.output("chosen", entries_, "the tag, one-hot");
    some_ = m_.output("some", 1, "some tag may be taken");
    if (by_way)
      cheapest_way();
    else
      lowest_or_oldest();
    return m_;
  }

 private:
  // The lowest way where nobody loses anything, else the one whose loser used last was used longest ago.
  void cheapest_way() {
    const Expr offered = m_.wire("offered", entries_, "the offer of each way, one-hot");
    const Expr some = m_.wire("offers", ways_, "ways that offer something");
    const Expr free = m_.wire("free", ways_, "ways where nobody loses anything by that");
    const Expr youngest = m_.wire("youngest", entries_, "the loser used last of each of the others");
    const int bits = bits_to_number(entries_);
    const rtl::Module offer = decoupled_offer(p_, m_.name() + "_offer");
    m_.repeat("way", ways_, "A way each.", [&](const Expr& w) {
      std::vector<std::pair<std::string, Expr>> pins{{"used", used_.part(w, tags_)},
                                                     {"waits", waits_.part(w, tags_)},
                                                     {"hurt", hurt_.part(w, tags_)},
                                                     {"blocked", blocked_.at(w)}};
      if (tags_ > 1) pins.emplace_back("ages", ages_.part(w, tags_ * bits));
      pins.insert(pins.end(), {{"offered", offered.part(w, tags_)},
                               {"some", some.at(w)},
                               {"free", free.at(w)},
                               {"youngest", youngest.part(w, tags_)}});
      m_.instance(offer, "offer", pins, "Offer of the way.");
    });
    const Expr first = lowest_of(m_, "first_free", free, "the lowest way that costs nothing");
    const Expr least = oldest_of(m_, "least", youngest, older_, "of these losers the one used longest ago");
    const Expr way = m_.wire("chosen_way", ways_, "the way, one-hot");
    const Expr costs = m_.let("costs", ~rtl::any(free), "somebody loses chunks");
    m_.comb("The tag of that way.", [&] {
      m_.loop("taken_way", ways_, [&](const Expr& w) {
        m_.set(way.at(w), mux(costs, rtl::any(least.part(w, tags_)), first.at(w)));
        m_.set(chosen_.part(w, tags_), offered.part(w, tags_) & replicate(tags_, way.at(w)));
      });
    });
    m_.assign(some_, rtl::any(some));
  }

  // At any cost for others: the lowest tag without a line, by number in its way and then by way, else the
  // oldest of the set.
  void lowest_or_oldest() {
    const Expr open = m_.wire("open", entries_, "tags that may be taken");
    m_.comb("Tags without a busy position, in ways without one at a missed position.", [&] {
      m_.loop("way", ways_, [&](const Expr& w) {
        m_.set(open.part(w, tags_), ~(waits_.part(w, tags_) | replicate(tags_, blocked_.at(w))));
      });
    });
    const Expr idle = m_.let("idle", open & ~used_, "tags of these without a line");
    const Expr oldest = oldest_of(m_, "oldest", open, older_, "the one used longest ago");
    std::vector<Expr> of_tag, any;
    for (int j = 0; j < tags_; ++j) {
      std::vector<Expr> bits;  // most significant first
      for (int w = ways_ - 1; w >= 0; --w) bits.push_back(idle.bit(w * tags_ + j));
      const Expr of_ways =
          m_.let(fmt::format("idle{}", j), cat(bits), fmt::format("ways whose tag {} is so", j));
      of_tag.push_back(lowest_of(m_, fmt::format("lowest{}", j), of_ways, "the lowest of them"));
      any.insert(any.begin(), rtl::any(of_ways));
    }
    const Expr some = m_.let("some_idle", cat(any), "tags of which some way has none without a line");
    const Expr tag = lowest_of(m_, "lowest_tag", some, "the lowest such tag, counted in each way");
    const Expr lowest = m_.wire("lowest", entries_, "the lowest tag without a line");
    for (int w = 0; w < ways_; ++w)
      for (int j = 0; j < tags_; ++j)
        m_.assign(lowest.bit(w * tags_ + j), of_tag[static_cast<std::size_t>(j)].bit(w) & tag.bit(j));
    m_.assign(chosen_, mux(rtl::any(idle), lowest, oldest));
    m_.assign(some_, rtl::any(open));
  }

  const TagParams p_;
  const int ways_, tags_, entries_;
  rtl::Module m_;
  Expr used_, waits_, hurt_, blocked_, ages_, older_, chosen_, some_;
};

}  // namespace

rtl::Module decoupled_choice(const TagParams& p, const std::string& name) { return Choice(p, name).run(); }

}  // namespace hw
