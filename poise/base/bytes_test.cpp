#include "poise/base/bytes.h"

#include <vector>

#include <gtest/gtest.h>

namespace poise {
namespace {

TEST(Bytes, GiveBackWhatWasWritten) {
  const std::vector<std::uint64_t> numbers = {0, 1, 127, 128, 300, 1U << 31U, UINT64_MAX};
  const std::vector<std::int64_t> wholes = {0, 1, -1, 63, -64, 64, INT64_MAX, INT64_MIN};
  ByteWriter writer;
  for (const std::uint64_t number : numbers) writer.number(number);
  for (const std::int64_t number : wholes) writer.whole(number);
  writer.text("");
  writer.text(std::string_view("a\0b", 3));
  ByteReader reader(writer.bytes());
  for (const std::uint64_t number : numbers) EXPECT_EQ(reader.number(), number);
  for (const std::int64_t number : wholes) EXPECT_EQ(reader.whole(), number);
  EXPECT_EQ(reader.text(), "");
  EXPECT_FALSE(reader.is_done());
  EXPECT_EQ(reader.text(), std::string_view("a\0b", 3));
  EXPECT_TRUE(reader.is_done());
}

TEST(Bytes, AReaderStopsAtTheEnd) {
  for (const std::string_view bytes :
       {std::string_view(""), std::string_view("\x80"),
        std::string_view("\x05"
                         "abc"),
        std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01")}) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.text(), "");
    EXPECT_TRUE(reader.failed());
    EXPECT_EQ(reader.number(), 0U);
    EXPECT_FALSE(reader.is_done());
  }
  // More things than bytes.
  EXPECT_EQ(ByteReader("\x04"
                       "abc")
                .count(),
            0U);
  EXPECT_EQ(ByteReader("\x03"
                       "abc")
                .count(),
            3U);
  // Longer than any number.
  ByteReader endless("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
  EXPECT_EQ(endless.number(), 0U);
  EXPECT_TRUE(endless.failed());
}

TEST(Bytes, ASealShowsDamage) {
  const std::string file = sealed("test 1\n", "content");
  ASSERT_TRUE(unsealed("test 1\n", file).has_value());
  EXPECT_EQ(*unsealed("test 1\n", file), "content");
  EXPECT_FALSE(unsealed("test 2\n", file).has_value());
  for (std::size_t i = 0; i < file.size(); ++i) {
    EXPECT_FALSE(unsealed("test 1\n", file.substr(0, i)).has_value());
    std::string other = file;
    other[i] = static_cast<char>(other[i] ^ 4);
    EXPECT_FALSE(unsealed("test 1\n", other).has_value());
  }
}

}  // namespace
}  // namespace poise
