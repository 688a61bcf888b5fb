#include "poise/smt/reason.h"

#include <gtest/gtest.h>

namespace poise::smt {
namespace {

TEST(Reason, SaysWhatZ3MeansByItsWords) {
  EXPECT_EQ(reason_from("timeout"), "the time limit was reached");
  EXPECT_EQ(reason_from("canceled"), "the time limit was reached");
  EXPECT_EQ(reason_from("memout"), "the memory limit was reached");
  EXPECT_EQ(reason_from("(incomplete (theory arithmetic))"),
            "Z3 cannot decide conditions of this kind");
  EXPECT_EQ(reason_from("max. resource limit exceeded"),
            "Z3 gave up after as much work as it was allowed");
  EXPECT_EQ(reason_from("strange"), "Z3 could not tell: strange");
}

TEST(Reason, TakesOkForNoReason) {
  for (const char* words : {"ok", "", "unknown"}) {
    EXPECT_EQ(reason_from(words),
              "Z3 found neither a proof nor a counterexample, and gave up without a reason");
  }
}

}  // namespace
}  // namespace poise::smt
