#include "poise/report/flow_export.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace poise::report {

namespace {

std::string cell_of(const shake::Property& property, shake::Index index) {
  return index == shake::kNoValue ? "" : property.texts[index];
}

// Quoted as in RFC 4180, if need be.
std::string quoted_cell(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

struct Stage {
  double seconds;
  double target;
};

// No value (NaN) and negative numbers are no load.
std::vector<Stage> stages_of(const shake::Grid& grid, const shake::Flow& flow, double tick,
                             std::size_t property) {
  std::vector<Stage> stages;
  for (const shake::Instance& instance : flow) {
    const double value = shake::value_of(grid.properties[property], instance[property]);
    const double target = value > 0 ? std::round(value) : 0;
    if (!stages.empty() && stages.back().target == target) {
      stages.back().seconds += tick;
    } else {
      stages.push_back({tick, target});
    }
  }
  return stages;
}

}  // namespace

std::string flow_csv(const shake::Grid& grid, const shake::Flow& flow, double tick) {
  std::string text = "t";
  for (const shake::Property& property : grid.properties) text += "," + quoted_cell(property.name);
  text += "\n";
  for (std::size_t i = 0; i < flow.size(); ++i) {
    text += fmt::format("{}", static_cast<double>(i) * tick);
    for (std::size_t p = 0; p < grid.properties.size(); ++p) {
      text += "," + quoted_cell(cell_of(grid.properties[p], flow[i][p]));
    }
    text += "\n";
  }
  return text;
}

// k6 interpolates from one target to the next, so each stage begins with one of zero seconds that
// jumps to its target; users that are too many stop at once.
std::string flow_k6(const shake::Grid& grid, const shake::Flow& flow, double tick,
                    std::size_t property) {
  std::string text = fmt::format(
      "// {0} over time, as virtual users: a user for each 1 of {0}. A tick is {1:g}s.\n"
      "//   k6 run -e TARGET=http://localhost:8080/ quake.js\n"
      "import http from 'k6/http';\n"
      "import {{ sleep }} from 'k6';\n"
      "\n"
      "export const options = {{\n"
      "  scenarios: {{\n"
      "    quake: {{\n"
      "      executor: 'ramping-vus',\n"
      "      startVUs: 0,\n"
      "      gracefulRampDown: '0s',\n"
      "      stages: [\n",
      grid.properties[property].name, tick);
  for (const Stage& stage : stages_of(grid, flow, tick, property)) {
    text += fmt::format(
        "        {{ duration: '0s', target: {0} }}, {{ duration: '{1}s', target: {0} }},\n",
        stage.target, stage.seconds);
  }
  return text +
         "      ],\n"
         "    },\n"
         "  },\n"
         "};\n"
         "\n"
         "// What a user does: a request a second. Put yours here.\n"
         "export default function () {\n"
         "  http.get(__ENV.TARGET || 'http://localhost:8080/');\n"
         "  sleep(1);\n"
         "}\n";
}

std::string flow_locust(const shake::Grid& grid, const shake::Flow& flow, double tick,
                        std::size_t property) {
  std::string text = fmt::format(
      "# {0} over time, as users: a user for each 1 of {0}. A tick is {1:g}s.\n"
      "#   locust --headless --host http://localhost:8080 -f quake.py\n"
      "from locust import HttpUser, LoadTestShape, constant, task\n"
      "\n"
      "\n"
      "class Visitor(HttpUser):\n"
      "    \"\"\"What a user does: a request a second. Put yours here.\"\"\"\n"
      "\n"
      "    host = \"http://localhost:8080\"\n"
      "    wait_time = constant(1)\n"
      "\n"
      "    @task\n"
      "    def visit(self):\n"
      "        self.client.get(\"/\")\n"
      "\n"
      "\n"
      "class Quake(LoadTestShape):\n"
      "    # Until when, in seconds, and how many users.\n"
      "    stages = [\n",
      grid.properties[property].name, tick);
  double until = 0;
  double most = 1;
  for (const Stage& stage : stages_of(grid, flow, tick, property)) {
    until += stage.seconds;
    most = std::max(most, stage.target);
    text += fmt::format("        ({}, {}),\n", until, stage.target);
  }
  return text + fmt::format(
                    "    ]\n"
                    "\n"
                    "    def tick(self):\n"
                    "        now = self.get_run_time()\n"
                    "        for until, users in self.stages:\n"
                    "            if now < until:\n"
                    "                return users, {}\n"
                    "        return None\n",
                    most);
}

}  // namespace poise::report
