// The recipe demands some things of every model (each state has a rule, each state but the initial
// one is a destination, each variable is used) and leaves the rest to chance. So every step first
// deals out what is demanded, at random places, and then draws the rest:
//
//   sources       a rule for each state, then each other rule to a random state that has room
//   destinations  each state but the initial one to a random rule, then any state to the others;
//                 never a rule's own source, unless there is but one state
//   variables     each to a random place in a predicate, then any variable to the other places
//
// Each step has a stream of random numbers of its own, so that what one step needs does not change
// what another gets.

#include "poise/generate/generate.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/base/text.h"
#include "poise/lang/format.h"

namespace poise::generate {
namespace {

// Limits on states, rules and variables each, and on variables in all predicates together, so that
// the text is not larger than what can be read again.
constexpr std::size_t kMaxSize = 1'000'000;
constexpr std::size_t kMaxPlaces = 10'000'000;

constexpr std::size_t kTiedLevels = 3;
constexpr std::size_t kStep = 10;  // from one threshold of a sensed number to the next

enum class Stream : std::uint64_t { Sources, Destinations, Priorities, Places, Predicates, Atoms };

Random stream(const Options& options, Stream which) {
  return Random(options.seed, static_cast<std::uint64_t>(which));
}

// ---- Possible sizes ----

std::size_t rounded_up(std::size_t number, std::size_t divisor) {
  return (number + divisor - 1) / divisor;
}

std::size_t max_places(const Options& options) {
  return std::min(options.max_variables_per_rule, options.variables);
}

Result<void> sizes_are_sensible(const Options& options) {
  const std::pair<std::size_t, std::string_view> sizes[] = {
      {options.states, "state"},
      {options.rules, "rule"},
      {options.variables, "variable"},
      {options.max_rules_per_state, "rule in a state"},
      {options.max_variables_per_rule, "variable in a rule"},
      {options.sensed.value_or(1), "sensed number"}};
  for (const auto& [size, what] : sizes) {
    if (size == 0) return failure(fmt::format("a model needs at least one {}", what));
  }
  if (std::max({options.states, options.rules, options.variables}) > kMaxSize) {
    return failure(
        fmt::format("a model has at most {} states, rules and variables each", kMaxSize));
  }
  if (options.rules * max_places(options) > kMaxPlaces) {
    return failure(
        fmt::format("{} rules of up to {} variables are too many: their product is at most {}",
                    options.rules, max_places(options), kMaxPlaces));
  }
  return {};
}

Result<void> possible(const Options& options) {
  if (Result<void> sensible = sizes_are_sensible(options); !sensible) return sensible;
  const std::size_t needed_per_state = rounded_up(options.rules, options.states);
  const std::size_t needed_per_rule = rounded_up(options.variables, options.rules);
  if (options.rules < options.states) {
    return failure(fmt::format("every state has at least one rule: {} cannot do with {}",
                               counted(options.states, "state"), counted(options.rules, "rule")));
  }
  if (needed_per_state > options.max_rules_per_state) {
    return failure(
        fmt::format("a state has at most {}: {} cannot have {}; a maximum of {} would do",
                    counted(options.max_rules_per_state, "rule"), counted(options.states, "state"),
                    options.rules, needed_per_state));
  }
  if (needed_per_rule > options.max_variables_per_rule) {
    return failure(
        fmt::format("every variable is used, and a rule uses at most {}: {} cannot use {}; a "
                    "maximum of {} would do",
                    options.max_variables_per_rule, counted(options.rules, "rule"),
                    options.variables, needed_per_rule));
  }
  if (options.sensed && *options.sensed > options.variables) {
    return failure(
        fmt::format("every sensed number is compared at least once: {} cannot compare {}",
                    counted(options.variables, "variable"), counted(*options.sensed, "number")));
  }
  return {};
}

// ---- The plan of a model: states, rules and variables as numbers from 0; state 0 is initial ----

// Adds one to random parts that are below `max`, until all sum to `total` or more.
void top_up(std::vector<std::size_t>& parts, std::size_t total, std::size_t max, Random& random) {
  std::size_t sum = std::accumulate(parts.begin(), parts.end(), std::size_t{0});
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < max) open.push_back(i);
  }
  for (; sum < total; ++sum) {
    std::size_t& chosen = open[random.below(open.size())];
    if (++parts[chosen] == max) {
      chosen = open.back();
      open.pop_back();
    }
  }
}

