#include "poise/shake/grid/pict.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/covering/planned.h"

namespace poise::shake {
namespace {

using Texts = std::vector<std::string>;

TEST(Pict, ReadsParameters) {
  const ImportedGrid read = read_pict(
      "\xEF\xBB\xBF# volumes\r\n\r\nFile system :  FAT, NTFS (10) , ReFS|Resilient\r\n"
      "Size: 1000, -2.5, 10\nCompressed: True, FALSE\nCopy: <size>, 5\nRaid: RAID (0+1), none");
  ASSERT_TRUE(read.grid.has_value());
  const std::vector<Property>& properties = read.grid->properties;
  ASSERT_EQ(properties.size(), 5U);
  EXPECT_EQ(properties[0].name, "File system");
  EXPECT_EQ(properties[0].kind, Property::Kind::Label);
  EXPECT_EQ(properties[0].texts, (Texts{"FAT", "NTFS", "ReFS"}));
  EXPECT_EQ(properties[0].values, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(properties[1].kind, Property::Kind::Number);
  EXPECT_EQ(properties[1].texts, (Texts{"-2.5", "10", "1000"}));
  EXPECT_EQ(properties[1].low, -2.5);
  EXPECT_EQ(properties[1].high, 1000);
  EXPECT_EQ(properties[2].kind, Property::Kind::Boolean);
  EXPECT_EQ(properties[2].texts, (Texts{"FALSE", "True"}));
  EXPECT_EQ(properties[3].values, (std::vector<double>{-2.5, 5, 10, 1000}));
  EXPECT_EQ(properties[4].texts, (Texts{"RAID (0+1)", "none"}));
  ASSERT_EQ(read.remarks.size(), 2U);
  EXPECT_EQ(read.remarks[0].message, "weights of values are not used");
  EXPECT_EQ(read.remarks[0].at, (Position{.line = 3, .column = 21}));
}

// Which of the 3 x 3 x 2 x 3 combinations of these parameters a constraint leaves.
std::string left(const std::string& constraint) {
  const ImportedGrid read =
      read_pict("a: 1, 2, 3\nb: 1, 2, 3\nOn: true, false\nword: Apple, bat, Cat\n" + constraint);
  if (!read.grid) {
    const PictMistake& first = read.mistakes.front();
    return fmt::format("{}:{}: {}", first.at.line, first.at.column, first.message);
  }
  return std::to_string(valid_instances(*read.grid).value_or(0));
}

TEST(Pict, ReadsConstraints) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "54"},
      {"[a] <= [b];", "36"},
      {"[A] <= [B];", "36"},
      {"[a] = 2;", "18"},
      {"[a] <> 2;", "36"},
      {"[a] > 1.5;", "36"},
      {"[a] >= 3.0e0;", "18"},
      {"[a] < -1;", "0"},
      {"[a] IN {1, 3, 7};", "36"},
      {"[a] NOT IN {1, 3};", "18"},
      {"NOT [a] IN {1, 3};", "18"},
      {"[word] = \"apple\";", "18"},
      {"[word] > \"APPLE\";", "36"},
      {"[word] in {\"bat\", \"cat\"};", "36"},
      {"[word] LIKE \"?AT\";", "36"},
      {"[word] like \"*a*\";", "54"},
      {"[word] LIKE \"*p*p*\";", "18"},
      {"[word] LIKE \"a*l?\";", "18"},
      {"[word] LIKE \"a*p\";", "0"},
      {"[word] NOT LIKE \"b*\";", "36"},
      {"NOT [word] LIKE \"b*\";", "36"},
      {"IsNegative(a);", "0"},
      {"IsPositive(a) AND IsPositive( word);", "54"},
      {"IF IsNegative() THEN [a] = 1;", "54"},
      // PICT takes blanks behind a name as a part of it, and ignores what it does not know.
      {"IsNegative(a );", "54"},
      {"[c] = 1;", "54"},
      {"IF [a] = 1 THEN [c] = 2; [b] = 1;", "18"},
      {"[on] = \"true\";", "27"},
      {"IF [a] = 1 THEN [b] = 1;", "42"},
      {"if [a] = 1 then [b] = 1 else [b] = 2;", "18"},
      {"IF [a] = 1 OR [a] = 2 AND [b] = 2 THEN [on] = \"true\";", "42"},
      {"IF ([a] = 1 OR [a] = 2) AND [b] = 2 THEN [on] = \"true\";", "48"},
      {"IF NOT [a] = 1 AND [b] = 2 THEN [on] = \"true\";", "48"},
      {"IF NOT ([a] = 1 AND [b] = 2)\n# why\n  THEN [on] = \"true\"\n;", "30"},
      {"[a] = 1;[b] = 1; [word] <> \"bat\";", "4"},
      {"[a] <= [b]; [b] <= [a]; [a] <> [b];", "0"},
      {"([a] = 1);", "18"},
      {"NOT NOT [a] = 1;", "18"},
  };
  for (const auto& [constraint, expected] : cases)
    EXPECT_EQ(left(constraint), expected) << constraint;
}

