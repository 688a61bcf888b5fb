#pragma once

// As much of HTTP/1.x as a server of one page needs. Nothing here touches a socket, so tests need
// none.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace poise::cli {

// A request with a longer head is refused. In bytes.
inline constexpr std::size_t kMostRequest = 8192;

enum class HttpStatus { Ok = 200, BadRequest = 400, NotFound = 404, MethodNotAllowed = 405 };

// The answer to a request of which these bytes have come so far. The only page is `page`, by GET.
// Nothing while the head of the request is not complete and nothing is wrong with it yet.
[[nodiscard]] std::optional<HttpStatus> answer_to(std::string_view request, std::string_view page);

// A whole answer, with its head. It says that the connection will be closed.
[[nodiscard]] std::string http_answer(HttpStatus status, std::string_view type,
                                      std::string_view body);

}  // namespace poise::cli
