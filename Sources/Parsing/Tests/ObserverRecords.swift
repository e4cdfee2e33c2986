import Model

/// An authentic record of the observer in a test process.
package struct ObserverRecord: Hashable, Sendable {
  /// The kinds of record, with the letters in the observer's source.
  package enum Kind: UInt8, Sendable {
    /// The observer is following the library.
    case ready = 0x48
    /// The observer cannot follow the library; the record gives the reason.
    case failed = 0x46
    case bundleStarted = 0x42
    case bundleFinished = 0x5A
    case suiteIssue = 0x55
    case testStarted = 0x54
    case testIssue = 0x49
    case testFinished = 0x74
    /// Swift Testing's event stream now goes to the observer.
    case streamOpened = 0x4F
    /// The next bytes of the event stream.
    case events = 0x45
    /// The process is being followed, even if the libraries are not.
    case connected = 0x43
    /// The process is about to end; see `ObservedExit`.
    case exit = 0x58
    /// The process's counters are in memory that the record passes along; see `MovedCounters`.
    case counters = 0x4D
    /// The counts since the last such record; see `CounterChanges`.
    case counted = 0x4B
    /// The values that code of the package makes when they are first needed are followed; see `ValueMaker`.
    case valuesFollowed = 0x44
    case valueStarted = 0x4C
    case valueFinished = 0x6C
    /// A value was made, or may be, without being followed.
    case valueMissed = 0x4E
    /// Programs that tests started are running now, or no longer: a byte that is not zero, or zero.
    case programsRun = 0x50
    /// From a started program: the digits of the number of the record that was due when it was started.
    case startedAt = 0x53
    /// The end of a mutant's run; see `MutantRun`.
    case mutantRun = 0x56
    /// Mutants are impossible, because the process has threads before its tests begin.
    case threads = 0x57
    /// Something other than XCTest called the observer.
    case intrusion = 0x59
  }

  package var kind: Kind
  package var bytes: ArraySlice<UInt8>
  /// Its number among all records of its process, from 0.
  var number: UInt64 = 0
}

/// A filter that separates the observer's records from anything else written to its channel.
///
/// A message consists of the keyed hash of the rest, a number, a kind and the bytes. Only the observer knows the key,
/// and any message that is repeated, late or missing is detected.
package struct ObserverRecords: Sendable {
  private static let headerLength = 17
  private let hash: SipHash
  private var next: UInt64 = 0
  private var foreign = 0
  private var gap: (expected: UInt64, found: UInt64)?

  /// - Parameter key: sixteen bytes that only the observer receives.
  package init(key: [UInt8]) {
    hash = SipHash(key: key)
  }

  /// Returns the record in a message; nil if it is not authentic.
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
      ObserverRecord(kind: $0, bytes: message[Self.headerLength...], number: number)
    }
  }

  /// Sentences about violations of the protocol.
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

/// A reader of a record's fields; each text is preceded by its length, and truncated fields are missing.
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
    return rest.prefix(Int(length)).text
  }
}

/// The observer's report that it has moved its process's counters out of their file.
package struct CountersRecord: Hashable, Sendable {
  /// The length of the file, in bytes.
  package var length: Int
  /// The path of the file.
  package var path: String

  /// Reads an observer record; returns nil if it is of another kind, or truncated.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .counters else { return nil }
    var fields = ObserverFields(record)
    guard let length = fields.number(), let length = Int(exactly: length), let path = fields.text() else { return nil }
    self.length = length
    self.path = path
  }
}