std::vector<std::size_t> rules_per_state(const Options& options) {
  Random random = stream(options, Stream::Sources);
  std::vector<std::size_t> counts(options.states, 1);
  top_up(counts, options.rules, options.max_rules_per_state, random);
  return counts;
}

std::vector<std::size_t> sources(std::span<const std::size_t> counts) {
  std::vector<std::size_t> states;
  for (std::size_t state = 0; state < counts.size(); ++state) {
    states.insert(states.end(), counts[state], state);
  }
  return states;
}

std::vector<std::size_t> destinations(const Options& options, std::span<const std::size_t> from) {
  Random random = stream(options, Stream::Destinations);
  constexpr std::size_t kAny = 0;  // the initial state need not be a destination
  std::vector<std::size_t> to(options.rules, kAny);
  if (options.states == 1) return to;
  std::iota(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(options.states - 1), 1);
  random.shuffle(std::span(to));
  for (std::size_t rule = 0; rule < to.size(); ++rule) {
    // Swaps destinations with a rule of another state. After that the rule does not lead to its own
    // source any more, since each state was dealt out once.
    while (to[rule] != kAny && to[rule] == from[rule]) {
      const std::size_t other = random.below(to.size());
      if (from[other] != from[rule]) std::swap(to[rule], to[other]);
    }
  }
  for (std::size_t rule = 0; rule < to.size(); ++rule) {
    if (to[rule] != kAny) continue;
    to[rule] = random.below(options.states - 1);
    if (to[rule] >= from[rule]) ++to[rule];
  }
  return to;
}

std::vector<std::size_t> priorities(const Options& options, std::span<const std::size_t> counts) {
  Random random = stream(options, Stream::Priorities);
  std::vector<std::size_t> all;
  for (const std::size_t count : counts) {
    const std::size_t first = all.size();
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(options.priorities == Priorities::Tied ? 1 + random.below(kTiedLevels) : 1 + i);
    }
    if (options.priorities == Priorities::Distinct) random.shuffle(std::span(all).subspan(first));
  }
  return all;
}

// How many variables each rule's predicate has.
std::vector<std::size_t> places_per_rule(const Options& options, Random& random) {
  const std::size_t max = max_places(options);
  std::vector<std::size_t> counts(options.rules);
  for (std::size_t& count : counts) count = 1 + random.below(max);
  top_up(counts, options.variables, max, random);
  return counts;
}

// The variables of all predicates, one rule after another; those of one rule differ.
std::vector<std::size_t> variables_in_places(const Options& options,
                                             std::span<const std::size_t> counts, Random& random) {
  const std::size_t free = options.variables;  // marks a place that may take any variable
  std::vector<std::size_t> places(std::accumulate(counts.begin(), counts.end(), std::size_t{0}),
                                  free);
  std::iota(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(options.variables), 0);
  random.shuffle(std::span(places));

  // By variable: the last rule that uses it.
  std::vector<std::size_t> last_rule(options.variables, counts.size());
  std::size_t begin = 0;
  for (std::size_t rule = 0; rule < counts.size(); ++rule) {
    const std::span<std::size_t> mine = std::span(places).subspan(begin, counts[rule]);
    for (const std::size_t variable : mine) {
      if (variable != free) last_rule[variable] = rule;
    }
    for (std::size_t& variable : mine) {
      while (variable == free) {
        const std::size_t drawn = random.below(options.variables);
        if (std::exchange(last_rule[drawn], rule) != rule) variable = drawn;
      }
    }
    begin += counts[rule];
  }
  return places;
}

// ---- Text ----

// By variable: the atom that stands for it in predicates. And the declarations that atoms need.
struct Vocabulary {
  std::string declarations;
  std::vector<std::string> atoms;
};

Vocabulary booleans(const Options& options) {
  Vocabulary vocabulary;
  for (std::size_t i = 1; i <= options.variables; ++i) {
    vocabulary.atoms.push_back(fmt::format("v{}", i));
    vocabulary.declarations += fmt::format("sense v{} : bool\n", i);
  }
  return vocabulary;
}

