#include "cli/live/metrics.h"

#include <string>

#include <gtest/gtest.h>

#include "cli/live/metrics_server.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"

namespace poise::cli {
namespace {

TEST(Metrics, CountsUpToEachBound) {
  Histogram histogram;
  for (const int time : {1, 100, 101, 250, 2'000'000'000}) {
    histogram.add(std::chrono::nanoseconds(time));
  }
  const auto counts = histogram.counts();
  EXPECT_EQ(counts[0], 2U);
  EXPECT_EQ(counts[1], 4U);
  EXPECT_EQ(counts[2], 4U);
  EXPECT_EQ(counts[counts.size() - 2], 4U);
  EXPECT_EQ(counts.back(), 5U);
  EXPECT_EQ(histogram.sum().count(), 2'000'000'452);
}

TEST(Metrics, AreInTheFormatOfPrometheus) {
  const lang::Parsed parsed = lang::parse({.name = "belt.poise", .text = R"(
    stream parcels { weight: real 0..50 }
    state Empty initial
    state Busy
    rule a: Empty -> Busy when exists p in parcels[last 10s]: p.weight > 1
    rule b: Empty -> Busy when exists p in parcels[next 1500ms]: p.weight > 1
    rule c: Empty -> Busy when exists p in parcels: p.weight > 1
  )"});
  ASSERT_TRUE(parsed.model);
  watch::Monitor monitor(*parsed.model, {});
  watch::Feed feed(*parsed.model, monitor);
  for (const char* line : {R"({"t": 1, "add": "parcels", "value": {"weight": 0}})",
                           R"({"t": 2, "add": "parcels", "value": {"weight": 0.5}})",
                           R"({"t": 3, "app": "x", "add": "parcels", "value": {"weight": 1}})",
                           R"({"t": 4, "remove": "parcels", "value": {"weight": 0}})"}) {
    ASSERT_TRUE(feed.read(2, line));
  }
  Histogram histogram;
  histogram.add(std::chrono::microseconds(2));
  const std::string text =
      metrics_text({.monitor = monitor, .skipped = 7, .late = 8, .times = histogram});
  const auto has = [&text](const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
  };
  for (const char* line :
       {"# TYPE poise_events_total counter", "poise_events_total 4", "poise_adaptations_total 0",
        "poise_faults_total{kind=\"nondeterminism\"} 0", "poise_faults_total{kind=\"race\"} 0",
        "poise_faults_total{kind=\"cycle\"} 0", "poise_skipped_lines_total 7", "poise_late_total 8",
        "poise_instances 2", "# TYPE poise_event_seconds histogram",
        "poise_event_seconds_bucket{le=\"1e-07\"} 0",
        "poise_event_seconds_bucket{le=\"2.5e-06\"} 1", "poise_event_seconds_bucket{le=\"1\"} 1",
        "poise_event_seconds_bucket{le=\"+Inf\"} 1", "poise_event_seconds_sum 2e-06",
        "poise_event_seconds_count 1",
        "poise_window_elements{stream=\"parcels\",window=\"last 10s\"} 2",
        "poise_window_elements{stream=\"parcels\",window=\"next 1.5s\"} 2",
        "poise_window_elements{stream=\"parcels\",window=\"latest\"} 2"}) {
    EXPECT_TRUE(has(line)) << line << "\n" << text;
  }
}

TEST(Metrics, HaveAnAddress) {
  const auto port = metrics_address_from("9464");
  ASSERT_TRUE(port);
  EXPECT_EQ(port->host, "127.0.0.1");
  EXPECT_EQ(port->port, "9464");
  EXPECT_EQ(metrics_address_from("0.0.0.0:80")->host, "0.0.0.0");
  EXPECT_EQ(metrics_address_from("[::1]:80")->host, "::1");
  for (const char* wrong : {"", ":", "x", "80x", "65536", "1.2.3.4:", ":80", "host:-1", "999999"}) {
    EXPECT_FALSE(metrics_address_from(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace poise::cli
