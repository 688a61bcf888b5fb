#include "poise/shake/flows/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

constexpr int kShapeTries = 40;

// A random number from `least` to `most`, both included.
std::size_t between(std::size_t least, std::size_t most, Random& random) {
  return least + random.below(std::max(least, most) - least + 1);
}

// The course of one property: a curve between two of its values, a hold, or a random walk.
struct Wave {
  enum class Kind { Curve, Held, Wander };
  Kind kind = Kind::Held;
  Shape curve = Shape::Ramp;
  Index from = 0;
  Index to = 0;
  std::size_t period = 1;  // in ticks; ramp: how long it takes
  std::size_t width = 1;   // spike: how long it takes; ramp: when it begins; stairs: their number
  std::size_t phase = 0;
  bool by_index = false;  // along the values of the grid, which are denser near constants
};

// How far a curve has come from `from` to `to`, in [0, 1].
double height_of(const Wave& wave, std::size_t tick) {
  const std::size_t at = (tick + wave.phase) % wave.period;
  const double turn = static_cast<double>(at) / static_cast<double>(wave.period);
  switch (wave.curve) {
    case Shape::Spike: return at < wave.width ? 1 : 0;
    case Shape::Ramp:
      return std::clamp((static_cast<double>(tick) - static_cast<double>(wave.width)) /
                            static_cast<double>(wave.period),
                        0.0, 1.0);
    case Shape::Saw: return turn;
    case Shape::Stairs:
      return std::floor(turn * static_cast<double>(wave.width)) /
             static_cast<double>(std::max<std::size_t>(wave.width - 1, 1));
    case Shape::Sine: return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * turn);
    case Shape::Square: return at * 2 < wave.period ? 0 : 1;
    case Shape::Walk:
    case Shape::Hold:
    case Shape::Earthquake:
    case Shape::Cover:
    case Shape::Random:
    case Shape::Corners: break;
  }
  POISE_CHECK(false);
  return 0;
}

Wave wave_of(Shape curve, const Property& property, std::size_t length, Random& random) {
  Wave wave{.kind = Wave::Kind::Curve, .curve = curve, .by_index = random.coin()};
  const std::vector<Index> boundary = boundary_values(property);
  const auto value = [&] {
    return random.coin() ? boundary[random.below(boundary.size())]
                         : static_cast<Index>(random.below(property.values.size()));
  };
  wave.from = value();
  wave.to = value();
  for (int i = 0; i < kShapeTries && wave.to == wave.from; ++i) wave.to = value();
  switch (curve) {
    case Shape::Spike:
      wave.period = std::max<std::size_t>(2, length / between(1, 4, random));
      wave.width = between(1, std::max<std::size_t>(1, wave.period / 3), random);
      break;
    case Shape::Ramp:
      wave.width = between(0, length / 3, random);
      wave.period = between(std::max<std::size_t>(1, length / 4),
                            std::max<std::size_t>(1, length - wave.width), random);
      break;
    case Shape::Stairs:
      wave.period = std::max<std::size_t>(2, length / between(1, 2, random));
      wave.width = between(3, 8, random);
      break;
    case Shape::Square:
      wave.period = 2 * between(1, std::max<std::size_t>(1, length / 3), random);
      break;
    default: wave.period = between(5, std::max<std::size_t>(6, length / 2), random); break;
  }
  if (curve != Shape::Ramp && curve != Shape::Stairs) wave.phase = random.below(wave.period);
  return wave;
}

}  // namespace

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::Spike: return "spike";
    case Shape::Ramp: return "ramp";
    case Shape::Saw: return "saw";
    case Shape::Stairs: return "stairs";
    case Shape::Sine: return "sine";
    case Shape::Square: return "square";
    case Shape::Walk: return "walk";
    case Shape::Hold: return "hold";
    case Shape::Earthquake: return "earthquake";
    case Shape::Cover: return "cover";
    case Shape::Random: return "random";
    case Shape::Corners: return "corners";
  }
  return "";
}

std::vector<Index> boundary_values(const Property& property) {
  std::vector<Index> values;
  for (std::size_t i = 0; i < property.values.size(); ++i) {
    if (property.kind != Property::Kind::Number ||
        (i < property.boundary.size() && property.boundary[i])) {
      values.push_back(static_cast<Index>(i));
    }
  }
  if (values.empty()) {
    values.push_back(0);
    if (property.values.size() > 1) {
      values.push_back(static_cast<Index>(property.values.size() - 1));
    }
  }
  return values;
}

Index Shapes::nearest(std::size_t property, double coordinate) const {
  const std::size_t count = moves_->grid().properties[property].values.size();
  std::size_t low = 0;
  std::size_t high = count;  // the first that is not below
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (space_->coordinate(property, static_cast<Index>(middle)) < coordinate) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == count) return static_cast<Index>(count - 1);
  if (low > 0 && coordinate - space_->coordinate(property, static_cast<Index>(low - 1)) <
                     space_->coordinate(property, static_cast<Index>(low)) - coordinate) {
    --low;
  }
  return static_cast<Index>(low);
}

Flow Shapes::flow(Shape shape, std::size_t length, Random& random) const {
  POISE_CHECK(shape != Shape::Hold && shape != Shape::Cover);
  switch (shape) {
    case Shape::Walk: return walk(length, random);
    case Shape::Earthquake: return earthquake(length, random);
    case Shape::Corners: return corners(length, random);
    case Shape::Random: {
      Flow flow;
      while (flow.size() < length) flow.push_back(moves_->random_instance(random));
      return flow;
    }
    default: return curves(shape, length, random);
  }
}

