import CLibYAML

/// The owner of a libyaml parser and of the bytes that it reads.
///
/// https://pyyaml.org/wiki/LibYAML
struct YAMLParser: ~Copyable {
  private let handle: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// The reason a file is not valid YAML, in libyaml's words.
  struct Failure: Error {
    /// The position in Unicode scalars from the beginning of the file.
    var offset: Int
    var problem: String
    /// The start of the construct that went wrong, such as an open quote.
    var contextOffset: Int?
    var context: String?
  }

  init(_ bytes: [UInt8]) throws(Failure) {
    let handle = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(handle) == 1 else {
      handle.deallocate()
      throw Failure(offset: 0, problem: "there is no memory for a parser")
    }
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    yaml_parser_set_input_string(handle, input.baseAddress, input.count)
    yaml_parser_set_encoding(handle, YAML_UTF8_ENCODING)
    self.handle = handle
    self.input = input
  }

  deinit {
    yaml_parser_delete(handle)
    handle.deallocate()
    input.deallocate()
  }

  /// Returns the next event. Must not be called after the end of the stream or a failure.
  mutating func next() throws(Failure) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(handle, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }

  private func failure() -> Failure {
    let parser = handle.pointee
    let isReader = parser.error == YAML_READER_ERROR
    return Failure(
      offset: Int(clamping: isReader ? parser.mark.index : parser.problem_mark.index),
      problem: parser.problem.map { String(cString: $0) } ?? "there is no memory for it",
      contextOffset: parser.context == nil ? nil : Int(clamping: parser.context_mark.index),
      context: parser.context.map { String(cString: $0) })
  }
}

/// A libyaml event, as Swift values.
struct YAMLEvent {
  enum Kind {
    /// The beginning or end of the stream, or the end of a document.
    case framing
    case documentStart
    case streamEnd
    case alias(String)
    case scalar(String, isPlain: Bool)
    case listStart
    case mappingStart
    /// The end of a list or a mapping.
    case end
  }

  var kind: Kind
  var anchor: String?
  var tag: String?
  /// The position in Unicode scalars from the beginning of the file.
  var start: Int

  /// Copies an event filled in by libyaml without keeping any of its memory.
  init(_ event: yaml_event_t) {
    start = Int(clamping: event.start_mark.index)
    switch event.type {
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_ALIAS_EVENT: kind = .alias(Self.text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length)
      let text = String(decoding: bytes, as: UTF8.self)
      kind = .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      anchor = Self.text(scalar.anchor)
      tag = Self.text(scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      kind = .listStart
      anchor = Self.text(event.data.sequence_start.anchor)
      tag = Self.text(event.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      anchor = Self.text(event.data.mapping_start.anchor)
      tag = Self.text(event.data.mapping_start.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    default: kind = .framing
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
