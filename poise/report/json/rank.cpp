#include "poise/report/json/rank.h"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include "poise/json/writer.h"
#include "poise/report/fingerprint.h"
#include "poise/report/json/document.h"
#include "poise/report/json/fault.h"
#include "poise/report/rank_case.h"

namespace poise::report {

namespace {

using finding::Fault;
using model::Model;

// Computed figures have twelve digits: the last ones of a double depend on the machine.
std::string number(double value) { return fmt::format("{:.12g}", value); }

std::string number(const std::optional<double>& value) { return value ? number(*value) : "null"; }

// A time as the log has it, in all its digits.
std::string time(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "null";
}

std::string literal_text(const Model& model, const finding::Literal& literal) {
  return finding::to_text(model, finding::Conjunction{literal});
}

void add_case(json::Object& object, const Model& model, const rank::Report& report,
              std::uint32_t the_case) {
  const Fault fault = as_fault(report, the_case);
  object.add_text("kind", finding::name(fault.kind));
  object.add_text("state", model.states[fault.state].name);
  add_facts(object, model, fault);
  object.add("at", json_place(model, finding::position(model, fault)));
}

std::string id_of(const Model& model, const rank::Report& report, std::uint32_t the_case) {
  const finding::Case& one = report.cases[the_case];
  return fingerprint(model, report.faults[one.fault], one.situation);
}

std::string json_seen(const rank::Seen& seen) {
  if (seen.entries == 0) return "null";
  json::Object object;
  object.add_number("times", seen.times);
  object.add_number("entries", seen.entries);
  object.add("seconds", number(seen.seconds));
  object.add_number("first_line", seen.first_line);
  object.add("first", time(seen.first_time));
  object.add("last", time(seen.last_time));
  return object.json();
}

void add_happened(json::Object& object, const std::optional<rank::Happened>& happened) {
  object.add("happened", happened ? std::to_string(happened->times) : "null");
  if (happened && happened->at_most > happened->times) {
    object.add_number("happened_at_most", happened->at_most);
  }
  object.add("first", happened ? time(happened->first_time) : "null");
  object.add("last", happened ? time(happened->last_time) : "null");
}

std::string json_ranked(const Model& model, const rank::Report& report, std::size_t place,
                        std::size_t group) {
  const rank::Ranked& ranked = report.ranked[place];
  json::Object object(1024);
  object.add_number("rank", place + 1);
  object.add_text("id", id_of(model, report, ranked.the_case));
  object.add_number("group", group);
  object.add("probability", number(ranked.probability));
  object.add("gain", number(ranked.gain));
  if (ranked.verdict != rank::Verdict::None) object.add_text("verdict", name(ranked.verdict));
  object.add_text("basis", name(ranked.basis));
  add_happened(object, ranked.happened);
  json::Object likelihood;
  likelihood.add("share", number(ranked.likelihood.share));
  likelihood.add("low", number(ranked.likelihood.low));
  likelihood.add("high", number(ranked.likelihood.high));
  object.add("likelihood", likelihood.json());
  object.add("situation_seen", json_seen(ranked.seen));
  std::vector<std::string> against;
  for (const std::string& text : objections(model, ranked)) {
    against.push_back(json::quoted(text));
  }
  object.add("against", json::list(against));
  add_case(object, model, report, ranked.the_case);
  return object.json();
}

std::string json_pruned(const Model& model, const rank::Report& report,
                        const rank::Pruned& pruned) {
  json::Object object(1024);
  object.add_text("id", id_of(model, report, pruned.the_case));
  object.add_text("by", pruned.exclusion ? "pair" : "types");
  object.add_text("constraint", pruned.exclusion
                                    ? to_text(model, report.exclusions[*pruned.exclusion])
                                    : "types and constraints together");
  add_happened(object, pruned.happened);
  add_case(object, model, report, pruned.the_case);
  return object.json();
}

std::string json_log(const rank::LogSummary& log) {
  json::Object object;
  object.add_number("entries", log.entries);
  object.add_number("skipped", log.skipped);
  object.add_number("distinct", log.distinct);
  object.add("seconds", number(log.seconds));
  return object.json();
}

std::string json_replay_summary(const rank::ReplaySummary& replay) {
  using End = rank::ReplaySummary::End;
  json::Object object;
  object.add("complete", replay.end == End::Whole ? "true" : "false");
  if (replay.end != End::Whole) {
    object.add_text("reason", not_replayed_text(replay));
    return object.json();
  }
  object.add_number("instances", replay.instances);
  object.add_number("unknown_starts", replay.unknown_starts);
  object.add_number("states_tried", replay.most_starts);
  object.add_number("undecided", replay.undecided);
  object.add_number("fired", replay.firings);
  object.add_number("incidents", replay.incidents);
  object.add_number("unlisted", replay.unlisted);
  return object.json();
}

std::string json_quality(const rank::Quality& quality) {
  json::Object object;
  object.add_text("ranking", quality.ranking);
  object.add("dcg", number(quality.dcg));
  object.add("top_true", number(quality.top_true));
  object.add("top_tenth", number(quality.top_tenth));
  return object.json();
}

std::string json_edge(const Model& model, const rank::Edge& edge) {
  json::Object object;
  object.add_text("from", literal_text(model, edge.from));
  object.add_text("to", literal_text(model, edge.to));
  object.add("support", number(edge.support));
  object.add("confidence", number(edge.confidence));
  return object.json();
}

}  // namespace

std::string rank_json(const Model& model, const rank::Report& report) {
  Document document("poise.rank/1", model);
  document.add("method", json::quoted(name(report.method)));
  document.add(report.extent);
  document.add("log", json_log(report.log));
  document.add("replay", json_replay_summary(report.replay));
  document.add("reported", std::to_string(report.cases.size()));
  document.add("pruned_by_pairs", std::to_string(report.pruned_by_pairs));
  document.add("pruned_exactly", std::to_string(report.pruned_exactly));
  document.add("verdicts", std::to_string(report.verdicts));
  document.add_lines("constraints", report.exclusions, [&](const rank::Exclusion& exclusion) {
    return json::quoted(to_text(model, exclusion));
  });
  const std::vector<std::size_t> groups = groups_of_ranked(report);
  std::size_t place = 0;
  document.add_lines("faults", report.ranked, [&](const rank::Ranked&) {
    const std::size_t i = place++;
    return json_ranked(model, report, i, groups[i]);
  });
  document.add_lines("pruned", report.pruned, [&](const rank::Pruned& pruned) {
    return json_pruned(model, report, pruned);
  });
  if (!report.quality.empty()) document.add_lines("quality", report.quality, json_quality);
  return document.finished();
}

std::string constraints_json(const Model& model, const rank::Report& report) {
  std::vector<std::string> exclusions;
  for (const rank::Exclusion& exclusion : report.exclusions) {
    exclusions.push_back(json::quoted(to_text(model, exclusion)));
  }
  std::vector<std::string> edges;
  for (const rank::Edge& edge : report.edges) edges.push_back(json_edge(model, edge));
  return fmt::format(
      "{{\n  \"schema\": \"poise.constraints/1\",\n  \"model\": {},\n  \"deterministic\": {},\n"
      "  \"probabilistic\": {}\n}}\n",
      json::quoted(model.name), json::lines(exclusions, 4), json::lines(edges, 4));
}

std::string constraint_graph_json(const Model& model, const rank::Report& report) {
  std::set<finding::Literal> literals;
  std::vector<std::string> edges;
  for (const rank::Edge& edge : report.edges) {
    literals.insert(edge.from);
    literals.insert(edge.to);
    edges.push_back(json_edge(model, edge));
  }
  std::vector<std::string> vertices;
  for (const finding::Literal& literal : literals) {
    vertices.push_back(json::quoted(literal_text(model, literal)));
  }
  return fmt::format("{{\n  \"vertices\": {},\n  \"edges\": {}\n}}\n", json::lines(vertices, 4),
                     json::lines(edges, 4));
}

std::string constraint_graph_dot(const Model& model, const rank::Report& report) {
  std::string dot = "digraph constraints {\n  node [shape=box, style=rounded];\n";
  for (const rank::Edge& edge : report.edges) {
    dot += fmt::format("  {} -> {} [label=\"{:.2f}\", penwidth={:.1f}];\n",
                       json::quoted(literal_text(model, edge.from)),
                       json::quoted(literal_text(model, edge.to)), edge.confidence,
                       1 + 2 * edge.confidence);
  }
  return dot + "}\n";
}

}  // namespace poise::report
