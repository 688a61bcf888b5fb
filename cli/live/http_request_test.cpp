#include "cli/live/http_request.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace poise::cli {
namespace {

std::optional<HttpStatus> answer(std::string_view request) {
  return answer_to(request, "/metrics");
}

TEST(HttpRequest, AsksForThePage) {
  EXPECT_EQ(answer("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"), HttpStatus::Ok);
  EXPECT_EQ(answer("GET /metrics HTTP/1.0\n\n"), HttpStatus::Ok);
  EXPECT_EQ(answer("GET /metrics?all=1 HTTP/1.1\r\n\r\n"), HttpStatus::Ok);
  EXPECT_EQ(answer("GET /metrics HTTP/1.1\r\n\r\nwhat follows is not read"), HttpStatus::Ok);
}

TEST(HttpRequest, AsksForSomethingElse) {
  EXPECT_EQ(answer("GET / HTTP/1.1\r\n\r\n"), HttpStatus::NotFound);
  EXPECT_EQ(answer("GET /metrics/ HTTP/1.1\r\n\r\n"), HttpStatus::NotFound);
  EXPECT_EQ(answer("POST /x HTTP/1.1\r\n\r\n"), HttpStatus::NotFound);
  EXPECT_EQ(answer("POST /metrics HTTP/1.1\r\n\r\n"), HttpStatus::MethodNotAllowed);
  EXPECT_EQ(answer("HEAD /metrics HTTP/1.1\r\n\r\n"), HttpStatus::MethodNotAllowed);
}

TEST(HttpRequest, IsNoRequest) {
  const std::vector<std::string> wrong = {
      "\n",
      "\r\n\r\n",
      "hello\r\n",
      "GET /metrics\r\n",
      "GET /metrics HTTP/2\r\n",
      "GET /metrics HTTP/1.1 \r\n",
      "GET  /metrics HTTP/1.1\r\n",
      "G(T /metrics HTTP/1.1\r\n",
      "GET /met\x01rics HTTP/1.1\r\n",
      "GET /metr\xC3\xA9 HTTP/1.1\r\n",
      "GET /metrics HTTP/1.1\r\nno colon\r\n",
      "GET /metrics HTTP/1.1\r\n: no name\r\n",
      "GET /metrics HTTP/1.1\r\na b: c\r\n",
  };
  for (const std::string& request : wrong) {
    EXPECT_EQ(answer(request), HttpStatus::BadRequest) << request;
  }
}

TEST(HttpRequest, IsWaitedFor) {
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n";
  for (std::size_t size = 0; size < request.size(); ++size) {
    EXPECT_EQ(answer(request.substr(0, size)), std::nullopt) << size;
  }
}

TEST(HttpRequest, IsNotTooLong) {
  const std::string head = "GET /metrics HTTP/1.1\r\n";
  EXPECT_EQ(answer(head + "a: " + std::string(9000, 'x')), HttpStatus::BadRequest);
  EXPECT_EQ(answer(std::string(9000, 'x')), HttpStatus::BadRequest);
  EXPECT_EQ(answer(std::string(kMostRequest, 'x')), std::nullopt);
}

TEST(HttpRequest, IsAnsweredWithLengthAndType) {
  EXPECT_EQ(http_answer(HttpStatus::NotFound, "text/plain", "no\n"),
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n"
            "Connection: close\r\n\r\nno\n");
  EXPECT_NE(http_answer(HttpStatus::MethodNotAllowed, "text/plain", "").find("\r\nAllow: GET\r\n"),
            std::string::npos);
}

}  // namespace
}  // namespace poise::cli
