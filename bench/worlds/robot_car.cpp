#include "bench/worlds/robot_car.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/random.h"

namespace poise::bench {
namespace {

// Geometry is done in whole micrometres and degrees, so that no platform rounds differently. x
// points to the right, y up, and angles turn to the left.
using Length = std::int64_t;

struct Point {
  Length x;
  Length y;
};

struct Rectangle {
  Length left;
  Length bottom;
  Length right;
  Length top;
};

constexpr Length operator""_mm(unsigned long long millimetres) {
  return static_cast<Length>(millimetres) * 1000;
}
constexpr Length operator""_cm(unsigned long long centimetres) {
  return static_cast<Length>(centimetres) * 10'000;
}

// ---- The office. The passages of the right half are 60 to 95 cm wide.
constexpr Rectangle kRoom{0, 0, 500_cm, 350_cm};
constexpr auto kFurniture = std::to_array<Rectangle>({
    {0_cm, 300_cm, 90_cm, 350_cm},     // left half: a cabinet
    {120_cm, 0_cm, 220_cm, 45_cm},     // and another
    {300_cm, 90_cm, 350_cm, 180_cm},   // right half: a desk,
    {430_cm, 0_cm, 500_cm, 130_cm},    // a desk,
    {300_cm, 275_cm, 400_cm, 350_cm},  // a desk
    {460_cm, 225_cm, 500_cm, 350_cm},  // and a cabinet
    {395_cm, 190_cm, 399_cm, 194_cm},  // the legs of a chair between them
    {429_cm, 190_cm, 433_cm, 194_cm},
    {395_cm, 220_cm, 399_cm, 224_cm},
    {429_cm, 220_cm, 433_cm, 224_cm},
    {255_cm, 290_cm, 259_cm, 294_cm},  // the legs of a chair beside a desk
    {289_cm, 290_cm, 293_cm, 294_cm},
    {255_cm, 320_cm, 259_cm, 324_cm},
    {289_cm, 320_cm, 293_cm, 324_cm},
});
constexpr Length kMiddle = 250_cm;

// ---- The car: a disc for whatever it runs into.
constexpr Length kRadius = 13_cm;
constexpr Length kHalfTrack = 9_cm;  // a front wheel is so far from the middle line
constexpr Point kStart{110_cm, 170_cm};
constexpr Rectangle kGoals{50_cm, 50_cm, 450_cm, 300_cm};  // places that it heads for
constexpr int kStepsPerRound = 7;
constexpr int kStepsPerSecond = 20;
constexpr std::chrono::milliseconds kRound{350};
static_assert(kRound * kStepsPerSecond == std::chrono::seconds(kStepsPerRound));

struct Sensor {
  std::string_view name;
  Length ahead;   // where it sits on the car, from the centre
  Length aside;   // to the left
  int direction;  // where it looks, in degrees from straight ahead
};
constexpr auto kSensors = std::to_array<Sensor>({
    {"front_left", 12_cm, 6_cm, 0},
    {"front_right", 12_cm, -6_cm, 0},
    {"left_front", 6_cm, 9_cm, 90},
    {"left_rear", -6_cm, 9_cm, 90},
    {"right_front", 6_cm, -9_cm, 270},
    {"right_rear", -6_cm, -9_cm, 270},
    {"rear_left", -12_cm, 6_cm, 180},
    {"rear_right", -12_cm, -6_cm, 180},
});

// ---- Ultrasonic sensors.
constexpr std::array kBeam{-20, -10, 0, 10, 20};  // the rays that stand for the cone, in degrees
constexpr int kEchoWithin = 35;                   // degrees from a right angle with the surface
constexpr int kFarthest = 300;                    // centimetres
constexpr int kNoise = 7;                         // millimetres, for each of three draws
constexpr int kNoReading = 20;                    // per mille
constexpr int kWrongEcho = 6;                     // per mille
constexpr int kWrongEchoFrom = 15;                // centimetres
constexpr int kWrongEchoTo = 150;

// ---- Wheels. Speeds are centimetres per second.
constexpr int kFast = 40;
constexpr int kSlow = 15;
constexpr int kCreeping = 4;
constexpr int kBackwards = -12;
constexpr int kWheelNoise = 8;  // tenths, while the wheel turns

// ---- Reflexes, in centimetres and in degrees per round.
constexpr int kTooClose = 25;  // turns on the spot
constexpr int kAhead = 50;     // turns while it drives
constexpr int kNear = 60;      // drives slowly
constexpr int kGrazing = 35;   // leaves some room at its sides
constexpr int kTurnOnSpot = 24;
constexpr int kTurn = 12;
constexpr int kSidestep = 10;
constexpr int kDrift = 2;
constexpr int kGoalFrom = 25;  // rounds after which it heads for another place of the room
constexpr int kGoalTo = 60;
constexpr int kOnCourse = 8;  // degrees from the goal that it does not mind
constexpr int kPatience = 6;  // rounds with still wheels before it backs off
constexpr int kBackRounds = 5;

bool chance(Random& random, int permille) {
  return static_cast<int>(random.below(1000)) < permille;
}

// Both ends included.
template <class Integer>
Integer drawn(Random& random, Integer low, Integer high) {
  return low + static_cast<Integer>(random.below(static_cast<std::uint64_t>(high - low) + 1));
}

// ---- Directions.

constexpr Length kUnit = 1 << 14;

// Sines and cosines of whole degrees, times kUnit. Libraries differ in the last bits of a sine.
// That does not matter here, because no product is close to where rounding changes its mind.
class Directions {
 public:
  Directions() {
    for (std::size_t i = 0; i < sines_.size(); ++i) {
      const double radians = static_cast<double>(i) * std::numbers::pi / 180;
      sines_[i] = std::lround(std::sin(radians) * static_cast<double>(kUnit));
    }
  }

