#include "golden/gpu/system/packet_crossbar.h"

#include <utility>

namespace golden {

PacketCrossbar::PacketCrossbar(int inputs, int outputs, int queue)
    : queue_(static_cast<std::size_t>(queue)), inputs_(index(inputs)), outputs_(index(outputs)) {}

// The packet in front of the input begins, or ceases, to ask for its output.
void PacketCrossbar::ask(Input& input, int change) {
  if (!input.queue.empty()) outputs_[index(input.queue.front().to)].asked += change;
}

void PacketCrossbar::push(const MemoryPacket& packet) {
  Input& input = inputs_[index(packet.from)];
  input.queue.push_back(packet);
  ++waiting_;
  if (input.queue.size() == 1) ask(input, 1);
}

MemoryPacket PacketCrossbar::pop(int output) {
  auto& queue = outputs_[index(output)].queue;
  const MemoryPacket packet = queue.front();
  queue.pop_front();
  return packet;
}

void PacketCrossbar::match() {
  const int inputs = static_cast<int>(inputs_.size()), outputs = static_cast<int>(outputs_.size());
  for (int o = 0; o < outputs; ++o) {
    const Output& output = outputs_[index(o)];
    if (output.from != nobody || output.asked == 0 || output.queue.size() >= queue_) continue;
    for (int n = 0, i = output.grant; n < inputs; ++n, i = i + 1 == inputs ? 0 : i + 1) {
      Input& input = inputs_[index(i)];
      if (input.busy || input.queue.empty() || input.queue.front().to != o) continue;
      input.granted = o;  // an input asks for one output alone: every grant is accepted
      break;
    }
  }
  for (int i = 0; i < inputs; ++i) {
    Input& input = inputs_[index(i)];
    const int o = std::exchange(input.granted, nobody);
    if (o == nobody) continue;
    Output& output = outputs_[index(o)];
    output.from = i;
    output.left = input.queue.front().flits;
    output.grant = i + 1 == inputs ? 0 : i + 1;
    input.busy = true;
    --output.asked;
  }
}

void PacketCrossbar::move() {
  for (Output& output : outputs_) {
    if (output.from == nobody) continue;
    ++flits_;
    if (--output.left != 0) continue;
    Input& input = inputs_[index(output.from)];
    output.queue.push_back(input.queue.front());
    input.queue.pop_front();
    input.busy = false;
    output.from = nobody;
    --waiting_;
    ask(input, 1);
  }
}

void PacketCrossbar::tick() {
  if (waiting_ == 0) return;
  match();
  move();
}

}  // namespace golden
