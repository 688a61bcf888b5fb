#include "cli/io/file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poise::cli {

namespace {

std::string parent_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t end = path.rfind('/');
  if (end == std::string::npos) return ".";
  return end == 0 ? "/" : path.substr(0, end);
}

}  // namespace

std::string words_for(int error) { return std::generic_category().message(error); }

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string reason(int error) { return error == 0 ? "" : ": " + words_for(error); }

Result<void> write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return failure(reason(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> sync(int descriptor) {
  if (::fsync(descriptor) != 0) return failure(reason(errno));
  return {};
}

// A name is stored in its folder, so it is the folder that has to be synced.
Result<void> sync_name(const std::string& path) {
  const File file(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open()) return failure(reason(errno));
  // Some file systems cannot sync a folder (EINVAL); then there is nothing to wait for.
  if (::fsync(file.descriptor()) != 0 && errno != EINVAL) return failure(reason(errno));
  return {};
}

std::optional<std::string> bytes_at(int descriptor, std::uint64_t at, std::size_t size) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count =
        ::pread(descriptor, bytes.data() + filled, size - filled, static_cast<off_t>(at + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace poise::cli
