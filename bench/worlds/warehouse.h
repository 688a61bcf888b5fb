#pragma once

// A simulated warehouse, and what its sensors report: logs for examples/stock-tracker.poise, of any
// length. A forklift carries boxes from the loading bay to the storage bay, over and over. The
// figures are those of the experiments in Xu et al., "Detecting Faults in Context-Aware
// Adaptation", section 4.2, where the paper gives any. The same options give the same log with
// every compiler and on every platform.
//
//   const WarehouseRun run = warehouse_run({.seed = 7, .transports = 50});
//   for (const std::string& line : run.lines) out << line << '\n';
//
// One task of a forklift, and the lines that it leaves:
//
//   loading     The forklift stands on the plate of the loading bay (R_load down) and its pallet is
//               within the gate, which reads the pallet once a second (T_load) and each box as it
//               is put on (B_load). The gate reads the pallet a last time as it passes out, then
//               the plate comes up (R_load up).
//   way out     In the second half of the way, gates of other bays are near. They read a box by
//               accident: a cross reading (B_gate).
//   unloading   The plate of the storage bay goes down (R_stor down), then its gate reads the
//               pallet (T_stor) and the boxes in any order (B_stor), all but the missing readings.
//               The application discards a cross reading as soon as the box is read here, which
//               takes its element out of B_gate. Then control says that the reading is over
//               (C_stor go).
//   checks      With more power the gate reads the missing boxes one by one (B_stor). The forklift
//               leaves (R_stor up) and control takes its word back (C_stor wait).
//   way back    The forklift comes back with its pallet, unless other work gets in between:
//               - The forklift is used elsewhere. Mostly someone else brings the pallet to the
//                 loading bay, shortly before the forklift comes; else the forklift brings it.
//               - The pallet is used elsewhere. The forklift comes back without it, waits, and
//                 leaves again to fetch it.
//
// From leaving the loading bay to being back, a task takes 20 to 60 seconds; other work adds to it.
// Three situations make the rules of the example fail, and WarehouseCounts says how often each
// arose:
//
//   - The forklift leaves the loading bay to fetch a pallet that was last read 60 seconds ago or
//     earlier. Both start_transporting and save_energy are triggered.
//   - The application fell asleep because it did not see the pallet for 60 seconds, and the pallet
//     comes back before the forklift. start_loading is followed by start_transporting at once,
//     because the last report of the plate is that the forklift is gone.
//   - Control says that the reading is over while boxes are missing. start_unloading_2 is followed
//     by missing_reading_occurred at once.

#include <cstdint>
#include <string>
#include <vector>

namespace poise::bench {

// How several forklifts that work at the same time appear in the log.
enum class Forklifts : std::uint8_t {
  Instances,  // each with an application of its own: `app` is "forklift-1", "forklift-2", ...
  Convoy,     // they go together and share one application, which has no name. Their boxes are read
              // at the same time, so that readings are closer together and windows hold more.
};

struct WarehouseOptions {
  std::uint64_t seed = 1;
  int transports = 50;  // tasks of each forklift
  int scale = 1;        // so many forklifts
  Forklifts forklifts = Forklifts::Instances;
  int boxes = 50;             // that a forklift carries at a time
  int cross_readings = 50;    // per mille of the boxes
  int missing_readings = 50;  // likewise
  int forklift_used = 100;    // elsewhere, per mille of the ways back
  int pallet_used = 100;      // likewise, where the forklift is not
};

// Counts of what happened, over all forklifts. A convoy counts as one.
struct WarehouseCounts {
  int transports = 0;
  int boxes = 0;
  int cross_readings = 0;
  int missing_readings = 0;
  int forklift_used = 0;
  int pallet_used = 0;
  // The situations above, by the windows of examples/stock-tracker.poise.
  int left_without_pallet = 0;
  int pallet_came_first = 0;
  int proceeded_with_missing = 0;
};

struct WarehouseRun {
  // JSON Lines in the order of time, without the ends of the lines.
  std::vector<std::string> lines;
  WarehouseCounts counts;
};

[[nodiscard]] WarehouseRun warehouse_run(const WarehouseOptions& options);

}  // namespace poise::bench
