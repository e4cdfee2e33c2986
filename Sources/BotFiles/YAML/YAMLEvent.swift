import CLibYAML

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