TEST(Pict, SaysWhatIsWrongWithConstraints) {
  const std::pair<const char*, const char*> cases[] = {
      {"[a] <= [b]", "5:11: a constraint ends with `;`"},
      {"[a] = \"x\";", "5:7: `a` is a number, so a number should be here"},
      {"[word] = 1;", "5:10: `word` is not a number, so a string should be here"},
      {"[a] = [word];", "5:7: a number is compared with something that is none"},
      {"[word] LIKE 1;", "5:13: a string should be here"},
      {"[a] LIKE \"1*\";", "5:5: `a` is a number, which is like no text"},
      {"[a] NOT = 1;", "5:9: `IN` or `LIKE` should be here"},
      {"NOT IsNegative;", "5:15: `(` should be here"},
      {"IsNegative(a", "5:11: `)` is missing"},
      {"[a] 1;", "5:5: a relation (`=`, `<>`, `<`, …) should be here"},
      {"IF [a] = 1;", "5:11: `THEN` should be here"},
      {"([a] = 1;", "5:9: `)` should be here"},
      {"[a] IN 1;", "5:8: `{` should be here"},
      {"[a] IN {1;", "5:10: `}` should be here"},
      {"[a = 1;", "5:1: `]` is missing at the end of the line"},
      {"[a] = 1-;", "5:8: this is no number"},
      {"[a] = 1.2.3;", "5:7: this is no number"},
      {"[a] = 1e999;", "5:7: this is no number"},
      {"[a] = 1; x: 1, 2", "5:10: `[parameter]` should be here"},
      {"[a] = 1 ? ;", "5:9: a character that means nothing here"},
      {"[word] = \"bat;", "5:10: `\"` is missing at the end of the line"},
  };
  for (const auto& [constraint, expected] : cases)
    EXPECT_EQ(left(constraint), expected) << constraint;
}

