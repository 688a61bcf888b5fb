#include "cli/live/mqtt_map.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/live/mqtt_address.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"

namespace poise::cli {
namespace {

const model::Model& house() {
  static const lang::Parsed parsed = lang::parse({.name = "house.poise", .text = R"(
    sense gps.on    : bool
    sense gps.speed : real 0..300 if gps.on
    sense seen      : set {car, pc}
    sense mode      : {calm, busy}
    stream boxes { tag: string, n: int 0..9 }
    state A initial
  )"});
  EXPECT_TRUE(parsed.model.has_value());
  return *parsed.model;
}

std::string mistakes(const std::string& text) {
  std::string all;
  for (const MqttMapMistake& mistake : mqtt_map_from(text, house()).mistakes) {
    all += fmt::format("{}:{}: {}\n", mistake.line, mistake.column, mistake.message);
  }
  return all;
}

MqttRow row(const std::string& text) {
  const ReadMqttMap read = mqtt_map_from(text, house());
  EXPECT_EQ(mistakes(text), "");
  if (!read.map || read.map->rows.size() != 1) return {};
  return read.map->rows.front();
}

// The line of a message, or what is wrong with it.
std::string line(const std::string& map, const std::string& topic, const std::string& payload) {
  const auto read = line_from(row(map), topic, payload, 1'500'000'000);
  if (!read) return "wrong: " + read.error().message;
  if (!*read) return "nothing";
  // Whatever comes of a message, the reader of logs has the last word; here all are right.
  watch::Monitor monitor(house(), {});
  watch::Feed feed(house(), monitor);
  const auto said = feed.read(2, **read);
  EXPECT_TRUE(said) << **read << " " << (said ? "" : said.error().message);
  return **read;
}

TEST(MqttMap, HasRows) {
  const ReadMqttMap read = mqtt_map_from(
      "# a comment\n"
      "\n"
      "  topic home/+/gps -> set app +1 time at\r\n"
      "topic \"two words/#\" -> add boxes\n"
      "topic + -> set mode as text app \"a b\"\n"
      "topic # -> line",
      house());
  ASSERT_TRUE(read.map);
  const std::vector<MqttRow>& rows = read.map->rows;
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].action, MqttRow::Action::SetAll);
  EXPECT_EQ(rows[0].filter, "home/+/gps");
  EXPECT_EQ(rows[0].app_wildcard, 1U);
  EXPECT_EQ(rows[0].time_field, "at");
  EXPECT_EQ(rows[1].filter, "two words/#");
  EXPECT_EQ(rows[1].name, "boxes");
  EXPECT_TRUE(rows[2].text);
  EXPECT_EQ(rows[2].app, "a b");
  EXPECT_EQ(rows[3].action, MqttRow::Action::Line);
}

TEST(MqttMap, SaysWhereAMistakeIs) {
  EXPECT_EQ(mistakes(""), "1:1: no row: nothing would be read\n");
  EXPECT_EQ(mistakes("# only\n"), "1:1: no row: nothing would be read\n");
  EXPECT_EQ(mistakes("topics a -> line"), "1:1: a row begins with `topic`, not with `topics`\n");
  EXPECT_EQ(mistakes("topic"), "1:6: a topic is missing\n");
  EXPECT_EQ(mistakes("topic a"), "1:8: `->` is missing\n");
  EXPECT_EQ(mistakes("topic a = line"), "1:9: expected `->`, not `=`\n");
  EXPECT_EQ(mistakes("topic a ->"), "1:11: `set`, `add`, `remove` or `line` is missing\n");
  EXPECT_EQ(mistakes("topic a -> put x"),
            "1:12: expected `set`, `add`, `remove` or `line`, not `put`\n");
  EXPECT_EQ(mistakes("topic a -> set gps.sped"),
            "1:16: unknown variable `gps.sped`; did you mean `gps.speed`?\n");
  EXPECT_EQ(mistakes("topic a -> add boxs"),
            "1:16: unknown stream or set `boxs`; did you mean `boxes`?\n");
  EXPECT_EQ(mistakes("topic a -> add mode"), "1:16: `mode` is neither a stream nor a set\n");
  EXPECT_EQ(mistakes("topic a -> add"), "1:15: the name of a stream or set is missing\n");
  EXPECT_EQ(mistakes("topic é/x -> set mode from"), "1:27: the name of a field is missing\n");
  EXPECT_EQ(mistakes("topic a -> set mode as number"), "1:24: expected `text`, not `number`\n");
  EXPECT_EQ(mistakes("topic a -> add boxes as text"),
            "1:22: expected `app`, `time` or the end of the line, not `as`\n");
  EXPECT_EQ(mistakes("topic a/+ -> set app +2"), "1:22: `+2`, where the topic has 1 `+`\n");
  EXPECT_EQ(mistakes("topic a -> set app +1"), "1:20: `+1`, where the topic has no `+`\n");
  EXPECT_EQ(mistakes("topic + -> set app +x"), "1:20: expected `+` and a number, not `+x`\n");
  EXPECT_EQ(mistakes("topic + -> set app +"), "1:20: `+`, where the topic has 1 `+`\n");
  EXPECT_EQ(mistakes("topic + -> set app x app y"), "1:22: `app` for the second time\n");
  EXPECT_EQ(mistakes("topic a -> set mode time at"),
            "1:21: the payload has no fields, so none can be the time\n");
  EXPECT_EQ(mistakes("topic a -> line time at"), "1:17: a `line` says itself when it was\n");
  EXPECT_EQ(mistakes("topic a -> line app x"),
            "1:17: a `line` says itself which instance it is about\n");
  EXPECT_EQ(mistakes("topic a -> set mode from at time at"),
            "1:34: `at` cannot be the value and the time\n");
  EXPECT_EQ(mistakes("topic \"a -> line"), "1:7: a text in quotes that does not end\n");
  EXPECT_EQ(mistakes("topic a/b# -> line"), "1:7: `#` stands for whole levels of a topic\n");
  EXPECT_EQ(mistakes("topic a/#/b -> line"), "1:7: nothing can follow `#` in a topic\n");
  EXPECT_EQ(mistakes("topic \"\" -> line"), "1:7: a topic has at least one letter\n");
  EXPECT_EQ(mistakes("topic a\xFF -> line"), "1:8: not UTF-8\n");
  EXPECT_EQ(mistakes("topic a -> line\nx\ntopic b -> line\ny"),
            "2:1: a row begins with `topic`, not with `x`\n"
            "4:1: a row begins with `topic`, not with `y`\n");
}

TEST(MqttMap, MatchesTopics) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(matched("a/b", "a/b"), Parts{});
  EXPECT_EQ(matched("a/b", "a/B"), std::nullopt);
  EXPECT_EQ(matched("a/b", "a/b/c"), std::nullopt);
  EXPECT_EQ(matched("a/b/c", "a/b"), std::nullopt);
  EXPECT_EQ(matched("a/+/c", "a/b/c"), Parts{"b"});
  EXPECT_EQ(matched("a/+", "a"), std::nullopt);
  EXPECT_EQ(matched("a/+", "a/"), Parts{""});
  EXPECT_EQ(matched("+/+", "/x"), (Parts{"", "x"}));
  EXPECT_EQ(matched("+", "/x"), std::nullopt);
  EXPECT_EQ(matched("#", "a/b/c"), Parts{});
  EXPECT_EQ(matched("a/#", "a"), Parts{});
  EXPECT_EQ(matched("a/#", "ab"), std::nullopt);
  EXPECT_EQ(matched("+/b/#", "a/b/c/d"), Parts{"a"});
  EXPECT_EQ(matched("#", "$SYS/load"), std::nullopt);
  EXPECT_EQ(matched("+/load", "$SYS/load"), std::nullopt);
  EXPECT_EQ(matched("$SYS/#", "$SYS/load"), Parts{});
  EXPECT_EQ(matched("a", ""), std::nullopt);
}

TEST(MqttMap, MakesLinesOfMessages) {
  EXPECT_EQ(line("topic a -> set gps.on", "a", "true"), R"({"t": 1.5, "set": {"gps.on": true}})");
  EXPECT_EQ(line("topic +/a -> set mode app +1", "x y/a", " \"busy\"\n"),
            R"({"t": 1.5, "app": "x y", "set": {"mode": "busy"}})");
  EXPECT_EQ(line("topic a -> set mode as text", "a", "busy"),
            R"({"t": 1.5, "set": {"mode": "busy"}})");
  EXPECT_EQ(line("topic a -> set", "a", "{\"gps.on\": true,\n \"gps.speed\": 7.50}"),
            R"({"t": 1.5, "set": {"gps.on": true, "gps.speed": 7.50}})");
  EXPECT_EQ(line("topic a -> set time at", "a", R"({"at": 12e0, "gps.on": true, "mode": null})"),
            R"({"t": 12e0, "set": {"gps.on": true, "mode": null}})");
  EXPECT_EQ(line("topic a -> set", "a", "{}"), R"({"t": 1.5, "set": {}})");
  EXPECT_EQ(line("topic a -> set mode from m", "a", R"({"x": [1, {}], "\u006D": "calm"})"),
            R"({"t": 1.5, "set": {"mode": "calm"}})");
  EXPECT_EQ(line("topic a -> set mode from m", "a", R"({"x": 1})"), "nothing");
  EXPECT_EQ(line("topic a -> add boxes app b", "a", R"({"tag": "x\"", "n": 3})"),
            R"({"t": 1.5, "app": "b", "add": "boxes", "value": {"tag": "x\"", "n": 3}})");
  EXPECT_EQ(line("topic a -> remove boxes time t", "a", R"({"tag": "x", "t": 4})"),
            R"({"t": 4, "remove": "boxes", "value": {"tag": "x"}})");
  EXPECT_EQ(line("topic a -> add seen as text", "a", "car"),
            R"({"t": 1.5, "add": "seen", "value": "car"})");
  EXPECT_EQ(line("topic a -> line", "a", "{\"t\": 2,\n\"add\": \"seen\", \"value\": \"pc\"}"),
            R"({"t": 2, "add": "seen", "value": "pc"})");
}

