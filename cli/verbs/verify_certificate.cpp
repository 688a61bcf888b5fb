#include "cli/verbs/verify_certificate.h"

#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "poise/diag/render.h"
#include "poise/report/confirmation_words.h"
#include "poise/report/json/confirmation.h"
#include "poise/report/text/confirmation.h"
#include "poise/verify/certificate/certificate.h"
#include "poise/verify/certificate/confirm.h"
#include "poise/verify/certificate/opened.h"

namespace poise::cli {

namespace {

// What is wrong with a certificate, with the line and a mark where it is.
void show_mistake(const Source& file, const verify::Mistake& mistake, const Streams& streams) {
  const LineIndex lines(file.text);
  const auto at = lines.position(static_cast<std::uint32_t>(mistake.offset));
  streams.err << fmt::format("{}:{}:{}: error: {}\n", file.name, at.line, at.column,
                             mistake.message)
              << std::flush;
}

void show_mistakes(const Source& file, const verify::OpenedCertificate& contents,
                   const Streams& streams, ColorChoice color) {
  for (const verify::Mistake& mistake : contents.mistakes) show_mistake(file, mistake, streams);
  if (contents.of_model.empty()) return;
  complain(streams, fmt::format("{}: its model is wrong:", file.name));
  streams.err << rendered(contents.model, contents.of_model, streams, color) << std::flush;
}

Status status_of(const verify::Confirmation& confirmation) {
  switch (confirmation.verdict) {
    case verify::Confirmation::Verdict::Confirmed: return Status::NothingFound;
    case verify::Confirmation::Verdict::NotConfirmed: return Status::Found;
    case verify::Confirmation::Verdict::Unknown: return Status::LimitReached;
  }
  return Status::LimitReached;
}

// Why a report has no certificate; empty if it has one.
std::string_view why_none(const verify::Report& report) {
  switch (report.verdict) {
    case verify::Verdict::Unsafe: return "the model is not safe";
    case verify::Verdict::Unknown: return "it is not known whether the model is safe";
    case verify::Verdict::Safe: break;
  }
  return report.invariants.empty() ? "the invariant cannot be written in the language" : "";
}

}  // namespace

Result<Status> write_certificate(const VerifyCall& call, const Source& source,
                                 const model::Model& model, const verify::Report& report,
                                 const Limits& limits, const Streams& streams) {
  const std::string& file = call.certificate;
  if (const std::string_view why = why_none(report); !why.empty()) {
    complain(streams, fmt::format("{} was not written: {}", file, why));
    return report.verdict == verify::Verdict::Safe ? Status::LimitReached : Status::NothingFound;
  }
  // Whoever gets the file will read it back and ask a solver; so that is done here first.
  const std::string json = certificate_json(certificate_of(source, model, report));
  const verify::ReadCertificate read = verify::certificate_from(json);
  verify::OpenedCertificate contents;
  if (read.certificate) contents = verify::opened(*read.certificate, json);
  if (!contents.opened) {
    complain(streams, fmt::format("{} was not written: it could not be read back", file));
    return Status::LimitReached;
  }
  const verify::Confirmation made = verify::confirm(*contents.opened, limits);
  if (made.verdict != verify::Confirmation::Verdict::Confirmed) {
    const bool unknown = made.verdict == verify::Confirmation::Verdict::Unknown;
    complain(streams,
             fmt::format("{} was not written: it could not be confirmed: {}", file,
                         unknown ? made.why : report::open_words(contents.opened->model, made)));
    return Status::LimitReached;
  }
  const Result<void> written = write_file(file, json);
  if (!written) return Failure(written.error());
  return Status::NothingFound;
}

Result<Status> check_certificate(const VerifyCall& call, const ConfirmSettings& settings,
                                 const Streams& streams) {
  const Result<Source> file = read_source(call.check, streams.in);
  if (!file) return Failure(file.error());
  const verify::ReadCertificate read = verify::certificate_from(file->text);
  if (!read.certificate) {
    show_mistake(*file, read.mistake, streams);
    return Status::Wrong;
  }
  if (!call.model.empty()) {
    const Result<Source> model = read_source(call.model, streams.in);
    if (!model) return Failure(model.error());
    if (model->text != read.certificate->text) {
      return failure(
          fmt::format("{} is the certificate of another text than {}", call.check, call.model));
    }
  }
  const verify::OpenedCertificate contents = verify::opened(*read.certificate, file->text);
  if (!contents.opened) {
    show_mistakes(*file, contents, streams, settings.color);
    return Status::Wrong;
  }
  const verify::Opened& opened = *contents.opened;
  const verify::Confirmation made = verify::confirm(opened, settings.limits);
  Output output(streams.out, call.output);
  if (settings.format == Format::Json) {
    output.write(report::confirmation_json(opened.model, opened.mode, made));
  } else {
    std::string text = report::confirmation_text(
        opened.model, call.check, opened.mode, made,
        {.color = color_of_out(streams.environment, settings.color, call.output),
         .width = streams.environment.width,
         .detail = call.quiet ? report::Detail::Summary : report::Detail::Full});
    output.write(readable(std::move(text), streams.environment.signs));
  }
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return status_of(made);
}

}  // namespace poise::cli
