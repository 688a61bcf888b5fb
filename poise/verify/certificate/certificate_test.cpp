#include "poise/verify/certificate/certificate.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/base/sha256.h"
#include "poise/base/text.h"
#include "poise/verify/certificate/opened.h"
#include "poise/verify/verify.h"
#include "tests/support/models.h"

namespace poise::verify {
namespace {

const char* const kCertified =
    "sense front : real 0..400 error -6..6 gauss 2\n"
    "var unit : real = 10 error -5..5.5 # \"half\"\n"
    "action walk: front' == front - unit\n"
    "failure bump: front <= 0 after walk\n"
    "state Ahead initial\n"
    "state Stopped final\n"
    "state Nowhere\n"
    "rule go: Ahead -> Ahead when front > 21.5 do walk\n"
    "rule stop: Ahead -> Stopped when front <= 21.5\n";

Certificate walker() {
  const Source source{.name = "walker.poise", .text = kCertified};
  const model::Model model = test::model_of(source.text, source.name);
  return certificate_of(source, model, run(model, {}));
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

// What is wrong with a certificate, with lines and columns.
std::string mistake_in(const std::string& json) {
  const ReadCertificate read = certificate_from(json);
  std::vector<Mistake> mistakes = {read.mistake};
  if (read.certificate) {
    const OpenedCertificate contents = opened(*read.certificate, json);
    if (contents.opened) return "nothing";
    if (contents.mistakes.empty()) return "model: " + contents.of_model.front().message;
    mistakes = contents.mistakes;
  }
  const LineIndex lines(json);
  std::vector<std::string> texts;
  for (const Mistake& mistake : mistakes) {
    const Position at = lines.position(static_cast<std::uint32_t>(mistake.offset));
    texts.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                    mistake.message);
  }
  return joined(texts, "; ");
}

TEST(Certificate, SaysAllThatACheckerNeeds) {
  EXPECT_EQ(certificate_json(walker()), R"({
  "schema": "poise.certificate/1",
  "model": "walker",
  "file": "walker.poise",
  "sha256": ")" + sha256(kCertified) + R"(",
  "mode": "actual",
  "errors": [
    {"variable": "front", "low": -6, "high": 6},
    {"variable": "unit", "low": -5, "high": 5.5}
  ],
  "claim": "no failure, after any number of steps",
  "failures": [
    "bump"
  ],
  "invariants": [
    {"state": "Ahead", "holds": "unit == 10 and front >= 0 and front <= 400"},
    {"state": "Stopped", "holds": "unit == 10 and front >= 0 and front <= 27.5"},
    {"state": "Nowhere", "holds": null}
  ],
  "text": "sense front : real 0..400 error -6..6 gauss 2\nvar unit : real = 10 error -5..5.5 # \"half\"\naction walk: front' == front - unit\nfailure bump: front <= 0 after walk\nstate Ahead initial\nstate Stopped final\nstate Nowhere\nrule go: Ahead -> Ahead when front > 21.5 do walk\nrule stop: Ahead -> Stopped when front <= 21.5\n"
}
)");
}

TEST(Certificate, IsReadAsItWasWritten) {
  const std::string json = certificate_json(walker());
  const ReadCertificate read = certificate_from(json);
  ASSERT_TRUE(read.certificate.has_value()) << read.mistake.message;
  EXPECT_EQ(certificate_json(*read.certificate), json);
  EXPECT_EQ(mistake_in(json), "nothing");
}

TEST(Certificate, HasAllItsKeysOnceAndNoOthers) {
  const std::string json = certificate_json(walker());
  EXPECT_EQ(mistake_in(replaced(json, "\"mode\": \"actual\",", "")),
            "1:1: this is no certificate: `mode` is missing");
  EXPECT_EQ(mistake_in(replaced(json, "\"mode\"", "\"model\": \"a\", \"mode\"")),
            "6:3: `model` is there twice");
  EXPECT_EQ(mistake_in(replaced(json, "\"mode\"", "\"moode\"")),
            "6:3: a key that a certificate does not have");
  EXPECT_EQ(mistake_in(replaced(json, "\"low\": -6, ", "")), "8:5: `low` is missing");
  EXPECT_EQ(mistake_in(replaced(json, "certificate/1", "certificate/2")),
            "2:13: expected \"poise.certificate/1\"");
  EXPECT_EQ(mistake_in(replaced(json, "any number", "at most 10")),
            "11:12: expected \"no failure, after any number of steps\"");
  EXPECT_EQ(mistake_in(replaced(json, "actual", "as-printed")),
            "6:11: the mode is naive, ideal or actual");
  EXPECT_EQ(mistake_in(json + "{"), "22:1: expected nothing more");
  EXPECT_EQ(mistake_in("\xFF"), "1:1: this is not UTF-8 text");
}

TEST(Certificate, IsAboutThisTextOfTheModel) {
  const std::string json = certificate_json(walker());
  const std::string hash =
      "5:3: this is not the hash of the text: the model was changed, or the hash";
  EXPECT_EQ(mistake_in(replaced(json, "front > 21.5 do", "front > 20.5 do")), hash);
  EXPECT_EQ(mistake_in(replaced(json, sha256(kCertified), sha256("other"))), hash);
}

TEST(Certificate, ClaimsWhatTheModelDeclares) {
  const std::string json = certificate_json(walker());
  EXPECT_EQ(mistake_in(replaced(json, "    \"bump\"\n", "")),
            "12:3: these are not the failures that the text declares, in its order");
  EXPECT_EQ(mistake_in(replaced(json, "\"high\": 6", "\"high\": 5")),
            "7:3: these are not the errors that the text declares, in its order");
  EXPECT_EQ(mistake_in(replaced(json, "\"mode\": \"actual\"", "\"mode\": \"ideal\"")),
            "7:3: these are not the errors that the text declares, in its order");
  EXPECT_EQ(mistake_in(replaced(json, "\"model\": \"walker\"", "\"model\": \"runner\"")),
            "3:3: the text is of a model called walker");
}

TEST(Certificate, SaysSomethingOfEveryState) {
  const std::string json = certificate_json(walker());
  EXPECT_EQ(mistake_in(replaced(json, "\"Stopped\"", "\"Stoped\"")),
            "15:3: nothing is said of the state Stopped; "
            "17:15: Stoped: the model has no state of this name");
  EXPECT_EQ(mistake_in(replaced(json, "\"Nowhere\"", "\"Ahead\"")),
            "15:3: nothing is said of the state Nowhere; "
            "18:15: Ahead: this state is there twice");
  EXPECT_EQ(mistake_in(replaced(json, ",\n    {\"state\": \"Nowhere\", \"holds\": null}", "")),
            "15:3: nothing is said of the state Nowhere");
}

TEST(Certificate, ShowsWhereAConditionCannotBeRead) {
  const std::string json = certificate_json(walker());
  EXPECT_EQ(mistake_in(replaced(json, "front <= 27.5", "fornt <= 27.5")),
            "17:66: unknown variable `fornt`; did you mean `front`?");
  EXPECT_EQ(mistake_in(replaced(json, "front <= 27.5", "front <= 27.5 state X")).substr(0, 7),
            "17:80: ");
}

TEST(Certificate, ShowsWhatIsWrongWithItsModel) {
  Certificate certificate = walker();
  certificate.text = "state A initial\nrule r: A -> B when true\n";
  certificate.hash = sha256(certificate.text);
  EXPECT_EQ(mistake_in(certificate_json(certificate)), "model: unknown state `B`");
}

}  // namespace
}  // namespace poise::verify