  [[nodiscard]] Length sine(int degrees) const {
    return sines_[static_cast<std::size_t>(((degrees % 360) + 360) % 360)];
  }
  [[nodiscard]] Length cosine(int degrees) const { return sine(degrees + 90); }

  [[nodiscard]] Point moved(Point from, int degrees, Length by) const {
    return {from.x + by * cosine(degrees) / kUnit, from.y + by * sine(degrees) / kUnit};
  }

 private:
  std::array<Length, 360> sines_;
};

// ---- What is in the way.

bool overlaps(Point centre, const Rectangle& thing) {
  const Length dx = centre.x - std::clamp(centre.x, thing.left, thing.right);
  const Length dy = centre.y - std::clamp(centre.y, thing.bottom, thing.top);
  return dx * dx + dy * dy < kRadius * kRadius;
}

bool is_free(Point centre) {
  return centre.x >= kRoom.left + kRadius && centre.x <= kRoom.right - kRadius &&
         centre.y >= kRoom.bottom + kRadius && centre.y <= kRoom.top - kRadius &&
         std::ranges::none_of(kFurniture,
                              [&](const Rectangle& thing) { return overlaps(centre, thing); });
}

// A ray from a point, and the nearest surface that it met.
class Ray {
 public:
  Ray(const Directions& directions, Point from, int degrees)
      : from_(from),
        dx_(directions.cosine(degrees)),
        dy_(directions.sine(degrees)),
        echo_(directions.cosine(kEchoWithin)) {}

  // Surfaces parallel to the y axis: the span from `low` to `high` at x.
  void meet_vertical(Length x, Length low, Length high) {
    meet(x - from_.x, dx_, from_.y, dy_, low, high);
  }
  void meet_horizontal(Length y, Length low, Length high) {
    meet(y - from_.y, dy_, from_.x, dx_, low, high);
  }

  // None when nothing is there, or it throws the echo away.
  [[nodiscard]] std::optional<Length> echo() const { return echoes_ ? distance_ : std::nullopt; }

 private:
  void meet(Length apart, Length along, Length at, Length across, Length low, Length high) {
    if (along == 0 || (apart < 0) != (along < 0)) return;
    const Length distance = apart * kUnit / along;
    const Length crossing = at + distance * across / kUnit;
    if (crossing < low || crossing > high) return;
    if (distance_ && *distance_ <= distance) return;
    distance_ = distance;
    echoes_ = std::abs(along) >= echo_;
  }

