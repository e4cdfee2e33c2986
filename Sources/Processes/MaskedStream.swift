/// A stream that receives bytes in pieces and passes them on with secrets masked, wherever the pieces were cut.
///
/// Bytes that may be the beginning of a secret are held back: no more than a few times the length of the longest one.
package struct MaskedStream: Sendable {
  /// A reading of the bytes in one of the forms in which a secret may be written.
  private struct View {
    var state = 0
    /// The positions in the stream at which the last bytes of the view began, as a ring buffer.
    var starts: [Int]
    var count = 0
    /// The number of consecutive line break bytes; more than one line ending is not part of a secret.
    var breaks = 0

    /// Consumes a byte of the view. Returns the start of the pattern that ends with it, if any.
    mutating func take(_ byte: UInt8, from start: Int, _ automaton: PatternAutomaton) -> Int? {
      breaks = 0
      state = automaton.next(state, byte)
      starts[count % starts.count] = start
      count &+= 1
      let length = automaton.matches[state]
      return length > 0 ? starts[(count - length) % starts.count] : nil
    }

    mutating func takeLineBreak() {
      breaks += 1
      if breaks > 2 { state = 0 }
    }

    /// Returns the start of a possible secret in the stream; nil if there is none.
    func open(_ automaton: PatternAutomaton) -> Int? {
      let depth = automaton.depths[state]
      return depth > 0 ? starts[(count - depth) % starts.count] : nil
    }
  }

  private let automaton: PatternAutomaton
  private var plain: View
  /// The bytes with percent-encoding decoded.
  private var decoded: View
  /// The bytes without terminal colors and cursor movements.
  private var bare: View
  /// The number of bytes read of such a sequence, and the number of consecutive sequences.
  private var escape = (bytes: 0, sequences: 0)
  /// The longest sequence that a color takes, and the most consecutive ones.
  private static let longestEscape = (bytes: 32, sequences: 4)
  /// The digits after a percent sign, with its position.
  private var percent: (start: Int, high: UInt8?)?
  private var held: [UInt8] = []
  private var heldStart = 0
  /// Whether each of the held bytes belongs to a secret.
  private var isSecret: [Bool] = []
  private var wasSecret = false
  /// Whether anything has been replaced so far.
  package private(set) var hasReplaced = false

  package init(_ mask: SecretMask) {
    automaton = mask.automaton
    plain = View(starts: [Int](repeating: 0, count: max(1, automaton.longest)))
    decoded = plain
    bare = plain
  }

  /// Consumes more bytes, and passes on those that are settled.
  package mutating func feed(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
    guard !automaton.isEmpty else { return try body(bytes) }
    var position = heldStart + held.count
    held += bytes
    isSecret += [Bool](repeating: false, count: bytes.count)
    for byte in bytes {
      take(byte, at: position)
      position += 1
    }
    let open = [plain.open(automaton), decoded.open(automaton), bare.open(automaton), percent?.start].compactMap(\.self)
      .min()
    try emit(upTo: open ?? position, body)
  }

  /// Passes on everything that was held back.
  package mutating func finish(_ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
    try emit(upTo: heldStart + held.count, body)
  }

  private mutating func take(_ byte: UInt8, at position: Int) {
    if PatternAutomaton.isLineBreak(byte) {
      plain.takeLineBreak()
      decoded.takeLineBreak()
      bare.takeLineBreak()
      escape = (0, 0)
      return
    }
    if let start = plain.take(byte, from: position, automaton) { mark(start...position) }
    decode(byte, at: position)
    takeBare(byte, at: position)
  }

  /// Skips terminal control sequences
  /// (https://www.ecma-international.org/publications-and-standards/standards/ecma-48/, 5.4): `ESC [`, parameters, and
  /// a letter.
  private mutating func takeBare(_ byte: UInt8, at position: Int) {
    let isLetter = (0x40...0x7E).contains(byte)
    switch escape.bytes {
    case 0 where byte == 0x1B:
      escape.bytes = 1
      escape.sequences += 1
      if escape.sequences > Self.longestEscape.sequences { bare.state = 0 }
    case 1 where byte == UInt8(ascii: "["): escape.bytes = 2
    case 2... where isLetter: escape.bytes = 0
    case 2...Self.longestEscape.bytes where (0x20...0x3F).contains(byte): escape.bytes += 1
    case 0:
      escape.sequences = 0
      if let start = bare.take(byte, from: position, automaton) { mark(start...position) }
    default:
      // This is not such a sequence, so it ends any secret begun before it.
      escape = (0, 0)
      bare.state = 0
    }
  }

  private mutating func decode(_ byte: UInt8, at position: Int) {
    let digit = Self.hexadecimal(byte)
    switch (percent, digit) {
    case (let (start, nil)?, let high?):
      percent = (start, high)
    case (let (start, high?)?, let low?):
      percent = nil
      let byte = high << 4 | low
      if PatternAutomaton.isLineBreak(byte) {
        decoded.takeLineBreak()
      } else if let first = decoded.take(byte, from: start, automaton) {
        mark(first...position)
      }
    default:
      // The last percent sign did not begin a code; its characters represent only themselves, which `plain` has read.
      if percent != nil { decoded.state = 0 }
      percent = byte == UInt8(ascii: "%") ? (position, nil) : nil
      guard percent == nil else { return }
      if let first = decoded.take(byte, from: position, automaton) { mark(first...position) }
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private mutating func mark(_ range: ClosedRange<Int>) {
    for position in range where position >= heldStart { isSecret[position - heldStart] = true }
  }

  private mutating func emit(upTo end: Int, _ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
    let count = end - heldStart
    var index = 0
    while index < count {
      let secret = isSecret[index]
      var next = index + 1
      while next < count, isSecret[next] == secret { next += 1 }
      if !secret {
        try body(held[index..<next])
      } else if !wasSecret {
        hasReplaced = true
        try body(Array(SecretMask.replacement.utf8)[...])
      }
      wasSecret = secret
      index = next
    }
    held.removeFirst(count)
    isSecret.removeFirst(count)
    heldStart = end
  }
}

/// The two streams of a program's output with secrets masked.
///
/// Bytes held back as a possible secret carry the time of the bytes that settled the question.
package struct MaskedOutput {
  private var streams: [OutputChunk.Stream: MaskedStream]
  private var time = Duration.zero

  package init(_ mask: SecretMask) {
    let stream = MaskedStream(mask)
    streams = [.standardOutput: stream, .standardError: stream]
  }

  package mutating func feed(_ chunk: OutputChunk, _ body: (OutputChunk) throws -> Void) rethrows {
    time = chunk.time
    try streams[chunk.stream]?.feed(chunk.bytes) { bytes in
      try body(OutputChunk(stream: chunk.stream, bytes: bytes, time: chunk.time))
    }
  }

  /// Passes on everything that was held back.
  package mutating func finish(_ body: (OutputChunk) throws -> Void) rethrows {
    let time = time
    for stream in OutputChunk.Stream.allCases {
      try streams[stream]?.finish { try body(OutputChunk(stream: stream, bytes: $0, time: time)) }
    }
  }
}
