#include "poise/shake/subjects/subject.h"

#include <limits>

#include <gtest/gtest.h>

namespace poise::shake {
namespace {

TEST(Subject, WritesValuesAsPeopleDo) {
  EXPECT_EQ(to_text({.name = "cache", .kind = Field::Kind::Boolean}, 1), "true");
  EXPECT_EQ(to_text({.name = "size", .kind = Field::Kind::Number}, 512), "512");
  EXPECT_EQ(to_text({.name = "load", .kind = Field::Kind::Number}, 0.1 + 0.2), "0.3");
  EXPECT_EQ(to_text({.name = "mode", .kind = Field::Kind::Symbol, .symbols = {"off", "on"}}, 1),
            "on");
  EXPECT_EQ(to_text({.name = "load", .kind = Field::Kind::Number},
                    std::numeric_limits<double>::quiet_NaN()),
            "none");
}

}  // namespace
}  // namespace poise::shake
