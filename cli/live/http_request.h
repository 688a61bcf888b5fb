#pragma once

// As much of HTTP/1.x as a server of one page needs: whether a request asks for it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace poise::cli {

// A longer head of a request is refused.
inline constexpr std::size_t kMostRequest = 8192;

enum class HttpStatus { Ok = 200, BadRequest = 400, NotFound = 404, MethodNotAllowed = 405 };

// What to answer to the bytes that came so far, where there is only `page`, to be had with GET;
// nothing while the head of the request is not complete and nothing is wrong with it.
[[nodiscard]] std::optional<HttpStatus> answer_to(std::string_view request, std::string_view page);

// A whole answer, after which the connection is closed.
[[nodiscard]] std::string http_answer(HttpStatus status, std::string_view type,
                                      std::string_view body);

}  // namespace poise::cli
