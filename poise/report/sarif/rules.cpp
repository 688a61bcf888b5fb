#include "poise/report/sarif/rules.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "poise/json/writer.h"

namespace poise::report {

namespace {

// A cycle is an error, whatever was intended: it never comes to rest. The other kinds may be
// intended, so they are warnings.
constexpr SarifRule kRules[] = {
    {.id = "poise/nondeterminism",
     .name = "Nondeterminism",
     .level = "warning",
     .title = "Several rules are triggered at once, and chance decides",
     .definition = "In some feasible context, two or more rules of a state are triggered.",
     .why =
         "Which rule fires is left to chance, or to the order in which the middleware happens to "
         "look. The same situation leads to different states on different days.",
     .cures =
         "Give the rules different priorities: say which comes first. Or add to one guard that "
         "the other does not hold. If the context cannot really happen, say so with a type, a "
         "guard or a constraint."},
    {.id = "poise/dead-rule",
     .name = "DeadRule",
     .level = "warning",
     .title = "The rule is never triggered, whatever the context",
     .definition = "No feasible context triggers the rule in the state.",
     .why = "Somebody wrote the rule because something should happen, and it never does.",
     .cures = "If stronger rules win wherever it is satisfied, make it stronger than they are, or "
              "narrow their guards. If nothing satisfies its guard, the guard contradicts itself, "
              "the type of a variable or a constraint: mend it or delete the rule."},
    {.id = "poise/dead-state",
     .name = "DeadState",
     .level = "warning",
     .title = "Rules lead out of the state, but none of them can ever fire",
     .definition = "The state has rules, and all of them are dead in it.",
     .why = "Once entered, the state is never left, although the rules say that it should be.",
     .cures =
         "Mend one of its rules. If the state is meant to be the last, delete them and call it "
         "final."},
    {.id = "poise/unreachable-state",
     .name = "UnreachableState",
     .level = "warning",
     .title = "No chain of live rules leads to the state",
     .definition = "No chain of live rules leads from the initial state to the state.",
     .why = "A whole state with its rules is of no use, and what it was meant for does not happen.",
     .cures =
         "Add a rule that leads there, or mend the dead one that should. Or delete the state."},
    {.id = "poise/race",
     .name = "Race",
     .level = "warning",
     .title = "States are left as soon as they are entered",
     .definition = "A run of two or more firings, from a feasible context, that ends stable.",
     .why = "States are entered and left at once, and what they do on entry is done for nothing. "
            "Where the application ends up can depend on how long the context stays as it is.",
     .cures = "Let the first rule not fire where the second would: add the negation of its guard. "
              "Leading the first rule straight to where the run ends often makes a new fault: "
              "check again."},
    {.id = "poise/cycle",
     .name = "Cycle",
     .level = "error",
     .title = "Rules set off one another without end, while nothing around changes",
     .definition =
         "A run from a feasible context that closes: a configuration, that is a state and "
         "a context, comes back.",
     .why = "The application never comes to rest while nothing around it changes: it flickers, "
            "drains the battery, and wears out what it switches.",
     .cures = "Rules that lead to and fro should not hold together: make one guard the negation of "
              "the other, or leave a gap between them. A rule that leads back to its own state "
              "needs an action that makes its guard false."},
    {.id = "poise/unstable-rule",
     .name = "UnstableRule",
     .level = "warning",
     .title = "The rule leads to where a rule is satisfied at once",
     .definition = "In some feasible context that triggers it, the rule leads to where a rule is "
                   "satisfied at once.",
     .why = "A race or a cycle starts with it. Unstable rules are listed where paths are not, with "
            "--paths none.",
     .cures = "List the paths that start with it, and mend these."},
    {.id = "poise/overlapping-rules",
     .name = "OverlappingRules",
     .level = "warning",
     .title = "Two rules can be triggered at once, and chance decides",
     .definition = "Two rules of one state overlap if, in some feasible context, both are "
                   "triggered, whatever other rules are.",
     .why = "Which rule fires is left to chance. Pairs are listed where exact sets of rules are "
            "not, with --paths none.",
     .cures = "Give the rules different priorities, or add to one guard that the other does not "
              "hold."},
};

constexpr SarifRule kVerifyRules[] = {
    {.id = "poise/hazard",
     .name = "Hazard",
     .level = "error",
     .title = "The application can fail after an action",
     .definition = "After an action of a rule in a state, a failure can hold for the first time.",
     .why =
         "What the rules do, together with errors of sensors and actions, leads to what must not "
         "happen.",
     .cures = "Let the guard ask for more, as the text report says. Or let another rule come first "
              "where the action is not safe."},
};

constexpr SarifRule kShakeRules[] = {
    {.id = "poise/broken-expectation",
     .name = "BrokenExpectation",
     .level = "error",
     .title = "A flow of contexts breaks an expectation",
     .definition = "In some flow of valid contexts, an expectation of the model does not hold.",
     .why = "The expectation says what the policy is for, and the policy does something else.",
     .cures =
         "Look at the smallest flow, tick by tick: which option acts, or does not. Mend its "
         "condition, its place among the options, or its time. Or the expectation asks for too "
         "much: then say when it counts."},
    {.id = "poise/variant-range",
     .name = "VariantRange",
     .level = "error",
     .title = "A variant leaves what is declared for it",
     .definition = "In some flow of valid contexts, a variant is outside of its range, or breaks a "
                   "constraint.",
     .why = "What takes its orders from the policy does not know such a variant.",
     .cures =
         "Let the option act only where there is room, or limit what it assigns with `min` and "
         "`max`."},
    {.id = "poise/difference",
     .name = "Difference",
     .level = "error",
     .title = "A flow of contexts leads to another variant than the reference",
     .definition = "In some flow of valid contexts, the variant is another than that of the "
                   "reference.",
     .why = "The reference says what should come out, at every tick.",
     .cures =
         "Look at the last tick of the smallest flow: which option acts here, and which there."},
    {.id = "poise/program-failure",
     .name = "ProgramFailure",
     .level = "error",
     .title = "The program ends, is late, or says what is no variant",
     .definition = "In some flow of valid contexts, the program does not answer with a variant in "
                   "time.",
     .why = "What it adapts is left alone from then on.",
     .cures = "Show the smallest flow to the program by hand, a context a line."},
    {.id = "poise/surviving-mutant",
     .name = "SurvivingMutant",
     .level = "note",
     .title = "No flow notices a planted fault",
     .definition = "A fault that was planted changes no variant in any of the flows, and is not "
                   "known to be equivalent.",
     .why = "A real fault there would not be noticed either.",
     .cures =
         "Take more flows, or longer ones, or more values. Where a shortest flow is known, keep "
         "it as a test."},
};

std::string message_of(std::string_view text) {
  json::Object message;
  message.add_text("text", text);
  return message.json();
}

std::string help_of(const SarifRule& rule) {
  json::Object help;
  help.add_text("text", fmt::format("{} Cures: {}", rule.why, rule.cures));
  help.add_text("markdown",
                fmt::format("**Why it matters.** {}\n\n**Cures.** {}\n", rule.why, rule.cures));
  return help.json();
}

// Keys by which viewers filter and sort.
std::string properties_of(const SarifRule& rule, SarifPrecision precision) {
  const std::vector<std::string> tags = {json::quoted("adaptation"), json::quoted("correctness")};
  json::Object properties;
  properties.add("tags", json::list(tags));
  properties.add_text("precision", precision == SarifPrecision::High ? "high" : "very-high");
  properties.add_text("problem.severity", rule.level);
  return properties.json();
}

}  // namespace

std::span<const SarifRule> sarif_rules(SarifVerb verb) {
  switch (verb) {
    case SarifVerb::Check: return kRules;
    case SarifVerb::Verify: return kVerifyRules;
    case SarifVerb::Shake: return kShakeRules;
  }
  return {};
}

std::size_t sarif_index(finding::FaultKind kind) { return static_cast<std::size_t>(kind); }

std::size_t sarif_index_of_unstable() { return std::size(kRules) - 2; }
std::size_t sarif_index_of_overlaps() { return std::size(kRules) - 1; }

std::string sarif_json(const SarifRule& rule, SarifPrecision precision) {
  json::Object configuration;
  configuration.add_text("level", rule.level);
  json::Object object;
  object.add_text("id", rule.id);
  object.add_text("name", rule.name);
  object.add("shortDescription", message_of(fmt::format("{}.", rule.title)));
  object.add("fullDescription", message_of(rule.definition));
  object.add("help", help_of(rule));
  object.add("defaultConfiguration", configuration.json());
  object.add("properties", properties_of(rule, precision));
  return object.json();
}

}  // namespace poise::report
