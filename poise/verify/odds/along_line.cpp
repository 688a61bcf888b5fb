#include "poise/verify/odds/along_line.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "poise/base/infinity.h"

namespace poise::verify {

using Sign = Literal::Sign;

namespace {

struct Along {
  double slope = 0;
  double factor = 0;
  std::size_t error = 0;
  double constant = 0;
};
using Way = std::vector<Along>;

// One condition of the model: all stages with the same origin, about the same position.
struct Condition {
  std::size_t position = 0;  // after how many moves
  std::vector<Way> ways;
};

// Reads a part as a line: finds the moves, then to which position each row belongs, then what the
// conditions at each position amount to.
class Reading {
 public:
  explicit Reading(const IndependentPart& part) : part_(part) {}

  std::optional<chance::Line> line() {
    const bool simple = part_.branches.size() == 1 && part_.environment.size() == 1 &&
                        !part_.environment.front().whole &&
                        std::ranges::none_of(part_.noise, &IndependentPart::Noise::whole);
    if (!simple || !find_moves()) return std::nullopt;
    for (const PartStage& stage : part_.branches.front().stages) {
      if (!add(stage)) return std::nullopt;
    }
    return made();
  }

 private:
  [[nodiscard]] AffineRow moves_of(const AffineRow& row) const {
    AffineRow moves = row;
    std::erase_if(moves.noise,
                  [&](const AffineRow::Term& term) { return part_.noise[term.index].sensing; });
    return moves;
  }

  // The moves are the noise of the row with the most of it, sensing errors aside; the others must
  // be about a prefix of them.
  bool find_moves() {
    for (const PartStage& stage : part_.branches.front().stages) {
      for (const std::vector<AffineRow>& way : stage.ways) {
        for (const AffineRow& row : way) {
          if (row.environment.size() != 1 || row.sign == Sign::Equal) return false;
          const AffineRow moves = moves_of(row);
          if (moves.noise.size() <= moves_.size()) continue;
          moves_ = moves.noise;
          for (AffineRow::Term& term : moves_) term.factor /= row.environment.front().factor;
        }
      }
    }
    return true;
  }

  // After how many moves the position is that the row is about; none if it is about no position.
  [[nodiscard]] std::optional<std::size_t> position_of(const AffineRow& row) const {
    const AffineRow moves = moves_of(row);
    if (row.noise.size() > moves.noise.size() + 1) return std::nullopt;
    for (std::size_t i = 0; i < moves.noise.size(); ++i) {
      const double factor = moves.noise[i].factor / row.environment.front().factor;
      const bool same = moves.noise[i].index == moves_[i].index &&
                        std::abs(factor - moves_[i].factor) < 1e-12 * std::abs(factor);
      if (!same) return std::nullopt;
    }
    return moves.noise.size();
  }

  bool add(const PartStage& stage) {
    const auto [known, is_new] = conditions_.try_emplace(stage.origin);
    Condition& condition = known->second;
    if (is_new) condition.ways.emplace_back();
    std::vector<Way> longer;
    bool first = is_new;
    for (const std::vector<AffineRow>& rows : stage.ways) {
      Way more;
      for (const AffineRow& row : rows) {
        const std::optional<std::size_t> position = position_of(row);
        if (!position || (!first && *position != condition.position)) return false;
        condition.position = *position;
        first = false;
        more.push_back(along(row));
      }
      for (const Way& way : condition.ways) {
        longer.push_back(way);
        longer.back().insert(longer.back().end(), more.begin(), more.end());
      }
    }
    condition.ways = std::move(longer);
    return true;
  }

  [[nodiscard]] Along along(const AffineRow& row) const {
    Along result{row.environment.front().factor, 0, 0, row.constant};
    for (const AffineRow::Term& term : row.noise) {
      if (!part_.noise[term.index].sensing) continue;
      result.factor = term.factor;
      result.error = term.index;
    }
    return result;
  }

  // ---- The line ----