// Each atom of a number has a threshold of its own, away from the other thresholds and from the
// ends of the range. So no two atoms mean the same, none is always true or false, and none is the
// negation of another. On average two of five are `>=`, two are `<` and one is `==`.
Vocabulary comparisons(const Options& options) {
  Random random = stream(options, Stream::Atoms);
  constexpr std::string_view kRelations[] = {">=", ">=", "<", "<", "=="};
  const std::size_t numbers = *options.sensed;
  Vocabulary vocabulary;
  for (std::size_t i = 0; i < numbers; ++i) {
    const std::size_t count =
        options.variables / numbers + (i < options.variables % numbers ? 1 : 0);
    vocabulary.declarations += fmt::format("sense s{} : int 0..{}\n", i + 1, kStep * (count + 1));
    for (std::size_t j = 1; j <= count; ++j) {
      const std::string_view relation = kRelations[random.below(std::size(kRelations))];
      vocabulary.atoms.push_back(fmt::format("s{} {} {}", i + 1, relation, kStep * j));
    }
  }
  return vocabulary;
}

// The command line that gives this model again.
std::string command(const Options& options) {
  const Options usual;
  std::string text = fmt::format("poise generate --states {} --rules {} --variables {} --seed {}",
                                 options.states, options.rules, options.variables, options.seed);
  if (options.max_rules_per_state != usual.max_rules_per_state) {
    text += fmt::format(" --max-rules-per-state {}", options.max_rules_per_state);
  }
  if (options.max_variables_per_rule != usual.max_variables_per_rule) {
    text += fmt::format(" --max-variables-per-rule {}", options.max_variables_per_rule);
  }
  if (options.priorities == Priorities::Tied) text += " --tied";
  if (options.sensed) text += fmt::format(" --sensed {}", *options.sensed);
  return text;
}

std::string states_text(std::size_t count) {
  std::string text = "state q1 initial\n";
  for (std::size_t i = 2; i <= count; ++i) {
    text += fmt::format("{} q{}", i == 2 ? "state" : ",", i);
  }
  return text + "\n";
}

// A chain of atoms, each perhaps negated, joined by `and` and `or` without brackets.
void append_predicate(std::string& text, std::span<const std::size_t> variables,
                      std::span<const std::string> atoms, Random& random) {
  bool first = true;
  for (const std::size_t variable : variables) {
    if (!first) text += random.coin() ? " and " : " or ";
    if (random.coin()) text += "not ";
    text += atoms[variable];
    first = false;
  }
}

std::string rules_text(const Options& options, std::span<const std::string> atoms) {
  const std::vector<std::size_t> counts = rules_per_state(options);
  const std::vector<std::size_t> from = sources(counts);
  const std::vector<std::size_t> to = destinations(options, from);
  const std::vector<std::size_t> priority = priorities(options, counts);
  Random random = stream(options, Stream::Places);
  const std::vector<std::size_t> place_counts = places_per_rule(options, random);
  const std::vector<std::size_t> places = variables_in_places(options, place_counts, random);

  Random literals = stream(options, Stream::Predicates);
  std::string text;
  std::size_t place = 0;
  for (std::size_t rule = 0; rule < options.rules; ++rule) {
    fmt::format_to(std::back_inserter(text), "rule r{}: q{} -> q{} priority {} when ", rule + 1,
                   from[rule] + 1, to[rule] + 1, priority[rule]);
    append_predicate(text, std::span(places).subspan(place, place_counts[rule]), atoms, literals);
    text += '\n';
    place += place_counts[rule];
  }
  return text;
}

}  // namespace

Result<std::string> model_text(const Options& options) {
  if (const Result<void> sizes = possible(options); !sizes) return Failure(sizes.error());
  const Vocabulary vocabulary = options.sensed ? comparisons(options) : booleans(options);
  std::string text =
      fmt::format("# A random model: {}\n\n{}\n{}{}", command(options), vocabulary.declarations,
                  states_text(options.states), rules_text(options, vocabulary.atoms));
  std::optional<std::string> canonical = lang::format(text);
  POISE_CHECK(canonical.has_value());
  return *std::move(canonical);
}

}  // namespace poise::generate
