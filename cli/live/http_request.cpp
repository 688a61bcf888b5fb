#include "cli/live/http_request.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::cli {

namespace {

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_letter_or_digit(c) || kMarks.find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7F'; });
}

// "GET /metrics HTTP/1.1"
HttpStatus answer_to_line(std::string_view line, std::string_view page) {
  const std::size_t first = line.find(' ');
  const std::size_t second =
      first == std::string_view::npos ? std::string_view::npos : line.find(' ', first + 1);
  if (second == std::string_view::npos) return HttpStatus::BadRequest;
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, second - first - 1);
  const std::string_view version = line.substr(second + 1);
  if (!is_token(method) || target.empty() || !is_visible(target)) return HttpStatus::BadRequest;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return HttpStatus::BadRequest;
  if (target.substr(0, target.find('?')) != page) return HttpStatus::NotFound;
  return method == "GET" ? HttpStatus::Ok : HttpStatus::MethodNotAllowed;
}

std::string_view reason_phrase(HttpStatus status) {
  switch (status) {
    case HttpStatus::Ok: return "OK";
    case HttpStatus::BadRequest: return "Bad Request";
    case HttpStatus::NotFound: return "Not Found";
    case HttpStatus::MethodNotAllowed: return "Method Not Allowed";
  }
  return "";
}

}  // namespace

std::optional<HttpStatus> answer_to(std::string_view request, std::string_view page) {
  std::optional<HttpStatus> status;
  std::string_view rest = request.substr(0, kMostRequest);
  while (true) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!status) {
      status = answer_to_line(line, page);
      if (*status == HttpStatus::BadRequest) return status;
    } else if (line.empty()) {
      return status;
    } else if (!is_token(line.substr(0, line.find(':'))) ||
               line.find(':') == std::string_view::npos) {
      return HttpStatus::BadRequest;
    }
  }
  if (request.size() > kMostRequest) return HttpStatus::BadRequest;
  return std::nullopt;
}

std::string http_answer(HttpStatus status, std::string_view type, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Content-Length: {}\r\n"
      "{}"
      "Connection: close\r\n"
      "\r\n"
      "{}",
      static_cast<int>(status), reason_phrase(status), type, body.size(),
      status == HttpStatus::MethodNotAllowed ? "Allow: GET\r\n" : "", body);
}

}  // namespace poise::cli
