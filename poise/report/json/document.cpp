#include "poise/report/json/document.h"

#include <utility>

#include "poise/json/writer.h"

namespace poise::report {

Document::Document(std::string_view schema, const model::Model& model, Sink sink)
    : sink_(std::move(sink)) {
  text_ += "{\n  \"schema\": ";
  json::append_quoted(text_, schema);
  add("model", json::quoted(model.name));
}

void Document::add(std::string_view key, std::string_view json) {
  text_ += ",\n  ";
  json::append_quoted(text_, key);
  text_ += ": ";
  text_ += json;
}

void Document::add(const Extent& extent) {
  add("complete", json::boolean(extent.complete));
  if (!extent.stopped.empty()) add("stopped", json::quoted(extent.stopped));
}

void Document::flush() {
  if (!sink_) return;
  sink_(text_);
  text_.clear();
}

std::string Document::finished() {
  text_ += "\n}\n";
  return std::move(text_);
}

std::string json_place(const model::Model& model, const Position& at) {
  json::Object place;
  place.add_text("file", model.file);
  place.add_number("line", at.line);
  place.add_number("column", at.column);
  return place.json();
}

}  // namespace poise::report
