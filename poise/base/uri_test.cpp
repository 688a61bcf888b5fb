#include "poise/base/uri.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace poise {
namespace {

TEST(FileUri, KeepsRelativePathsRelative) {
  EXPECT_EQ(file_uri("rules/home.poise"), "rules/home.poise");
  EXPECT_EQ(file_uri("../home.poise"), "../home.poise");
}

TEST(FileUri, LeavesOutSegmentsThatSayNothing) {
  EXPECT_EQ(file_uri("./rules/.//home.poise"), "rules/home.poise");
  EXPECT_EQ(file_uri(""), "");
}

TEST(FileUri, NamesTheSchemeOfAbsolutePaths) {
  EXPECT_EQ(file_uri("/srv/home.poise"), "file:///srv/home.poise");
  EXPECT_EQ(file_uri("//srv/home.poise"), "file:///srv/home.poise");
}

TEST(FileUri, EncodesWhatAUriCannotHold) {
  EXPECT_EQ(file_uri("a b%20#1?.poise"), "a%20b%2520%231%3F.poise");
  EXPECT_EQ(file_uri("http:home.poise"), "http%3Ahome.poise");
  EXPECT_EQ(file_uri("caf\u00E9.poise"), "caf%C3%A9.poise");
  EXPECT_EQ(file_uri("\xFF\\\"<>"), "%FF%5C%22%3C%3E");
  EXPECT_EQ(file_uri(std::string_view("a\0b\n", 4)), "a%00b%0A");
}

}  // namespace
}  // namespace poise