Flow Shapes::curves(Shape shape, std::size_t length, Random& random) const {
  const std::vector<Property>& properties = moves_->grid().properties;
  const Instance start = moves_->random_instance(random);
  const std::size_t lead = random.below(properties.size());
  std::vector<Wave> waves;
  for (std::size_t k = 0; k < properties.size(); ++k) {
    const std::uint64_t fate = random.below(10);
    if (k == lead || fate < 4) {
      waves.push_back(wave_of(shape, properties[k], length, random));
    } else if (fate < 5) {
      const auto other = static_cast<Shape>(random.below(6));
      waves.push_back(wave_of(other, properties[k], length, random));
    } else {
      const bool number = properties[k].kind == Property::Kind::Number;
      waves.push_back({.kind = fate < 8 || !number ? Wave::Kind::Held : Wave::Kind::Wander});
    }
  }
  Flow flow;
  Instance at = start;
  for (std::size_t tick = 0; tick < length; ++tick) {
    Instance wanted = at;
    for (std::size_t k = 0; k < waves.size(); ++k) {
      const Wave& wave = waves[k];
      const auto last = static_cast<int>(properties[k].values.size()) - 1;
      if (wave.kind == Wave::Kind::Held) {
        if (start[k] != kNoValue) wanted[k] = start[k];
      } else if (wave.kind == Wave::Kind::Wander) {
        if (wanted[k] == kNoValue || random.below(2) == 0) continue;
        wanted[k] = static_cast<Index>(std::clamp(wanted[k] + (random.coin() ? 1 : -1), 0, last));
      } else {
        const double height = height_of(wave, tick);
        const auto mix = [&](double from, double to) { return from + height * (to - from); };
        wanted[k] =
            wave.by_index || !space_->is_ordered(k)
                ? static_cast<Index>(std::lround(mix(wave.from, wave.to)))
                : nearest(k, mix(space_->coordinate(k, wave.from), space_->coordinate(k, wave.to)));
      }
    }
    at = moves_->towards(at, wanted);
    flow.push_back(at);
  }
  return flow;
}

Flow Shapes::walk(std::size_t length, Random& random) const {
  const std::vector<Property>& properties = moves_->grid().properties;
  Flow flow = {moves_->random_instance(random)};
  // How often directions change: walks that seldom turn drift, others tremble.
  const std::uint64_t turning = 1 + random.below(10);
  std::vector<int> directions(properties.size());
  for (int& direction : directions) direction = random.coin() ? 1 : -1;
  const double longest = space_->thresholds().smooth + ContextSpace::kSlack;
  while (flow.size() < length) {
    const Instance& at = flow.back();
    Instance wanted = at;
    for (std::size_t k = 0; k < properties.size(); ++k) {
      if (at[k] == kNoValue || !space_->is_ordered(k)) continue;
      const auto last = static_cast<int>(properties[k].values.size()) - 1;
      if (random.below(20) < turning) directions[k] = -directions[k];
      if (at[k] + directions[k] < 0 || at[k] + directions[k] > last) directions[k] = -directions[k];
      if (random.below(3) > 0) {
        wanted[k] = static_cast<Index>(std::clamp(at[k] + directions[k], 0, last));
      }
    }
    Instance next = moves_->towards(at, wanted);
    for (int i = 0; i < kShapeTries / 4 && space_->distance(at, next) > longest; ++i) {
      next = moves_->walked(at, 1, random);
    }
    // Where every neighbour is far (labels, coarse grids), a walk still has to get somewhere.
    if (space_->distance(at, next) > longest && random.below(8) > 0) next = at;
    flow.push_back(std::move(next));
  }
  flow.resize(length);
  return flow;
}

Flow Shapes::earthquake(std::size_t length, Random& random) const {
  Flow flow = {moves_->random_instance(random)};
  while (flow.size() < length) {
    const Instance& at = flow.back();
    const bool violent = flow.size() % 2 == 0;
    Instance best = at;
    double best_length = 0;
    for (int i = 0; i < kShapeTries; ++i) {
      Instance next = violent ? moves_->random_instance(random) : moves_->walked(at, 1, random);
      const double distance = space_->distance(at, next);
      if (space_->kind_of(distance) == (violent ? StepKind::Violent : StepKind::Smooth)) {
        best = std::move(next);
        break;
      }
      if (violent && distance > best_length) {
        best_length = distance;
        best = std::move(next);
      }
    }
    flow.push_back(std::move(best));  // no smooth neighbour: it stays, which is smooth
  }
  flow.resize(length);
  return flow;
}

Flow Shapes::corners(std::size_t length, Random& random) const {
  Flow flow;
  Instance at = moves_->random_instance(random);
  while (flow.size() < length) {
    Instance next = at;
    for (int i = 0; i < kShapeTries && (next == at); ++i) {
      Instance corner;
      for (const Property& property : moves_->grid().properties) {
        const std::size_t count = property.values.size();
        corner.push_back(static_cast<Index>(property.kind == Property::Kind::Label
                                                ? random.below(count)
                                                : random.below(2) * (count - 1)));
      }
      corner = moves_->fitted(std::move(corner));
      if (is_valid(moves_->grid(), corner)) next = std::move(corner);
    }
    at = next;
    flow.push_back(at);
  }
  return flow;
}

}  // namespace poise::shake
