#include "poise/log/csv.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/models.h"

namespace poise::log {
namespace {

using test::model_of;

constexpr const char* kCsvPhone = R"(
  sense gps.on     : bool
  sense gps.place  : {home, none} if gps.on
  sense gps.speed  : real 0..350 if gps.on
  sense bt.devices : set {car, home_pc}
  sense bt.near    : set {tag} if gps.on
  sense bt.count   : int 0..50
  state A initial
  rule r: A -> A when gps.on
)";

// "true 7.2 none ?": one for each slot, in the order of the columns.
std::string csv_to_text(const model::Model& model, const Entry& entry) {
  std::string text;
  for (const Update& update : entry.updates) {
    text += text.empty() ? "" : " ";
    switch (update.kind) {
      case Update::Kind::Value: text += model::to_text(model, update.slot, update.value); break;
      case Update::Kind::None: text += "(none)"; break;
      case Update::Kind::Unknown: text += "?"; break;
    }
  }
  return text;
}

class CsvTest : public testing::Test {
 protected:
  std::string header(std::string_view line) {
    const Result<void> done = csv_.header(line);
    return done ? "ok" : done.error().message;
  }
  // The updates of the next row, "(blank)", or the mistake.
  std::string read(std::string_view line) {
    const Result<const Entry*> entry = csv_.read(++line_, line);
    if (!entry) return entry.error().message;
    return *entry == nullptr ? "(blank)" : csv_to_text(model_, **entry);
  }

  const model::Model model_ = model_of(kCsvPhone);
  Csv csv_{model_};
  std::size_t line_ = 1;
};

TEST_F(CsvTest, ReadsRows) {
  ASSERT_EQ(header("t,app,gps.on,gps.speed,gps.place,bt.devices,bt.count"), "ok");
  EXPECT_EQ(read("1.5,a,true,7.2,home,home_pc,3"), "true 7.2 home false true 3");
  EXPECT_EQ(read("2,a,0,,,car;home_pc,"), "false ? ? true true ?");
  EXPECT_EQ(read("2,b,False,null,none, home_pc  car ,1e1"), "false (none) none true true 10");
  EXPECT_EQ(read(",,,,,,"), "? ? ? false false ?");
  const Result<const Entry*> entry = csv_.read(7, "3,a,1,0,home,,0\r\n");
  ASSERT_TRUE(entry);
  EXPECT_EQ((*entry)->line, 7U);
  EXPECT_EQ((*entry)->time, 3.0);
  EXPECT_EQ((*entry)->app, "a");
}

TEST_F(CsvTest, TakesNullForNoValueOrForAGap) {
  ASSERT_EQ(header("gps.on,bt.devices,bt.near,bt.count"), "ok");
  EXPECT_EQ(read("none,null,none,null"), "? ? ? (none) ?");
}

TEST_F(CsvTest, UnderstandsQuotes) {
  ASSERT_EQ(header("\xEF\xBB\xBF\"t\",\"bt.devices\" , \"app\"\r\n"), "ok");
  EXPECT_EQ(read(R"("1" , "car home_pc" ,"say ""a,b""")"), "true true");
  const Result<const Entry*> entry = csv_.read(3, R"(1,"","say ""a,b""")");
  ASSERT_TRUE(entry);
  EXPECT_EQ((*entry)->app, R"(say "a,b")");
  EXPECT_EQ(read(R"(1,"car)"), "column 3: a quote that is not closed");
  EXPECT_EQ(read(R"(1,"car"x,a)"), "column 8: expected `,` after the quote");
  EXPECT_EQ(read(R"(1,c"ar,a)"), "column 4: a quote inside a cell without quotes");
}

TEST_F(CsvTest, RefusesWrongHeaders) {
  EXPECT_EQ(header(""), "column 1: a column without a name");
  EXPECT_EQ(header("t,,gps.on"), "column 3: a column without a name");
  EXPECT_EQ(header("t,gps.on,gps.on"), "column 10: `gps.on` for the second time");
  EXPECT_EQ(header("time,gps.on,t"), "column 13: `t` for the second time");
  EXPECT_EQ(header("t,x,x"), "column 5: `x` for the second time");
  EXPECT_EQ(header("t,\xFF"), "column 3: not UTF-8");
  EXPECT_EQ(header("t,app,wifi"), "expected a header with a variable of the model");
  EXPECT_EQ(header("t,gps.on"), "ok");
}

TEST_F(CsvTest, RefusesWrongRows) {
  ASSERT_EQ(header("t,gps.on,gps.speed,gps.place,bt.devices,bt.count"), "ok");
  const std::pair<const char*, const char*> cases[] = {
      {"1,true", "2 cells, but the header has 6"},
      {"1,true,1,home,car,1,", "7 cells, but the header has 6"},
      {"noon,true,1,home,car,1", "column 1: `noon` is not a time"},
      {"1,yes,1,home,car,1", "column 3: `gps.on` takes true or false, not `yes`"},
      {"1,true,400,home,car,1", "column 8: `gps.speed` takes a number in 0..350, not `400`"},
      {"1,true,0x1,home,car,1", "column 8: `gps.speed` takes a number in 0..350, not `0x1`"},
      {"1,true,1,hme,car,1", "column 10: `gps.place` has no member `hme`; did you mean `home`?"},
      {"1,true,1,home,car|home_pc,1", "column 15: `bt.devices` has no member `car|home_pc`"},
      {"1,true,1,home,car,1.5", "column 19: `bt.count` takes a whole number in 0..50, not `1.5`"},
      {"1,true,1,home,\xC0\xAF,1", "column 15: not UTF-8"},
  };
  for (const auto& [line, message] : cases) EXPECT_EQ(read(line), message) << line;
  EXPECT_EQ(read(std::string(kMaxLineSize, 'x') + "y"), "a line of more than 1048576 bytes");
  EXPECT_EQ(read(" "), "(blank)");
}

TEST_F(CsvTest, DoesNotLetTimeGoBack) {
  ASSERT_EQ(header("time,gps.on"), "ok");
  EXPECT_EQ(read("12.5,true"), "true");
  EXPECT_EQ(read("3,true"), "time goes back from 12.5 to 3");
  EXPECT_EQ(read("99,maybe"), "column 4: `gps.on` takes true or false, not `maybe`");
  EXPECT_EQ(read("13,false"), "false");
}

TEST_F(CsvTest, LeavesOutColumnsTheModelDoesNotKnow) {
  ASSERT_EQ(header("t,wifi,gps.on,bt.devices.car"), "ok");
  EXPECT_EQ(read("1,anything,true,1"), "true");
  EXPECT_EQ(csv_.unknown_names(), 2U);
  ASSERT_TRUE(csv_.first_unknown());
  EXPECT_EQ(csv_.first_unknown()->name, "wifi");
}

TEST(CsvColumns, BelongToTheModelFirst) {
  const model::Model model =
      model_of("sense time : int 0..1439  state A initial  rule r: A -> A when time > 3");
  Csv csv(model);
  ASSERT_TRUE(csv.header("t,time"));
  const Result<const Entry*> entry = csv.read(2, "1.5,700");
  ASSERT_TRUE(entry);
  EXPECT_EQ((*entry)->time, 1.5);
  EXPECT_EQ(csv_to_text(model, **entry), "700");
}

}  // namespace
}  // namespace poise::log
