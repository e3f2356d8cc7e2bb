// Twelve requests of eight cores, and who serves them in each kind of topology, worked out by hand: 4 nodes,
// 4 slices of 256 bytes in turn, 2 clusters. Line 0 has slice 0 and line 300 slice 3; clusters have two
// nodes, the first for slices 0 and 1.
#pragma once
#include <array>
#include <string>

namespace verif {

inline const std::string environment_requests =
    "0 L 0 1\n"    // core 0 brings line 0
    "5 L 0 1\n"    // core 5 is in the other cluster
    "1 L 0 1\n"    // core 1 shares a node with core 0
    "0 L 0 1\n"    //
    "4 L 300 f\n"  //
    "0 L 300 1\n"  //
    "2 S 0 3\n"    // core 2 is in the cluster of core 0, in another pair
    "1 L 0 2\n"    //
    "0 L 0 1\n"    //
    "5 A 300 1\n"  // core 5 shares a node with core 4
    "4 L 300 1\n"  //
    "7 N 200 f\n";

struct EnvironmentAnswer {
  const char* kind;
  const char* dump;  // core node slice result
  int hits, misses, store_invalidations;
  int foreign;      // misses whose line another cache holds
  double replicas;  // in the end
  std::array<int, 4> slice_requests;
};

inline constexpr std::array environment_answers{
    // Cores 0, 1, 5 and 4 hold line 0, 0, 0 and 300; core 0 also 300.
    EnvironmentAnswer{"baseline",
                      "0 -1 0 M\n5 -1 0 M\n1 -1 0 M\n0 -1 -1 H\n4 -1 3 M\n0 -1 3 M\n2 -1 0 s\n1 -1 -1 H\n"
                      "0 -1 -1 H\n5 -1 3 a\n4 -1 -1 H\n7 -1 2 n\n",
                      4,
                      5,
                      0,
                      3,
                      1.5,
                      {4, 0, 1, 3}},
    // Nodes 0 and 2 hold both lines; the atomic took line 300 from node 2 for a while.
    EnvironmentAnswer{"private_nodes",
                      "0 0 0 M\n5 2 0 M\n1 0 -1 H\n0 0 -1 H\n4 2 3 M\n0 0 3 M\n2 1 0 s\n1 0 -1 H\n0 0 -1 H\n"
                      "5 2 3 a\n4 2 3 M\n7 3 2 n\n",
                      4,
                      5,
                      1,
                      3,
                      1.0,
                      {3, 0, 1, 4}},
    // One node a slice: the store and the atomic find the only copy.
    EnvironmentAnswer{"shared_nodes",
                      "0 0 0 M\n5 0 -1 H\n1 0 -1 H\n0 0 -1 H\n4 3 3 M\n0 3 -1 H\n2 0 0 s\n1 0 0 M\n0 0 -1 H\n"
                      "5 3 3 a\n4 3 3 M\n7 2 2 n\n",
                      5,
                      4,
                      2,
                      0,
                      0.0,
                      {3, 0, 1, 3}},
    // Each cluster has a copy of both.
    EnvironmentAnswer{"clustered",
                      "0 0 0 M\n5 2 0 M\n1 0 -1 H\n0 0 -1 H\n4 3 3 M\n0 1 3 M\n2 0 0 s\n1 0 0 M\n0 0 -1 H\n"
                      "5 3 3 a\n4 3 3 M\n7 3 2 n\n",
                      3,
                      6,
                      2,
                      4,
                      1.0,
                      {4, 0, 1, 4}},
    // The caches of the baseline, behind relays where the nodes would be.
    EnvironmentAnswer{"cdxbar",
                      "0 0 0 M\n5 2 0 M\n1 0 0 M\n0 0 -1 H\n4 3 3 M\n0 1 3 M\n2 0 0 s\n1 0 -1 H\n0 0 -1 H\n"
                      "5 3 3 a\n4 3 -1 H\n7 3 2 n\n",
                      4,
                      5,
                      0,
                      3,
                      1.5,
                      {4, 0, 1, 3}},
};

}  // namespace verif
