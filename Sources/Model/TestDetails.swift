/// Something that a test left beside its results.
package struct TestAttachment: Hashable, Sendable {
  /// The kinds of picture that pages show; everything else is offered for download.
  package enum Picture: String, Hashable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
  }

  /// The name that the test gave it; written by others, so that it names no file.
  package var name: String
  /// The file, relative to the integration's folder, such as `attachments/<test>/note.txt`; nil when it was not kept.
  package var path: String?
  package var byteCount: Int
  /// What its first bytes say that it is; nil for everything but the pictures that pages show.
  package var picture: Picture?
  /// The arguments of the case that left it, in a parameterised test.
  package var caseName: String?
  /// Why it was not kept, as a sentence.
  package var problem: String?

  package init(
    name: String, path: String? = nil, byteCount: Int = 0, picture: Picture? = nil, caseName: String? = nil,
    problem: String? = nil
  ) {
    self.name = name
    self.path = path
    self.byteCount = byteCount
    self.picture = picture
    self.caseName = caseName
    self.problem = problem
  }
}

extension TestAttachment.Picture {
  /// Recognises a picture by its first bytes, whatever its name says.
  ///
  /// The signatures are those of https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
  package init?(of bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(14))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).starts(with: Array("WEBPVP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}

/// One result of XCTest's `measure`.
package struct TestMeasurement: Hashable, Sendable, Codable {
  /// What was measured, such as `Time`.
  package var metric: String
  /// The unit of the values, such as `seconds`.
  package var unit: String
  /// One value for each repetition, in order.
  package var values: [Double]

  package init(metric: String, unit: String, values: [Double]) {
    self.metric = metric
    self.unit = unit
    self.values = values
  }

  /// The mean of the values; XCTest prints only three of its decimals.
  package var average: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }
}

/// A bug report that a test names.
package struct TestBug: Hashable, Sendable, Codable {
  package var url: String?
  package var id: String?
  package var title: String?

  package init(url: String? = nil, id: String? = nil, title: String? = nil) {
    self.url = url
    self.id = id
    self.title = title
  }
}

/// A method that is named like a test of XCTest and that XCTest never runs.
package struct NeverRunMethod: Hashable, Sendable, Codable {
  /// Why XCTest passes over a method.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// It, its class or its extension is private or file-private.
    case isPrivate = "private"
    case hasParameters = "parameters"
    case returnsValue = "return-value"
    /// It is a method of the class and not of its instances.
    case isStatic = "static"
  }

  /// The test target.
  package var target: String
  /// The class and the method, such as `GreetingTests/testNoon`.
  package var name: String
  package var cause: Cause
  package var location: SourceLocation

  package init(target: String, name: String, cause: Cause, location: SourceLocation) {
    self.target = target
    self.name = name
    self.cause = cause
    self.location = location
  }
}

/// What came of running each test alone after all of them had run together.
package struct IsolationReport: Hashable, Sendable, Codable {
  /// A test that does not end alone as it ends with the others.
  package struct Difference: Hashable, Sendable, Codable {
    package var id: TestID
    /// Its state with the others, retries included.
    package var together: TestState
    /// Its state alone in a process of its own.
    package var alone: TestState
    /// The first of its failure messages alone.
    package var message: String?

    package init(id: TestID, together: TestState, alone: TestState, message: String? = nil) {
      self.id = id
      self.together = together
      self.alone = alone
      self.message = message
    }
  }

  /// How many tests were run alone.
  package var ran: Int
  /// How many tests should have been run alone, but the time was up.
  package var left: Int
  /// The tests whose result depends on the others, or on chance; sorted by name.
  package var differing: [Difference]

  package init(ran: Int, left: Int = 0, differing: [Difference]) {
    self.ran = ran
    self.left = left
    self.differing = differing.sorted { $0.id < $1.id }
  }
}
