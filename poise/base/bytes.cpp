#include "poise/base/bytes.h"

#include "poise/base/hash.h"

namespace poise {

namespace {

constexpr std::size_t kChecksum = 8;

std::string checksum_of(std::string_view bytes) {
  std::string text;
  const std::uint64_t hash = fnv1a(bytes);
  for (unsigned shift = 0; shift < 64; shift += 8) text.push_back(static_cast<char>(hash >> shift));
  return text;
}

}  // namespace

void ByteWriter::whole(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  this->number(bits << 1U ^ (number < 0 ? UINT64_MAX : 0));
}

void ByteWriter::text(std::string_view text) {
  number(text.size());
  bytes_ += text;
}

std::uint64_t ByteReader::number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
  fail();
  return 0;
}

std::int64_t ByteReader::whole() {
  const std::uint64_t bits = number();
  return static_cast<std::int64_t>(bits >> 1U ^ ((bits & 1U) != 0 ? UINT64_MAX : 0));
}

std::string_view ByteReader::text() {
  const std::uint64_t size = number();
  if (size > rest_.size()) {
    fail();
    return {};
  }
  const std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

std::size_t ByteReader::count() {
  const std::uint64_t count = number();
  if (count <= rest_.size()) return count;
  fail();
  return 0;
}

std::string sealed(std::string_view what, std::string_view bytes) {
  std::string file;
  file.reserve(what.size() + bytes.size() + kChecksum);
  file += what;
  file += bytes;
  file += checksum_of(file);
  return file;
}

Result<std::string_view> unsealed(std::string_view what, std::string_view file) {
  if (!file.starts_with(what)) return failure("it is of another format or version");
  if (file.size() < what.size() + kChecksum) return failure("it is cut off");
  const std::string_view whole = file.substr(0, file.size() - kChecksum);
  if (checksum_of(whole) != file.substr(whole.size())) {
    return failure("it is damaged: its checksum is wrong");
  }
  return whole.substr(what.size());
}

}  // namespace poise
