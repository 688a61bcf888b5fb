#include "poise/base/utf8.h"

#include <gtest/gtest.h>

namespace poise {
namespace {

TEST(Utf8, DecodesEveryLength) {
  EXPECT_EQ(first_code_point("a").value, U'a');
  EXPECT_EQ(first_code_point("ö").value, U'ö');
  EXPECT_EQ(first_code_point("≥").value, U'≥');
  EXPECT_EQ(first_code_point("🙂").value, U'🙂');
  EXPECT_EQ(first_code_point("🙂x").length, 4U);
}

TEST(Utf8, RefusesWhatIsNoCodePoint) {
  EXPECT_FALSE(first_code_point("\x80").valid);              // a continuation alone
  EXPECT_FALSE(first_code_point("\xC3").valid);              // cut off
  EXPECT_FALSE(first_code_point("\xC0\xAF").valid);          // overlong
  EXPECT_FALSE(first_code_point("\xE0\x80\xAF").valid);      // overlong
  EXPECT_FALSE(first_code_point("\xED\xA0\x80").valid);      // a surrogate
  EXPECT_FALSE(first_code_point("\xF4\x90\x80\x80").valid);  // beyond the last
  EXPECT_FALSE(first_code_point("\xFF").valid);
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  EXPECT_EQ(first_invalid_byte(""), std::nullopt);
  EXPECT_EQ(first_invalid_byte("a long enough text with größe and 🙂"), std::nullopt);
  EXPECT_EQ(first_invalid_byte("0123456789\xF6"), 10U);
  EXPECT_EQ(first_invalid_byte("ö\xF6"), 2U);
}

}  // namespace
}  // namespace poise
