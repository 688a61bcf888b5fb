#include "cli/io/files.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace poise::cli {
namespace {

// Whatever went wrong before, errno is not asked: the standard library returns what it knows.
TEST(Files, AFileThatIsNotThereIsNotRewritten) {
  errno = EACCES;
  const Result<void> written = replace_file("/no/such/file", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot rewrite `/no/such/file`: No such file or directory");
}

}  // namespace
}  // namespace poise::cli
