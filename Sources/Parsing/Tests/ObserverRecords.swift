import Model

/// One genuine record of the observer in a test process.
package struct ObserverRecord: Hashable, Sendable {
  /// What a record tells; the letters are those of the observer's source.
  package enum Kind: UInt8, Sendable {
    /// The observer follows the library.
    case ready = 0x48
    /// It cannot, and why.
    case failed = 0x46
    case bundleStarted = 0x42
    case bundleFinished = 0x5A
    case suiteIssue = 0x55
    case testStarted = 0x54
    case testIssue = 0x49
    case testFinished = 0x74
    /// Swift Testing's event stream goes to the observer.
    case streamOpened = 0x4F
    /// The next bytes of that stream.
    case events = 0x45
    /// The process is followed, whatever becomes of the libraries.
    case connected = 0x43
    /// The process is about to end; see `ObservedExit`.
    case exit = 0x58
    /// The counters of the process are in memory that was passed along; see `MovedCounters`.
    case counters = 0x4D
    /// What the process counted since it was told last; see `CounterChanges`.
    case counted = 0x4B
    /// How a run of a mutant ended; see `MutantRun`.
    case mutantRun = 0x56
    /// There can be no mutants, because the process has threads before its tests begin.
    case threads = 0x57
    /// Somebody else than XCTest called its observer.
    case intrusion = 0x59
  }

  package var kind: Kind
  package var bytes: ArraySlice<UInt8>
}

/// Tells the observer's records from whatever else is written to its channel.
///
/// A message is the keyed hash of its rest, its number, its kind and its bytes; only the observer knows the key, and
/// nothing that it says twice, late or not at all goes unnoticed.
package struct ObserverRecords: Sendable {
  private static let headerLength = 17
  private let hash: SipHash
  private var next: UInt64 = 0
  private var foreign = 0
  private var gap: (expected: UInt64, found: UInt64)?

  /// - Parameter key: sixteen bytes that only the observer is told.
  package init(key: [UInt8]) {
    hash = SipHash(key: key)
  }

  /// The record in a message; nil when it is not genuine.
  package mutating func take(_ message: [UInt8]) -> ObserverRecord? {
    guard message.count >= Self.headerLength, SipHash.word(message[..<8]) == hash.hash(message[8...]) else {
      foreign &+= 1
      return nil
    }
    let number = SipHash.word(message[8..<16])
    if number != next, gap == nil { gap = (next, number) }
    guard number >= next else { return nil }
    next = number &+ 1
    return ObserverRecord.Kind(rawValue: message[16]).map {
      ObserverRecord(kind: $0, bytes: message[Self.headerLength...])
    }
  }

  /// Sentences about what was not as it must be.
  package var contradictions: [String] {
    var sentences: [String] = []
    if foreign > 0 {
      let what = CountText.counted(foreign, "message that is", "messages that are")
      sentences.append("The test process wrote \(what) not the observer's to the observer's channel.")
    }
    if let gap {
      sentences.append("The observer's record \(gap.found) came where record \(gap.expected) was due.")
    }
    return sentences
  }
}

/// Reads the fields of a record, each text with its length in front of it; what is cut off is missing.
struct ObserverFields {
  private var rest: ArraySlice<UInt8>

  init(_ record: ObserverRecord) {
    rest = record.bytes
  }

  mutating func number() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return SipHash.word(rest.prefix(8))
  }

  mutating func text() -> String? {
    guard let length = number(), length <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(length)) }
    return Array(rest.prefix(Int(length))).text
  }
}