  Point from_;
  Length dx_;
  Length dy_;
  Length echo_;
  std::optional<Length> distance_;
  bool echoes_ = false;
};

std::optional<Length> echo(const Directions& directions, Point from, int degrees) {
  Ray ray(directions, from, degrees);
  const auto meet = [&](const Rectangle& thing) {
    ray.meet_vertical(thing.left, thing.bottom, thing.top);
    ray.meet_vertical(thing.right, thing.bottom, thing.top);
    ray.meet_horizontal(thing.bottom, thing.left, thing.right);
    ray.meet_horizontal(thing.top, thing.left, thing.right);
  };
  meet(kRoom);
  for (const Rectangle& thing : kFurniture) meet(thing);
  return ray.echo();
}

// ---- The car.

enum class Side : std::uint8_t { Left, Right };

class Car {
 public:
  explicit Car(std::uint64_t seed)
      : random_(seed), heading_(drawn(random_, 0, 359)), place_(kStart) {
    POISE_CHECK(is_free(place_));
    distances_.fill(kFarthest);
  }

  void round(std::chrono::milliseconds now) {
    now_ = now;
    ++counts_.rounds;
    counts_.rounds_in_left_half += place_.x < kMiddle;
    write(R"("set": {{"sweep.done": false}})");
    read_distances();
    decide();
    report_wheels();
    write(R"("set": {{"sweep.done": true}})");
    drive();
  }

  RobotCarRun run() && { return {std::move(lines_), counts_}; }

 private:
  void read_distances() {
    for (std::size_t i = 0; i < kSensors.size(); ++i) {
      if (chance(random_, kNoReading)) {
        ++counts_.no_reading;
        write(R"("add": "OC_all", "value": {{"sensor": "{}"}})", kSensors[i].name);
        continue;
      }
      distances_[i] = reading(kSensors[i]);
      write(R"("add": "OC_all", "value": {{"sensor": "{}", "distance": {}}})", kSensors[i].name,
            distances_[i]);
    }
  }

  int reading(const Sensor& sensor) {
    if (chance(random_, kWrongEcho)) {
      ++counts_.wrong_echo;
      return drawn(random_, kWrongEchoFrom, kWrongEchoTo);
    }
    Point at = directions_.moved(place_, heading_, sensor.ahead);
    at = directions_.moved(at, heading_ + 90, sensor.aside);
    std::optional<Length> nearest;
    for (const int ray : kBeam) {
      const auto met = echo(directions_, at, heading_ + sensor.direction + ray);
      if (met && (!nearest || *met < *nearest)) nearest = met;
    }
    if (!nearest) return kFarthest;
    Length noisy = *nearest;
    for (int i = 0; i < 3; ++i) noisy += drawn(random_, -kNoise, kNoise) * 1_mm;
    return static_cast<int>(std::clamp<Length>((noisy + 5_mm) / 1_cm, 0, kFarthest));
  }

  [[nodiscard]] int nearest(std::string_view side) const {
    int least = kFarthest;
    for (std::size_t i = 0; i < kSensors.size(); ++i) {
      if (kSensors[i].name.starts_with(side)) least = std::min(least, distances_[i]);
    }
    return least;
  }

  // What the car does until the next round.
  void decide() {
    if (still_rounds_ >= kPatience) begin_to_back_off();
    if (back_rounds_ > 0) {
      --back_rounds_;
      speed_ = kBackwards;
      turn_ = towards(away_, kTurn);
      return;
    }
    const int front = nearest("front");
    const int left = nearest("left");
    const int right = nearest("right");
    speed_ = std::min({front, left, right}) < kNear ? kSlow : kFast;
    if (front < kAhead) {
      avoid(front, left, right);
      return;
    }
    avoiding_ = false;
    if (std::min(left, right) < kGrazing) {
      turn_ = towards(left < right ? Side::Right : Side::Left, kSidestep);
    } else {
      turn_ = turn_to_goal() + drawn(random_, -kDrift, kDrift);
    }
  }

  void begin_to_back_off() {
    ++counts_.stuck;
    still_rounds_ = 0;
    back_rounds_ = kBackRounds;
    away_ = random_.coin() ? Side::Left : Side::Right;
  }

  int turn_to_goal() {
    if (goal_rounds_-- == 0) {
      goal_rounds_ = drawn(random_, kGoalFrom, kGoalTo);
      goal_.x = drawn(random_, kGoals.left, kGoals.right);
      goal_.y = drawn(random_, kGoals.bottom, kGoals.top);
    }
    const Length dx = goal_.x - place_.x;
    const Length dy = goal_.y - place_.y;
    const Length cosine = directions_.cosine(heading_);
    const Length sine = directions_.sine(heading_);
    const Length ahead = dx * cosine + dy * sine;
    const Length aside = dy * cosine - dx * sine;
    if (ahead > 0 && std::abs(aside) * kUnit < ahead * directions_.sine(kOnCourse)) return 0;
    return towards(aside > 0 ? Side::Left : Side::Right, kTurn);
  }

