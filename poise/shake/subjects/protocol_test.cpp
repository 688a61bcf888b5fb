#include "poise/shake/subjects/protocol.h"

#include <limits>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::shake {
namespace {

constexpr double kNoNumberHere = std::numeric_limits<double>::quiet_NaN();

std::vector<Field> some_fields() {
  return {{.name = "cache", .kind = Field::Kind::Boolean},
          {.name = "servers", .kind = Field::Kind::Number, .low = 1, .high = 100},
          {.name = "mode", .kind = Field::Kind::Symbol, .symbols = {"off", "heating"}}};
}

TEST(Protocol, ReadsAVariantInAnyOrder) {
  const auto variant =
      variant_from(R"({"mode": "heating", "servers": 2.5e1, "cache": true})", some_fields());
  ASSERT_TRUE(variant.has_value()) << variant.error().message;
  EXPECT_EQ(*variant, (Variant{1, 25, 1}));
}

TEST(Protocol, SaysWhatIsWrongWithAnAnswer) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "it is no JSON object"},
      {"Traceback (most recent call last):", "it is no JSON object"},
      {R"({"cache": true, "servers": 3})", "`mode` is missing"},
      {R"({"cache": 1, "servers": 3, "mode": "off"})", "`cache` is no boolean"},
      {R"({"cache": true, "servers": "3", "mode": "off"})", "`servers` is no number"},
      {R"({"cache": true, "servers": 1e999, "mode": "off"})", "`servers` is no number"},
      {R"({"cache": true, "servers": 3, "mode": "on"})", "`mode` is none of its values"},
      {R"({"cache": true, "cache": true, "servers": 3, "mode": "off"})", "`cache` is there twice"},
      {R"({"ram": 3})", "`ram` is not declared as a variant"},
      {"\xff", "it is not UTF-8"},
  };
  for (const auto& [line, expected] : cases) {
    const auto variant = variant_from(line, some_fields());
    ASSERT_FALSE(variant.has_value()) << line;
    EXPECT_EQ(variant.error().message, expected) << line;
  }
  EXPECT_FALSE(variant_from(R"({"cache": true, "servers": 3, "mode": "off"} x)", some_fields()));
}

TEST(Protocol, WritesAContextInTheWordsOfTheModel) {
  const lang::Parsed parsed = lang::parse({.name = "phone.poise", .text = R"(
    sense gps.on : bool
    sense gps.place : {home, office} if gps.on
    sense speed : real 0..10
    sense near : set {car, pc}
    state A initial
  )"});
  ASSERT_TRUE(parsed.model.has_value());
  Grid grid;
  for (const char* name : {"gps.on", "gps.place", "speed", "near has car", "near has pc"}) {
    grid.properties.push_back({.name = name, .values = {}, .texts = {}});
  }
  for (std::uint32_t i = 0; i < 5; ++i) grid.properties[i].slot = model::SlotId{i};
  const double office = parsed.model->variables[model::VariableId{1}].type.members[1].index;
  EXPECT_EQ(context_line(*parsed.model, grid, std::vector<double>{1, office, 2.5, 0, 1}),
            R"({"gps.on": true, "gps.place": "office", "speed": 2.5, "near": ["pc"]})");
  EXPECT_EQ(context_line(*parsed.model, grid, std::vector<double>{0, kNoNumberHere, 0.1, 0, 0}),
            R"({"gps.on": false, "gps.place": null, "speed": 0.1, "near": []})");
  EXPECT_EQ(fields_of(*parsed.model).front().symbols, std::vector<std::string>{"A"});
  EXPECT_EQ(first_variant(*parsed.model), Variant{0});
}

}  // namespace
}  // namespace poise::shake
