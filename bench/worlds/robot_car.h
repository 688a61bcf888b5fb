#pragma once

// A simulated robot car that explores an office, and what its sensors report: logs for
// examples/robot-car-watch.poise. The setting is that of the experiments in Xu et al., "Detecting
// Faults in Context-Aware Adaptation", section 4.3: an office of 5.0 m by 3.5 m, sparse in its left
// half and dense in its right one, eight ultrasonic sensors, two at each side of the car, a reading
// of all sensors every 350 ms, and runs of two and a half minutes. The same options give the same
// log with every compiler and on every platform.
//
//   const RobotCarRun run = robot_car_run({.seed = 7});
//   for (const std::string& line : run.lines) out << line << '\n';
//
// The lines of a round have the same time. Between one that sets sweep.done to false and one that
// sets it to true come, in this order:
//
//   OC_all  a line for each ultrasonic sensor, with the distance in centimetres, 300 where no echo
//           comes back. When the sensor gives no reading at all, the line has no distance.
//   HS      only when the avoidance routine is called: how many seconds after its last call.
//   SP      a line for each of the two front wheels, with its speed in cm/s.
//
// How the sensors err, and why that matters to the rules:
//   - A beam is a cone, and a surface that it meets at a flat angle throws the echo away. Seen
//     aslant, a wall is near for one sensor of a side and out of sight for the other.
//   - Legs of chairs are thin: they are missed often, and the car runs into them. Then its wheels
//     stand still.
//   - Each reading has noise; some are lost; a few are the echo of another sensor's sound.
//
// The car does not know the monitor and its state. It has reflexes of its own, from its latest
// readings: it heads for one place of the room after the other, turns away from what is in front of
// it, drives slowly where anything is near, and backs off when its wheels stood still for a while.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace poise::bench {

struct RobotCarOptions {
  std::uint64_t seed = 1;
  std::chrono::milliseconds duration = std::chrono::seconds(150);
};

// Counts of what happened in a run.
struct RobotCarCounts {
  int rounds = 0;
  int no_reading = 0;  // readings of ultrasonic sensors that were lost
  int wrong_echo = 0;  // readings that were the echo of another sensor's sound
  int avoidance_calls = 0;
  int stuck = 0;        // times that the car had to back off
  int centimetres = 0;  // driven
  int rounds_in_left_half = 0;
};

struct RobotCarRun {
  // JSON Lines in the order of time, without the ends of the lines.
  std::vector<std::string> lines;
  RobotCarCounts counts;
};

[[nodiscard]] RobotCarRun robot_car_run(const RobotCarOptions& options);

}  // namespace poise::bench
