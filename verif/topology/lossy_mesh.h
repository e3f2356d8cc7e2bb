// A mesh that loses, stalls and confuses messages as they leave it.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "golden/topology/fabric.h"

namespace verif {

class LossyMesh final : public golden::Fabric {
 public:
  using Message = golden::Message;
  // Of 256 messages that may suffer, so many are lost, come up to 300 cycles later, and are confused.
  struct Rates {
    unsigned lost = 0, late = 0, confused = 0;
  };
  struct Damage {
    Rates rates = {};
    std::function<bool(const Message&)> may = {};  // suffer
    std::function<void(Message&)> confuse = {};
  };

  LossyMesh(std::unique_ptr<Fabric> sound, int outputs, Damage damage, std::uint64_t seed)
      : sound_(std::move(sound)),
        damage_(std::move(damage)),
        draw_(seed),
        outputs_(static_cast<std::size_t>(outputs)) {}

  bool fast() const override { return sound_->fast(); }
  void begin() override {
    sound_->begin();
    for (std::size_t n = 0; n < outputs_.size(); ++n) begin(outputs_[n], sound_->out(static_cast<int>(n)));
  }
  bool drive(int input, const Message* message, int destination) override {
    return sound_->drive(input, message, destination);
  }
  bool taken(int input) const override { return sound_->taken(input); }
  const Message* out(int output) const override {
    const auto& shown = outputs_[static_cast<std::size_t>(output)].shown;
    return shown ? &*shown : nullptr;
  }
  void set_ready(int output, bool ready) override {
    Output& o = outputs_[static_cast<std::size_t>(output)];
    o.ready = ready;
    sound_->set_ready(output, o.gone() || (ready && !o.shows_late));
  }
  void edge(golden::Edge edge) override {
    for (std::size_t n = 0; n < outputs_.size(); ++n) leave(outputs_[n], sound_->out(static_cast<int>(n)));
    sound_->edge(edge);
    ++now_;
  }
  void reset() override {
    sound_->reset();
    for (Output& o : outputs_) o = {};
  }

  // Messages that were lost, late or confused.
  std::int64_t suffered() const { return suffered_; }

 private:
  enum class Fate { unknown, whole, lost, late, confused };
  struct Late {
    std::int64_t due = 0;
    Message message = {};
  };
  struct Output {
    Fate fate = Fate::unknown;  // of the message that the sound mesh shows
    bool ready = false, shows_late = false;
    std::optional<Message> shown = {};  // stays until the next cycle
    std::deque<Late> late = {};

    bool gone() const { return fate == Fate::lost || fate == Fate::late; }
  };

  Fate fate() {
    const auto n = static_cast<unsigned>(draw_() % 256);
    const auto& [lost, late, confused] = damage_.rates;
    const Fate drawn = n < lost                     ? Fate::lost
                       : n < lost + late            ? Fate::late
                       : n < lost + late + confused ? Fate::confused
                                                    : Fate::whole;
    suffered_ += drawn != Fate::whole;
    return drawn;
  }

  void begin(Output& o, const Message* sound) {
    if (sound && o.fate == Fate::unknown) o.fate = damage_.may(*sound) ? fate() : Fate::whole;
    o.ready = false;
    o.shown.reset();
    if (sound && !o.gone()) o.shown = *sound;
    if (o.shown && o.fate == Fate::confused) damage_.confuse(*o.shown);
    o.shows_late = !o.shown && !o.late.empty() && o.late.front().due <= now_;
    if (o.shows_late) o.shown = o.late.front().message;
  }

  void leave(Output& o, const Message* sound) {
    if (o.shows_late && o.ready) o.late.pop_front();
    if (!sound || !(o.gone() || o.ready)) return;
    if (o.fate == Fate::late) o.late.push_back({now_ + static_cast<int>(draw_() % 300), *sound});
    o.fate = Fate::unknown;
  }

  std::unique_ptr<Fabric> sound_;
  const Damage damage_;
  std::mt19937_64 draw_;
  std::vector<Output> outputs_;
  std::int64_t now_ = 0, suffered_ = 0;
};

}  // namespace verif
