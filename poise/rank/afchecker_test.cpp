// AfcheckerRanking against the equations of the paper, written down as they stand.

#include "poise/rank/afchecker.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::rank {
namespace {

using finding::Case;
using finding::Conjunction;
using finding::Literal;

Literal literal(std::uint32_t atom, bool holds = true) { return {model::AtomId{atom}, holds}; }

// ---- The equations ----

using Entry = std::vector<bool>;
using Edges = std::vector<Edge>;

double supp(const std::vector<Entry>& log, const std::vector<Literal>& literals) {
  double holds = 0;
  for (const Entry& entry : log) {
    bool all = true;
    for (const Literal& one : literals) all = all && entry[one.atom.index] == one.holds;
    holds += all ? 1 : 0;
  }
  return holds / static_cast<double>(log.size());
}

Edges equation_1(const std::vector<Entry>& log, std::uint32_t atoms) {
  Edges edges;
  for (std::uint32_t p = 0; p < atoms; ++p) {
    for (const bool a : {false, true}) {
      for (std::uint32_t q = 0; q < atoms; ++q) {
        for (const bool b : {false, true}) {
          if (p == q) continue;
          const double both = supp(log, {literal(p, a), literal(q, b)});
          const double from = supp(log, {literal(p, a)});
          if (both < 0.25 || both / from < 0.5) continue;
          edges.push_back({literal(p, a), literal(q, b), both, both / from});
        }
      }
    }
  }
  return edges;
}

bool has(const Conjunction& situation, const Literal& wanted) {
  return std::ranges::find(situation, wanted) != situation.end();
}

bool rel(const Conjunction& f, const Edge& c) {
  const auto about = [&](const Literal& one) {
    return has(f, {one.atom, true}) || has(f, {one.atom, false});
  };
  return about(c.from) && about(c.to);
}

bool vio(const Conjunction& f, const Edge& c) {
  return has(f, c.from) && has(f, {c.to.atom, !c.to.holds});
}

double equation_3(const Conjunction& f, const Edges& edges) {
  double above = 0;
  double below = 0;
  for (const Edge& c : edges) {
    above += vio(f, c) ? c.confidence : 0;
    below += rel(f, c) ? c.confidence : 0;
  }
  return below == 0 ? 1 : 1 - above / below;
}

double h(double p) {
  return p <= 0 || p >= 1 ? 0 : -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
}

Edges after(Edges edges, const Conjunction& f, bool confirmed) {
  for (Edge& c : edges) {
    if (!vio(f, c)) continue;
    if (confirmed)
      c.confidence = 0;
    else if (c.confidence > 0)
      c.confidence = std::min(1.0, c.confidence + 0.05);
  }
  return edges;
}

double equation_5(const std::vector<Case>& cases, const std::vector<bool>& inspected, std::size_t f,
                  const Edges& edges) {
  double sum = 0;
  const double p = equation_3(cases[f].situation, edges);
  const Edges if_true = after(edges, cases[f].situation, true);
  const Edges if_false = after(edges, cases[f].situation, false);
  for (std::size_t u = 0; u < cases.size(); ++u) {
    if (u == f || inspected[u]) continue;
    const Conjunction& situation = cases[u].situation;
    const double now = h(equation_3(situation, edges));
    sum += p * (now - h(equation_3(situation, if_true))) +
           (1 - p) * (now - h(equation_3(situation, if_false)));
  }
  return sum;
}

// ---- Random inputs ----

struct Input {
  std::vector<Entry> log;
  std::vector<Case> cases;
  Evidence evidence;
};

Input random_input(std::uint64_t seed, std::uint32_t atoms, std::size_t entries,
                   std::size_t cases) {
  Random random(seed);
  Input input;
  Entry entry(atoms);
  for (std::size_t i = 0; i < entries; ++i) {
    // Now and then something changes, so that truths are related.
    for (std::uint32_t k = 0; k < atoms; ++k) {
      if (random.below(4) == 0) entry[k] = random.below(k + 2) == 0;
    }
    input.log.push_back(entry);
    std::vector<Truth> truths;
    for (const bool truth : entry) truths.push_back(truth ? Truth::True : Truth::False);
    input.evidence.add(truths, i + 1, std::nullopt);
  }
  input.evidence.finish();
  for (std::uint32_t i = 0; i < cases; ++i) {
    Case one{i, {}};
    for (std::uint32_t k = 0; k < atoms; ++k) {
      if (random.below(3) > 0) one.situation.push_back(literal(k, random.below(2) == 0));
    }
    input.cases.push_back(one);
    if (random.below(4) == 0) input.cases.push_back(one);  // another fault in the same situation
  }
  return input;
}

TEST(AfcheckerRanking, AgreesWithTheEquations) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Input input = random_input(seed, 2 + static_cast<std::uint32_t>(seed % 7), 40, 12);
    Edges edges = equation_1(input.log, static_cast<std::uint32_t>(input.log.front().size()));
    const std::vector<Edge> mined = constraints(input.evidence, {});
    ASSERT_EQ(mined.size(), edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      EXPECT_EQ(mined[i].from, edges[i].from);
      EXPECT_EQ(mined[i].to, edges[i].to);
      EXPECT_NEAR(mined[i].confidence, edges[i].confidence, 1e-12);
    }
    AfcheckerRanking ranking(input.cases, mined);
    std::vector<bool> inspected(input.cases.size(), false);
    Random random(seed + 1000);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = 0; i < input.cases.size(); ++i) {
        EXPECT_NEAR(ranking.probability(i), equation_3(input.cases[i].situation, edges), 1e-12);
        if (inspected[i]) continue;
        EXPECT_NEAR(ranking.gain(i), equation_5(input.cases, inspected, i, edges), 1e-12);
      }
      const std::size_t judged = ranking.ranking().front().the_case;
      const bool confirmed = random.below(2) == 0;
      ranking.apply(judged, confirmed ? Verdict::Confirmed : Verdict::Rejected);
      inspected[judged] = true;
      edges = after(edges, input.cases[judged].situation, confirmed);
    }
  }
}

TEST(AfcheckerRanking, RanksByProbabilityAndBreaksTiesByGain) {
  const Input input = random_input(7, 8, 60, 40);
  const AfcheckerRanking ranking(input.cases, constraints(input.evidence, {}));
  const std::vector<AfcheckerRanking::Place> places = ranking.ranking();
  ASSERT_EQ(places.size(), input.cases.size());
  for (std::size_t i = 1; i < places.size(); ++i) {
    const AfcheckerRanking::Place& a = places[i - 1];
    const AfcheckerRanking::Place& b = places[i];
    EXPECT_LT(b.probability, a.probability + 0.01);
    if (a.probability < b.probability) {
      EXPECT_GE(*a.gain, *b.gain);
    }
  }
}

TEST(AfcheckerRanking, LeavesGainsOpenThatTakeTooLong) {
  const Input input = random_input(7, 8, 60, 40);
  const AfcheckerRanking ranking(input.cases, constraints(input.evidence, {}), {.most_steps = 1});
  std::map<bool, int> known;
  for (const AfcheckerRanking::Place& place : ranking.ranking()) ++known[place.gain.has_value()];
  EXPECT_GE(known[true], 1);
  EXPECT_GE(known[false], 1);
}

}  // namespace
}  // namespace poise::rank