  // A condition with one way and without sensing errors is a range: that of the failure if it is
  // about the last position, a safe range if it is about one in between. Any other condition, and
  // any about the start, is part of the probability that the next step is taken. If the last
  // position has such a condition, a step that does not move is added for it.
  [[nodiscard]] chance::Line made() const {
    chance::Line line;
    line.start_from = part_.environment.front().low;
    line.start_to = part_.environment.front().high;
    for (const AffineRow::Term& move : moves_) {
      line.steps.push_back({.taken = chance::certain(),
                            .moved = part_.noise[move.index].law,
                            .meant = 0,
                            .direction = move.factor});
    }
    const bool stays = std::ranges::any_of(conditions_, [&](const auto& entry) {
      return entry.second.position == moves_.size() && !is_range(entry.second);
    });
    if (stays || moves_.empty())
      line.steps.push_back({.taken = chance::certain(), .moved = chance::Law::point(0)});
    for (const auto& [origin, condition] : conditions_) {
      const std::size_t position = condition.position;
      if (!is_range(condition) || position == 0) {
        chance::Chance& taken = line.steps[position].taken;
        taken = both(taken, chance(condition));
        continue;
      }
      const bool last = position == line.steps.size();
      chance::LineStep& step = line.steps[position - 1];
      double& from = last ? line.fails_from : step.safe_from;
      double& to = last ? line.fails_to : step.safe_to;
      for (const Along& one : condition.ways.front()) {
        const double limit = -one.constant / one.slope;
        if (one.slope < 0) from = std::max(from, limit);
        if (one.slope > 0) to = std::min(to, limit);
      }
    }
    return line;
  }

  static bool is_range(const Condition& condition) {
    return condition.ways.size() == 1 &&
           std::ranges::all_of(condition.ways.front(),
                               [](const Along& one) { return one.factor == 0; });
  }

  // The probability that a condition holds at a position, by its sensing errors. Ways exclude each
  // other, so theirs add up; that of one way is a product of masses.
  [[nodiscard]] chance::Chance chance(const Condition& condition) const {
    std::vector<chance::Chance> ways;
    chance::Chance result{.at = {}, .from = kInfinity, .to = -kInfinity, .kinks = {}};
    for (const Way& way : condition.ways) {
      ways.push_back(chance(way));
      result.from = std::min(result.from, ways.back().from);
      result.to = std::max(result.to, ways.back().to);
      result.kinks.insert(result.kinks.end(), ways.back().kinks.begin(), ways.back().kinks.end());
    }
    result.at = [ways](double position) {
      double sum = 0;
      for (const chance::Chance& way : ways) sum += way.at(position);
      return std::min(sum, 1.0);
    };
    return result;
  }

  [[nodiscard]] chance::Chance chance(const Way& way) const {
    chance::Chance result{.at = {}, .kinks = {}};
    struct Error {
      std::size_t index;
      chance::Law law;
    };
    std::vector<Error> errors;
    for (const Along& one : way) {
      std::vector<double> kinks = {0};
      if (one.factor != 0) {
        const chance::Law& law = part_.noise[one.error].law;
        kinks = law.kinks();
        if (std::ranges::find(errors, one.error, &Error::index) == errors.end()) {
          errors.push_back({one.error, law});
        }
      }
      double from = kInfinity;
      double to = -kInfinity;
      for (const double kink : kinks) {
        const double at = (-one.constant - one.factor * kink) / one.slope;
        result.kinks.push_back(at);
        from = std::min(from, at);
        to = std::max(to, at);
      }
      if (one.slope < 0) result.from = std::max(result.from, from);
      if (one.slope > 0) result.to = std::min(result.to, to);
    }
    result.at = [way, errors](double position) {
      double product = 1;
      for (const Along& one : way) {
        if (one.factor == 0 && one.slope * position + one.constant > 0) return 0.0;
      }
      for (const Error& error : errors) {
        double from = error.law.low();
        double to = error.law.high();
        for (const Along& one : way) {
          if (one.factor == 0 || one.error != error.index) continue;
          const double limit = -(one.slope * position + one.constant) / one.factor;
          if (one.factor > 0) to = std::min(to, limit);
          if (one.factor < 0) from = std::max(from, limit);
        }
        product *= from <= to ? error.law.mass(from, to) : 0;
      }
      return product;
    };
    return result;
  }

  const IndependentPart& part_;
  std::vector<AffineRow::Term> moves_;  // factors relative to that of the start
  std::map<std::size_t, Condition> conditions_;
};

}  // namespace

std::optional<chance::Line> line_of(const IndependentPart& part) { return Reading(part).line(); }

}  // namespace poise::verify
