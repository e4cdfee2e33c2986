import Model

extension WrittenFiles {
  /// The note about the files that tests wrote beside the sources.
  var record: TemplateValue {
    let others = others ?? 0
    return .record([
      "count": .text((isCut == true ? "more than " : "") + CountText.counted(count, "file")),
      "rows": .list(files.map { .record(["path": .shown($0.path), "deed": .text($0.deed.rawValue)]) }),
      "more": others > 0 ? .text(CountText.counted(others, "more file")) : .missing,
    ])
  }
}
