#include "cli/live/state_folder.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poise::cli {

namespace {

Failure cannot(std::string_view act, const std::string& path, std::string_view why) {
  return failure(fmt::format("cannot {} `{}`{}", act, path, why));
}

Result<std::string> all_of(int descriptor) {
  std::string bytes;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(reason(errno));
    if (count == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Result<void> written(const std::string& path, std::string_view bytes) {
  constexpr mode_t kReadable = 0666;  // less what the user's mask takes away
  const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadable));
  if (!file.is_open()) return failure(reason(errno));
  const Result<void> done = write_all(file.descriptor(), bytes);
  if (!done) return done;
  return sync(file.descriptor());
}

}  // namespace

Result<StateFolder> StateFolder::open(const std::string& path) {
  constexpr mode_t kEverything = 0777;
  if (::mkdir(path.c_str(), kEverything) == 0) {
    const Result<void> done = sync_name(path);
    if (!done) return cannot("make the folder", path, done.error().message);
  } else if (errno != EEXIST) {
    return cannot("make the folder", path, reason(errno));
  }
  const std::string name = path + "/lock";
  File lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.is_open()) return cannot("write", name, reason(errno));
  if (::flock(lock.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return cannot("lock", name, reason(errno));
    return failure(fmt::format("the folder `{}` is used by another process", path));
  }
  return StateFolder(path, std::move(lock));
}

Result<std::optional<std::string>> StateFolder::kept() const {
  const std::string name = path_ + "/state";
  const File file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  if (!file.is_open()) return cannot("read", name, reason(errno));
  Result<std::string> bytes = all_of(file.descriptor());
  if (!bytes) return cannot("read", name, bytes.error().message);
  return *std::move(bytes);
}

// A crash leaves the old file or the new one: the new file is on the disk before it gets the name,
// and rename() is atomic.
Result<void> StateFolder::keep(std::string_view bytes) const {
  const std::string name = path_ + "/state";
  const std::string fresh = name + ".tmp";
  const Result<void> done = written(fresh, bytes);
  if (!done) {
    ::unlink(fresh.c_str());  // it may be what filled the disk
    return cannot("write", fresh, done.error().message);
  }
  if (std::rename(fresh.c_str(), name.c_str()) != 0) return cannot("write", name, reason(errno));
  const Result<void> synced = sync_name(name);
  if (!synced) return cannot("write", name, synced.error().message);
  return {};
}

}  // namespace poise::cli
