#include "poise/log/json_lines.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/models.h"

namespace poise::log {
namespace {

using test::model_of;

constexpr const char* kPhone = R"(
  sense gps.on     : bool
  sense gps.place  : {home, office, elsewhere} if gps.on
  sense gps.speed  : real 0..350 if gps.on
  sense bt.devices : set {car_handsfree, home_pc, office_pc}
  sense bt.near    : set {home_pc, tag} if gps.on
  sense bt.count   : int -5..50
  var ringer       : {loud, mute} = loud
  state A initial
  rule r: A -> A when gps.on
)";

// "gps.on=true bt.devices.home_pc=false gps.speed=none bt.count=unknown"
std::string to_text(const model::Model& model, const Entry& entry) {
  std::string text;
  for (const Update& update : entry.updates) {
    const model::Slot& slot = model.slots[update.slot];
    const model::Variable& variable = model.variables[slot.variable];
    text += text.empty() ? "" : " ";
    text += variable.name;
    if (variable.type.kind == model::TypeKind::Set) {
      text += "." + model.symbols[variable.type.members[slot.member]];
    }
    text += "=";
    switch (update.kind) {
      case Update::Kind::Value: text += model::to_text(model, update.slot, update.value); break;
      case Update::Kind::None: text += "none"; break;
      case Update::Kind::Unknown: text += "unknown"; break;
    }
  }
  return text;
}

class JsonLinesTest : public testing::Test {
 protected:
  // The updates of the next line, "(blank)", or the mistake.
  std::string read(std::string_view line) {
    const Result<const Entry*> entry = log_.read(++line_, line);
    if (!entry) return entry.error().message;
    return *entry == nullptr ? "(blank)" : to_text(model_, **entry);
  }