TEST(MqttMap, RefusesWrongMessages) {
  EXPECT_EQ(line("topic a -> set gps.on", "a", ""), "wrong: column 1: expected a value");
  EXPECT_EQ(line("topic a -> set gps.on", "a", "ON"), "wrong: column 1: expected a value");
  // Nothing gets out of its place.
  EXPECT_EQ(line("topic a -> set gps.on", "a", "true}, \"app\": {"),
            "wrong: column 5: expected nothing more");
  EXPECT_EQ(line("topic a -> set", "a", "5"), "wrong: column 1: expected `{`");
  EXPECT_EQ(line("topic a -> set time at", "a", R"({"mode": "calm"})"),
            "wrong: no `at`, which should be the time");
  EXPECT_EQ(line("topic a -> set time at", "a", R"({"at": "noon"})"),
            "wrong: column 8: `at` takes a number of seconds");
  EXPECT_EQ(line("topic a -> set time at", "a", R"({"at": 1, "at": 2})"),
            "wrong: column 11: `at` for the second time");
  EXPECT_EQ(line("topic a -> set mode as text", "a", "\xFF"), "wrong: not UTF-8");
  EXPECT_EQ(line("topic a -> set mode as text", "a", std::string(2'000'000, 'x')),
            "wrong: a payload of more than 1048576 bytes");
}

