#include "cli/io/files.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/io/file.h"
#include "poise/lang/lang.h"

namespace poise::cli {

namespace {

namespace fs = std::filesystem;

// At most one byte more than a model may have.
std::string text_of(std::istream& stream) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (text.size() <= lang::kMaxFileSize && stream) {
    const std::size_t room = lang::kMaxFileSize + 1 - text.size();
    stream.read(buffer.data(), static_cast<std::streamsize>(std::min(buffer.size(), room)));
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

// Writes the text to a new file in the folder of `target`, so that a rename is atomic. Returns its
// name.
Result<std::string> write_beside(const fs::path& target, std::string_view text, mode_t mode) {
  std::string name = (target.parent_path() / ".poise-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) return failure(reason(errno));
  Result<void> done = write_all(file, text);
  if (done && ::fchmod(file, mode) != 0) done = failure(reason(errno));
  if (done && ::fsync(file) != 0) done = failure(reason(errno));
  if (::close(file) != 0 && done) done = failure(reason(errno));
  if (done) return name;
  ::unlink(name.c_str());
  return failure(done.error().message);
}

}  // namespace

Result<Source> read_source(const std::string& path, std::istream& standard_input) {
  if (path == "-") {
    std::string text = text_of(standard_input);
    if (standard_input.bad()) return failure("cannot read standard input");
    return Source{.name = path, .text = std::move(text)};
  }
  const Result<std::unique_ptr<std::istream>> file = open_file(path);
  if (!file) return Failure(file.error());
  errno = 0;
  std::string text = text_of(**file);
  if ((*file)->bad()) return failure(fmt::format("cannot read `{}`{}", path, reason(errno)));
  return Source{.name = path, .text = std::move(text)};
}

Result<std::unique_ptr<std::istream>> open_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return failure(fmt::format("cannot read `{}`: it is a directory", path));
  }
  errno = 0;
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) return failure(fmt::format("cannot read `{}`{}", path, reason(errno)));
  return file;
}

Result<void> write_file(const std::string& path, std::string_view text) {
  const auto cannot = [&path](int error) {
    return failure(fmt::format("cannot write `{}`{}", path, reason(error)));
  };
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return cannot(errno);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return cannot(errno);
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text) {
  const auto cannot = [&path](std::string_view why) {
    return failure(fmt::format("cannot rewrite `{}`{}", path, why));
  };
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) return cannot(reason(error.value()));
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) return cannot(reason(errno));
  const Result<std::string> fresh = write_beside(target, text, status.st_mode & 07777);
  if (!fresh) return cannot(fresh.error().message);
  if (::rename(fresh->c_str(), target.c_str()) != 0) {
    const int why = errno;
    ::unlink(fresh->c_str());
    return cannot(reason(why));
  }
  return {};
}

void Output::write(std::string_view text) {
  if (!file_.empty()) {
    pending_ += text;
    return;
  }
  errno = 0;
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  out_.flush();
  if (!out_ && error_ == 0) error_ = errno;
}

Result<void> Output::finish() {
  if (!file_.empty()) return write_file(file_, pending_);
  if (!out_) return failure("cannot write the output" + reason(error_));
  return {};
}

}  // namespace poise::cli