  const model::Model model_ = model_of(kPhone);
  JsonLines log_{model_};
  std::size_t line_ = 0;
};

TEST_F(JsonLinesTest, ReadsValuesOfEveryType) {
  EXPECT_EQ(read(R"({"t": 1, "set": {"gps.on": true, "gps.place": "office", "gps.speed": 7.2}})"),
            "gps.on=true gps.place=office gps.speed=7.2");
  EXPECT_EQ(read(R"({"t": 2, "set": {"bt.count": -3, "ringer": "mute"}})"),
            "bt.count=-3 ringer=mute");
  EXPECT_EQ(read(R"({"t": 2, "set": {"bt.count": 2.50e1}})"), "bt.count=25");
  EXPECT_EQ(read(R"({"set": {}})"), "");
  EXPECT_EQ(read(R"({"t": 3})"), "");
}

TEST_F(JsonLinesTest, ReadsSetsAsAWholeAndByMember) {
  EXPECT_EQ(read(R"({"set": {"bt.devices": ["home_pc"]}})"),
            "bt.devices.car_handsfree=false bt.devices.home_pc=true bt.devices.office_pc=false");
  EXPECT_EQ(read(R"({"set": {"bt.devices": []}})"),
            "bt.devices.car_handsfree=false bt.devices.home_pc=false bt.devices.office_pc=false");
  EXPECT_EQ(read(R"({"add": "bt.devices", "value": "home_pc"})"), "bt.devices.home_pc=true");
  EXPECT_EQ(read(R"({"value": "home_pc", "t": 1, "remove": "bt.devices"})"),
            "bt.devices.home_pc=false");
}

TEST_F(JsonLinesTest, TakesNullForNoValueOrForAGap) {
  EXPECT_EQ(read(R"({"set": {"gps.on": null, "gps.speed": null, "ringer": null}})"),
            "gps.on=unknown gps.speed=none ringer=unknown");
  EXPECT_EQ(read(R"({"set": {"bt.near": null, "bt.devices": null}})"),
            "bt.near.home_pc=none bt.near.tag=none bt.devices.car_handsfree=unknown "
            "bt.devices.home_pc=unknown bt.devices.office_pc=unknown");
}

TEST_F(JsonLinesTest, GivesLineTimeAndInstance) {
  const Result<const Entry*> entry =
      log_.read(17, R"({"app": "forklift-3", "set": {}, "t": 12.5})");
  ASSERT_TRUE(entry);
  EXPECT_EQ((*entry)->line, 17U);
  EXPECT_EQ((*entry)->time, 12.5);
  EXPECT_EQ((*entry)->app, "forklift-3");
  const std::string_view name = (*entry)->app;
  EXPECT_EQ(read(R"({"t": 1, "app": "\u0061nother", "set": {}})"), "");
  EXPECT_EQ(name, "forklift-3");
}

TEST_F(JsonLinesTest, SkipsBlankLines) {
  EXPECT_EQ(read(""), "(blank)");
  EXPECT_EQ(read(" \t\r\n"), "(blank)");
  EXPECT_EQ(read("{\"t\": 1}\r\n"), "");
}

TEST_F(JsonLinesTest, AcceptsAByteOrderMarkOnlyAtTheStart) {
  EXPECT_EQ(read("\xEF\xBB\xBF{\"t\": 1}"), "");
  EXPECT_EQ(read("\xEF\xBB\xBF{\"t\": 1}"), "column 1: expected `{`");
}

TEST_F(JsonLinesTest, RefusesWrongLines) {
  const std::pair<const char*, const char*> cases[] = {
      {"7", "column 1: expected `{`"},
      {"[]", "column 1: expected `{`"},
      {R"({"t" 1})", "column 6: expected `:`"},
      {R"({"t": 1} x)", "column 10: expected nothing more"},
      {R"({"t": "1"})", "column 7: expected a number"},
      {R"({"t": 1e999})", "column 7: `1e999` is not a time"},
      {R"({"app": 3, "set": {}})", "column 9: expected a string"},
      {R"({"t": 1, "t": 2})", "column 10: `t` for the second time"},
      {R"({"sett": {}})", "column 2: unknown key `sett`; did you mean `set`?"},
      {R"({"a\nb": {}})", "column 2: unknown key `a\uFFFDb`"},
      {"{}", "column 1: neither `set` nor `add` nor `remove`"},
      {R"({"set": {}, "add": "bt.devices", "value": "home_pc"})",
       "column 1: more than one of `set`, `add` and `remove`"},
      {R"({"add": "bt.devices"})", "column 1: no `value`"},
      {R"({"set": {}, "value": 3})", "column 1: `value` without `add` or `remove`"},
      {R"({"set": []})", "column 9: expected `{`"},
      {R"({"set": {"gps.on": true, "gps.on": true}})", "column 26: `gps.on` for the second time"},
      {R"({"set": {"x": 1, "y": 1, "x": 2}})", "column 26: `x` for the second time"},
      {R"({"set": {"x": {"a": 1, "a": 2}}})", "column 24: a key for the second time"},
      {R"({"set": {"gps.on": 1}})", "column 20: `gps.on` takes true or false, not `1`"},
      {R"({"set": {"gps.on": tru}})", "column 20: expected `true`"},
      {R"({"set": {"gps.speed": 350.01}})",
       "column 23: `gps.speed` takes a number in 0..350, not `350.01`"},
      {R"({"set": {"gps.speed": "fast"}})",
       "column 23: `gps.speed` takes a number in 0..350, not `\"fast\"`"},
      {R"({"set": {"gps.speed": 1e401}})", "column 23: an exponent that is not in -400..400"},
      {R"({"set": {"bt.count": 2.5}})",
       "column 22: `bt.count` takes a whole number in -5..50, not `2.5`"},
      {R"({"set": {"bt.count": -6}})",
       "column 22: `bt.count` takes a whole number in -5..50, not `-6`"},
      {R"({"set": {"gps.place": "hme"}})",
       "column 23: `gps.place` has no member `hme`; did you mean `home`?"},
      {R"({"set": {"gps.place": "mute"}})", "column 23: `gps.place` has no member `mute`"},
      {R"({"set": {"gps.place": ["home"]}})",
       "column 23: `gps.place` takes one of its members, not `[\"home\"]`"},
      {R"({"set": {"bt.devices": "home_pc"}})",
       "column 24: `bt.devices` takes a list of its members, not `\"home_pc\"`"},
      {R"({"set": {"bt.devices": [1]}})", "column 25: expected a string"},
      {R"({"set": {"bt.devices": ["home_pc", "tag"]}})",
       "column 36: `bt.devices` has no member `tag`"},
      {R"({"add": "gps.place", "value": "home"})", "column 9: `gps.place` is not a set"},
      {R"({"add": "bt.devices", "value": ["home_pc"]})", "column 32: expected a string"},
      {R"({"add": "bt.devices", "value": "tag"})", "column 32: `bt.devices` has no member `tag`"},
      {R"({"t": 12.9, "add": "bt.devices", "value": {"tag": "x17"}})",
       "column 43: expected a string"},
      {"{\"set\": {\"\xFF\": 1}}", "column 11: not UTF-8"},
  };
  for (const auto& [line, message] : cases) EXPECT_EQ(read(line), message) << line;
  EXPECT_EQ(log_.unknown_names(), 0U);
}

TEST_F(JsonLinesTest, RefusesLongLines) {
  std::string line = R"({"t": 1})";
  line.resize(kMaxLineSize, ' ');
  EXPECT_EQ(read(line), "");
  EXPECT_EQ(read(line + " "), "a line of more than 1048576 bytes");
}

TEST_F(JsonLinesTest, DoesNotLetTimeGoBackForOneInstance) {
  EXPECT_EQ(read(R"({"t": 12.5, "app": "a", "set": {}})"), "");
  EXPECT_EQ(read(R"({"t": 3, "app": "b", "set": {}})"), "");
  EXPECT_EQ(read(R"({"t": 3, "app": "a", "set": {}})"), "time goes back from 12.5 to 3");
  EXPECT_EQ(read(R"({"app": "a", "set": {}})"), "");
  EXPECT_EQ(read(R"({"t": 12.5, "app": "a", "set": {}})"), "");
}

TEST_F(JsonLinesTest, ForgetsAWrongLine) {
  EXPECT_EQ(read(R"({"t": 99, "set": {"x": 1, "gps.on": 3}})"),
            "column 37: `gps.on` takes true or false, not `3`");
  EXPECT_EQ(log_.unknown_names(), 0U);
  EXPECT_EQ(read(R"({"t": 1, "set": {"gps.on": false}})"), "gps.on=false");
}

TEST_F(JsonLinesTest, CountsNamesTheModelDoesNotKnow) {
  EXPECT_EQ(read(R"({"t": 1, "set": {"wifi.b": {"x": [1]}, "gps.on": true, "wifi.a": 3}})"),
            "gps.on=true");
  EXPECT_EQ(read(R"({"t": 1, "add": "wifi.names", "value": "home"})"), "");
  EXPECT_EQ(log_.unknown_names(), 3U);
  ASSERT_TRUE(log_.first_unknown());
  EXPECT_EQ(log_.first_unknown()->name, "wifi.b");
  EXPECT_EQ(log_.first_unknown()->line, 1U);
}

// The value is read twice, and what is written out of its escapes as well: more than the line has.
TEST(JsonLines, KeepsANameWithEscapesWhileTheValueIsReadAgain) {
  const model::Model model = model_of("stream boxes { tag: string }\nstate A initial");
  JsonLines log(model, JsonLines::Times::Unchecked);
  const std::string tag(200, 'x');
  const std::string line =
      R"({"app": "\"a\" robot with a long name", "add": "boxes", "value": {"tag": ")" + tag +
      R"(\t", "other)" + tag + R"(\t": 1}})";
  const Result<const Entry*> entry = log.read(2, line);
  ASSERT_TRUE(entry && *entry != nullptr);
  EXPECT_EQ((*entry)->app, "\"a\" robot with a long name");
  EXPECT_EQ((*entry)->element->fields.front().text, tag + "\t");
}

}  // namespace
}  // namespace poise::log