TEST(MqttAddress, IsReadFromAUrl) {
  const auto plain = mqtt_address_from("mqtt://broker");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->host, "broker");
  EXPECT_EQ(plain->port, 1883);
  EXPECT_FALSE(plain->tls);
  EXPECT_EQ(plain->url(), "mqtt://broker:1883");
  const auto all = mqtt_address_from("mqtts://me@[::1]:99/");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->host, "::1");
  EXPECT_EQ(all->user, "me");
  EXPECT_TRUE(all->tls);
  EXPECT_EQ(all->url(), "mqtts://[::1]:99");
  EXPECT_EQ(mqtt_address_from("mqtts://h")->port, 8883);
  for (const char* wrong :
       {"", "broker", "http://h", "mqtt://", "mqtt://:1", "mqtt://h:", "mqtt://h:0",
        "mqtt://h:65536", "mqtt://h:x", "mqtt://@h", "mqtt://h/path", "mqtt://[::1",
        "mqtt://[::1]x", "mqtt://[::1]:", "mqtt://a b"}) {
    EXPECT_FALSE(mqtt_address_from(wrong)) << wrong;
  }
  const auto password = mqtt_address_from("mqtt://me:secret@h");
  ASSERT_FALSE(password);
  EXPECT_EQ(password.error().message.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace poise::cli