TEST(Pict, SaysWhatIsWrongWithParameters) {
  const auto first = [](const std::string& text) -> std::string {
    const ImportedGrid read = read_pict(text);
    EXPECT_EQ(read.grid.has_value(), read.mistakes.empty());
    if (read.mistakes.empty()) return "";
    const PictMistake& mistake = read.mistakes.front();
    return fmt::format("{}:{}: {}", mistake.at.line, mistake.at.column, mistake.message);
  };
  const std::pair<std::string, const char*> cases[] = {
      {"", "1:1: there are no parameters"},
      {"# nothing\n", "2:1: there are no parameters"},
      {"a 1", "1:1: neither a parameter (`name: value, value`) nor a constraint"},
      {"a: 1\nA: 2", "2:1: a second parameter `A`"},
      {"a: ~1, ~2", "1:1: all values of `a` are negative"},
      {"a @ 3: 1, 2", "1:3: an order of one parameter is not understood"},
      {"$a: 1, 2", "1:1: a parameter for results is not understood"},
      {"a: 1\n{ a", "2:1: `}` is missing"},
      {"a: 1\n{ a } 1", "2:7: an order from 1 to 1 (`@ 2`) should be here"},
      {"a: 1\nb: 1\n{ a, b } @ 3", "3:10: an order from 1 to 2 (`@ 2`) should be here"},
      {"a: \xFF", "1:4: this is not UTF-8"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(first(text), expected) << text;
}

TEST(Pict, ReportsOneMistakeForEachConstraint) {
  const ImportedGrid read = read_pict("a: 1, 2\n[a] 1;\n[a] = 1;\n[a] = x AND [z] = 2;\n");
  ASSERT_EQ(read.mistakes.size(), 2U);
  EXPECT_EQ(read.mistakes[1].at, (Position{.line = 4, .column = 7}));
}

TEST(Pict, SaysWhatItIgnores) {
  const ImportedGrid read = read_pict(
      "a: 1, 2, 1\nb: x | y, z (3)\n{ a, c }\n{ a, b, A }\n[a] = 1;\nIF [a] = 1 THEN [d] = 2;\n");
  ASSERT_TRUE(read.grid.has_value());
  std::vector<std::string> said;
  for (const PictMistake& remark : read.remarks) {
    said.push_back(fmt::format("{}:{}: {}", remark.at.line, remark.at.column, remark.message));
  }
  EXPECT_EQ(said, (Texts{"1:1: `a` has the value `1` twice",
                         "2:4: only the first name of a value is used",
                         "2:11: weights of values are not used",
                         "3:6: unknown parameter `c`: the sub-model is ignored",
                         "4:1: a parameter is in the sub-model twice",
                         "6:17: unknown parameter `d`: the constraint is ignored"}));
}

TEST(Pict, ReadsParametersWithCommasOnly) {
  const ImportedGrid read = read_pict("Size, 1, 10,\n,a,b\nOdd: <none>, 1.0, 1\n");
  ASSERT_TRUE(read.grid.has_value());
  const std::vector<Property>& properties = read.grid->properties;
  ASSERT_EQ(properties.size(), 3U);
  EXPECT_EQ(properties[0].name, "Size");
  EXPECT_EQ(properties[0].texts, (Texts{"1", "10", ""}));
  EXPECT_EQ(properties[1].name, "");
  EXPECT_EQ(properties[1].texts, (Texts{"a", "b"}));
  EXPECT_EQ(properties[2].texts, (Texts{"<none>", "1.0", "1"}));
}

// One number, written in two ways, is two values; they are equal in constraints.
TEST(Pict, KeepsValuesThatAreEqualNumbers) {
  const ImportedGrid read = read_pict("a: 1, 1.0, 2\nb: 1, 2\n[a] = [b];\n");
  ASSERT_TRUE(read.grid.has_value());
  EXPECT_EQ(read.grid->properties[0].texts, (Texts{"1", "1.0", "2"}));
  EXPECT_EQ(valid_instances(*read.grid), 3U);
}

TEST(Pict, ReadsNegativeValuesAndSubModels) {
  const ImportedGrid read = read_pict(
      "a: ~-1, 0, 1\nb: x, ~y\nc: 1, 2\n{ c, a } @ 2\n{ b }\nIF [b] = \"y\" THEN [c] = 2;");
  ASSERT_TRUE(read.grid.has_value());
  EXPECT_EQ(read.grid->properties[0].texts, (Texts{"~-1", "0", "1"}));
  EXPECT_EQ(read.plan.negative,
            (std::vector<std::vector<bool>>{{true, false, false}, {false, true}, {false, false}}));
  ASSERT_EQ(read.plan.sub_models.size(), 2U);
  EXPECT_EQ(read.plan.sub_models[0].properties, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(read.plan.sub_models[0].strength, 2U);
  EXPECT_EQ(read.plan.sub_models[1].strength, 0U);
  EXPECT_EQ(valid_instances(*read.grid), 9U);
}

TEST(Pict, RefusesWhatIsTooMuch) {
  std::string many = "a: 0";
  for (int i = 1; i <= 1000; ++i) many += "," + std::to_string(i);
  EXPECT_FALSE(read_pict(many).grid.has_value());
  std::string again = "a: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\nb: x";
  for (int i = 0; i < 100'000; ++i) again += ",<a>";
  EXPECT_FALSE(read_pict(again).grid.has_value());
  const std::string deep = "a: 1\n" + std::string(100'000, '(') + "[a] = 1;";
  EXPECT_FALSE(read_pict(deep).grid.has_value());
  std::string lengthy = "a: 1\n[a] = 1";
  for (int i = 0; i < 200'000; ++i) lengthy += " OR [a] = 1";
  EXPECT_FALSE(read_pict(lengthy + ";").grid.has_value());
  EXPECT_FALSE(read_pict(std::string(kMaxPictSize + 1, ' ')).grid.has_value());
}

TEST(Pict, SurvivesAnyText) {
  const char* const pieces[] = {
      "a",   "b",     ":",     ",",     "\n",   "[",     "]",         "[a]",         "[b]",
      "IF ", "THEN ", "ELSE ", " AND ", " OR ", "NOT ",  " IN ",      "{",           "}",
      "(",   ")",     "\"",    "\"x\"", "1",    "-2",    "<=",        "<>",          "=",
      ";",   "#",     "~",     "|",     "<a>",  "LIKE ", "{a,b}@2\n", "IsNegative(", "*",
      " ",   "\\",    "\r",    "(3)",   "true", "é"};
  Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random.coin() ? "a: 1, 2\nb: x, y\n" : "";
    for (std::uint64_t left = random.below(30); left > 0; --left) {
      text += pieces[random.below(std::size(pieces))];
    }
    const ImportedGrid read = read_pict(text);
    EXPECT_EQ(read.grid.has_value(), read.mistakes.empty()) << text;
    if (!read.grid) continue;
    const Result<Covering> rows = planned_covering(*read.grid, read.plan, {});
    ASSERT_TRUE(rows.has_value()) << text;
    for (const Instance& row : rows->rows) EXPECT_TRUE(is_valid(*read.grid, row)) << text;
  }
}

TEST(Pict, ReadsTheExampleOfItsManual) {
  const ImportedGrid read = read_pict(
      "Type:           Primary, Logical, Single, Span, Stripe, Mirror, RAID-5\n"
      "Size:           10, 100, 500, 1000, 5000, 10000, 40000\n"
      "Format method:  quick, slow\n"
      "File system:    FAT, FAT32, NTFS\n"
      "Cluster size:   512, 1024, 2048, 4096, 8192, 16384, 32768, 65536\n"
      "Compression:    on, off\n\n"
      "IF [File system] = \"FAT\"   THEN [Size] <= 4096;\n"
      "IF [File system] = \"FAT32\" THEN [Size] <= 32000;\n");
  ASSERT_TRUE(read.grid.has_value());
  const Result<Covering> rows = covering(*read.grid);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->infeasible, 4U);
  EXPECT_LE(rows->rows.size(), 62U);
  EXPECT_GE(rows->rows.size(), 56U);
}

}  // namespace
}  // namespace poise::shake
