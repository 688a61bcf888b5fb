#include "poise/rank/tree.h"

#include <cmath>
#include <limits>

namespace poise::rank {

namespace {

// A little for each combination, so that none has probability 0 (Krichevsky and Trofimov).
constexpr double kPseudo = 0.5;

struct Joint {
  double of[2][2];
};

Joint joint(const PairCounts& counts) {
  const double total = static_cast<double>(counts.known()) + 4 * kPseudo;
  Joint joint{};
  for (const int a : {0, 1}) {
    for (const int b : {0, 1}) {
      joint.of[a][b] = (static_cast<double>(counts.of[a][b]) + kPseudo) / total;
    }
  }
  return joint;
}

double mutual_information(const Joint& joint) {
  double sum = 0;
  for (const int a : {0, 1}) {
    for (const int b : {0, 1}) {
      const double p = joint.of[a][0] + joint.of[a][1];
      const double q = joint.of[0][b] + joint.of[1][b];
      sum += joint.of[a][b] * std::log2(joint.of[a][b] / (p * q));
    }
  }
  return sum;
}

// The regularised incomplete beta function, by its continued fraction (Lentz).
double beta_share(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_share(b, a, 1 - x);
  constexpr double kTiny = 1e-300;
  const auto away_from_0 = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1;
  double d = 1 / away_from_0(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int i = 1; i <= 500; ++i) {
    const double m = i;
    const auto step = [&](double numerator) {
      d = 1 / away_from_0(1 + numerator * d);
      c = away_from_0(1 + numerator / c);
      fraction *= c * d;
    };
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    const double before = fraction;
    step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(fraction - before) < 1e-14 * std::abs(fraction)) break;
  }
  return front * fraction;
}

// Newton's method, kept between bounds that close in.
double beta_quantile(double a, double b, double share) {
  const double scale = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
  double low = 0;
  double high = 1;
  double x = a / (a + b);
  for (int i = 0; i < 100; ++i) {
    const double error = beta_share(a, b, x) - share;
    (error < 0 ? low : high) = x;
    const double density = std::exp(scale + (a - 1) * std::log(x) + (b - 1) * std::log1p(-x));
    double next = x - error / density;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - x) <= 1e-14 * next) return next;
    x = next;
  }
  return x;
}

}  // namespace

Tree::Tree(std::size_t atoms, const std::vector<PairCounts>& counts) {
  // Prim's algorithm. An atom that is known nowhere is a root of its own and says nothing.
  constexpr double kNotYet = -std::numeric_limits<double>::infinity();
  std::vector<double> best(atoms, kNotYet);
  std::vector<std::uint32_t> parent(atoms);
  std::vector<bool> done(atoms, false);
  for (std::uint32_t i = 0; i < atoms; ++i) parent[i] = i;
  for (std::size_t round = 0; round < atoms; ++round) {
    std::uint32_t next = 0;
    bool found = false;
    for (std::uint32_t i = 0; i < atoms; ++i) {
      if (done[i] || (found && best[i] <= best[next])) continue;
      next = i;
      found = true;
    }
    done[next] = true;
    Branch branch{next, parent[next], {}};
    if (branch.parent == next) {
      const Joint alone = joint(counts[next * atoms + next]);
      const double total = alone.of[0][0] + alone.of[1][1];
      branch.given[0][0] = alone.of[0][0] / total;
      branch.given[0][1] = alone.of[1][1] / total;
    } else {
      const Joint both = joint(counts[branch.parent * atoms + next]);
      for (const int a : {0, 1}) {
        for (const int b : {0, 1}) {
          branch.given[a][b] = both.of[a][b] / (both.of[a][0] + both.of[a][1]);
        }
      }
    }
    branches_.push_back(branch);
    for (std::uint32_t i = 0; i < atoms; ++i) {
      const PairCounts& pair = counts[next * atoms + i];
      if (done[i] || pair.known() == 0) continue;
      const double information = mutual_information(joint(pair));
      if (information > best[i]) {
        best[i] = information;
        parent[i] = next;
      }
    }
  }
}

double Tree::probability(const finding::Conjunction& situation) const {
  // Belief propagation from the leaves up: for each atom and truth, the probability that the
  // situation holds in the subtree below it.
  struct Below {
    double if_holds[2] = {1, 1};
  };
  std::vector<Below> below(branches_.size());
  for (const finding::Literal& literal : situation) {
    below[literal.atom.index].if_holds[literal.holds ? 0 : 1] = 0;
  }
  double probability = 1;
  for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
    const Below& here = below[branch->atom];
    const auto given = [&](int row) {
      return branch->given[row][0] * here.if_holds[0] + branch->given[row][1] * here.if_holds[1];
    };
    if (branch->parent == branch->atom) {
      probability *= given(0);
    } else {
      for (const int row : {0, 1}) below[branch->parent].if_holds[row] *= given(row);
    }
  }
  return probability;
}

Interval interval(double hits, double trials) {
  const double a = hits + 0.5;
  const double b = trials - hits + 0.5;
  return {hits <= 0 ? 0 : beta_quantile(a, b, 0.025),
          hits >= trials ? 1 : beta_quantile(a, b, 0.975)};
}

}  // namespace poise::rank
