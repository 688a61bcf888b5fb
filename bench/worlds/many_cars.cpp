#include "bench/worlds/many_cars.h"

#include <fmt/format.h>

#include "poise/base/random.h"

namespace poise::bench {

namespace {

constexpr std::string_view kWorld = R"(model ManyCars

sense disF : real 0..400 error -6..6 gauss 2
sense disB : real 0..400 error -6..6 gauss 2
sense disL : real 0..400 error -6..6 gauss 2
sense disR : real 0..400 error -6..6 gauss 2
var   unit : real = 10   error -5..5 gauss 2.5

action walkF: disF' == disF - unit and disB' == disB + unit
action walkB: disB' == disB - unit and disF' == disF + unit
action turnL: disF' == disL and disL' == disB and disB' == disR and disR' == disF
action turnR: disF' == disR and disR' == disB and disB' == disL and disL' == disF

failure bump: disF <= 0 after walkF, disB <= 0 after walkB

)";

class Writer {
 public:
  explicit Writer(const ManyCars& which) : which_(which), random_(which.seed) {}

  std::string text() {
    const bool dense = which_.paths == Paths::Dense;
    parts_ = which_.rules / (dense ? 4 : 5);
    text_ = kWorld;
    for (std::size_t i = 0; i < parts_; ++i) {
      text_ += fmt::format("state S{}{}\n", i, i == 0 ? " initial" : "");
      if (!dense) text_ += fmt::format("state A{0}, B{0}, C{0}\n", i);
    }
    for (std::size_t i = 0; i < parts_; ++i) {
      if (dense) {
        decide(i);
      } else {
        look_once(i);
      }
    }
    return text_;
  }

 private:
  // One rule of each part leads to the next part, so that all states are reached.
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) % parts_; }
  std::size_t somewhere() { return random_.below(parts_); }

  // The free distance that a rule asks for before so many steps: 6 cm for the error of the sensor,
  // 15 for each step, and some more.
  std::string room(std::size_t steps) {
    const std::size_t least = 6 + 15 * steps;
    const bool too_few = which_.margins == Margins::Unsafe && random_.below(4) == 0;
    return too_few ? std::to_string(least - 1)
                   : fmt::format("{}.5", least + random_.below(which_.varied));
  }

  void decide(std::size_t i) {
    const std::string ahead = room(1);
    const std::string left = room(1);
    const std::string right = room(1);
    const std::string back = which_.margins == Margins::Safe ? " and disB >= " + room(1) : "";
    text_ += fmt::format("\nrule ahead{0}: S{0} -> S{1}\n  when disF >= {2}\n  do walkF\n", i,
                         random_.coin() ? i : somewhere(), ahead);
    text_ += fmt::format(
        "rule left{0}: S{0} -> S{1}\n  when disF < {2} and disL >= {3}\n  do turnL, walkF, turnL\n",
        i, next(i), ahead, left);
    text_ += fmt::format(
        "rule right{0}: S{0} -> S{1}\n  when disF < {2} and disL < {3} and disR >= {4}\n"
        "  do turnR, walkF, turnR\n",
        i, somewhere(), ahead, left, right);
    text_ += fmt::format(
        "rule back{0}: S{0} -> S{1}\n  when disF < {2} and disL < {3} and disR < {4}{5}\n"
        "  do walkB\n",
        i, somewhere(), ahead, left, right, back);
  }

  void look_once(std::size_t i) {
    const std::string ahead = room(2);
    text_ += fmt::format("\nrule go{0}: S{0} -> A{0}\n  when disF >= {1}\n  do walkF\n", i, ahead);
    text_ += fmt::format("rule turn{0}: S{0} -> S{1}\n  when disF < {2}\n  do {3}\n", i,
                         somewhere(), ahead, random_.coin() ? "turnL" : "turnR");
    text_ += fmt::format("rule on{0}: A{0} -> B{0}\n  when true\n  do walkF\n", i);
    text_ += fmt::format("rule rest{0}: B{0} -> C{0}\n  when true\n", i);
    text_ += fmt::format("rule next{0}: C{0} -> S{1}\n  when true\n", i, next(i));
  }

  ManyCars which_;
  Random random_;
  std::size_t parts_ = 0;
  std::string text_;
};

}  // namespace

std::string car(const ManyCars& which) { return Writer(which).text(); }

}  // namespace poise::bench