  // The side is chosen when something comes in sight, and kept until nothing is: else the car would
  // swing to and fro in a corner.
  void avoid(int front, int left, int right) {
    if (!avoiding_) away_ = left > right ? Side::Left : Side::Right;
    avoiding_ = true;
    call_avoidance();
    if (front < kTooClose) {
      speed_ = kCreeping;
      turn_ = towards(away_, kTurnOnSpot);
    } else {
      turn_ = towards(away_, kTurn);
    }
  }

  void call_avoidance() {
    ++counts_.avoidance_calls;
    const auto since = called_ ? std::min(now_ - *called_, kLongSince) : kLongSince;
    called_ = now_;
    write(R"("add": "HS", "value": {{"after": {}.{:02}}})", since.count() / 1000,
          since.count() % 1000 / 10);
  }

  static int towards(Side side, int degrees) { return side == Side::Left ? degrees : -degrees; }

  // What the wheels did in the round before.
  void report_wheels() {
    report_wheel("left", -1);
    report_wheel("right", 1);
  }

  void report_wheel(std::string_view name, int outwards) {
    // The rim of a turn, with the circumference of a circle as 6.28 of its radius.
    const Length rim = kHalfTrack * turned_ * 628 / 36'000;
    const Length way = std::abs(gone_ + outwards * rim);
    // In tenths of a centimetre per second.
    Length speed = way * 1000 / kRound.count() / 1_mm;
    if (speed > 0) speed = std::max<Length>(0, speed + drawn(random_, -kWheelNoise, kWheelNoise));
    write(R"("add": "SP", "value": {{"wheel": "{}", "speed": {}.{}}})", name, speed / 10,
          speed % 10);
  }

  // Where the car runs into something it stays as it is, wheels included, until the round is over.
  void drive() {
    gone_ = 0;
    turned_ = 0;
    const Length step = speed_ * 1_cm / kStepsPerSecond;
    for (int i = 0; i < kStepsPerRound; ++i) {
      const int part = turn_ * (i + 1) / kStepsPerRound - turn_ * i / kStepsPerRound;
      const Point next = directions_.moved(place_, heading_ + part, step);
      if (!is_free(next)) break;
      heading_ = (heading_ + part + 360) % 360;
      place_ = next;
      turned_ += part;
      gone_ += step;
    }
    driven_ += std::abs(gone_);
    counts_.centimetres = static_cast<int>(driven_ / 1_cm);
    still_rounds_ = gone_ == 0 ? still_rounds_ + 1 : 0;
  }

  template <class... Values>
  void write(fmt::format_string<Values...> text, Values&&... values) {
    const auto t = now_.count();
    lines_.push_back(fmt::format(R"({{"t": {}.{:03}, )", t / 1000, t % 1000) +
                     fmt::format(text, std::forward<Values>(values)...) + '}');
  }

  static constexpr std::chrono::milliseconds kLongSince = std::chrono::seconds(60);

  Directions directions_;
  Random random_;
  std::vector<std::string> lines_;
  RobotCarCounts counts_;
  std::chrono::milliseconds now_{0};
  int heading_;
  Point place_;
  std::array<int, kSensors.size()> distances_;  // the last reading of each sensor
  int speed_ = 0;                               // until the next round
  int turn_ = 0;
  Length gone_ = 0;  // in the round before
  int turned_ = 0;
  bool avoiding_ = false;
  Side away_ = Side::Left;  // from what is in front
  Point goal_ = kStart;     // where it heads for, while nothing is in front
  int goal_rounds_ = 0;     // still to come
  int still_rounds_ = 0;    // so far
  int back_rounds_ = 0;     // still to come
  std::optional<std::chrono::milliseconds> called_;
  Length driven_ = 0;
};

}  // namespace

RobotCarRun robot_car_run(const RobotCarOptions& options) {
  Car car(options.seed);
  for (std::chrono::milliseconds now{0}; now < options.duration; now += kRound) car.round(now);
  return std::move(car).run();
}

}  // namespace poise::bench
