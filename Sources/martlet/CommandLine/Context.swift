import BotFiles
import FoundationEssentials
import Git
import Glibc
import Integrating
import Model
import Rendering

/// The surroundings in which the program was started, so that no command reads them from the process.
struct Context: Sendable {
  var environment: [String: String]
  var currentFolder: String
  /// The program's own file, with links resolved.
  var executable: String
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  var terminalWidth: Int

  /// Writes raw bytes to standard output, as results are.
  func writeBytes(_ bytes: [UInt8]) throws(OutputError) { try Self.writeAll(bytes, to: 1) }

  func write(_ text: String) throws(OutputError) { try writeBytes(Array(text.utf8)) }

  func say(_ text: String) throws(OutputError) { try write(text.hasSuffix("\n") ? text : text + "\n") }

  /// Answers the process that started this one, with a line of JSON.
  func answer(_ value: some Encodable) throws { try say(String(decoding: JSONEncoder().encode(value), as: UTF8.self)) }

  /// Writes to standard error, as progress is. If even this fails, there is no way to report it.
  func writeError(_ text: String) { try? Self.writeAll(Array(text.utf8), to: 2) }

  /// Writes a line to standard error. It may quote the contents of repositories, which must not control a terminal.
  func remark(_ line: String) { writeError(VisibleText.of(line) + "\n") }

  /// Returns a value as the commands print it with `--json`: with sorted keys, and dates according to RFC 3339.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the home that the options or the environment name.
  func home(_ arguments: ParsedArguments) throws(IntegratingError) -> Home {
    try .locate(option: arguments.value("--home"), environment: environment, currentFolder: currentFolder)
  }

  func configuration(bots: String? = nil) throws(BotFileError) -> Configuration {
    try .locate(bots: bots, environment: environment, currentFolder: currentFolder)
  }

  func templates(_ arguments: ParsedArguments) throws -> ReportTemplates {
    try TemplateLocation.load(override: arguments.value("--templates"), self)
  }

  /// Makes a path absolute, relative to the current folder.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : path == "." ? currentFolder : "\(currentFolder)/\(path)"
  }

  /// Returns a path as a person would write it from the current folder.
  func shown(_ path: String) -> String {
    path.hasPrefix("\(currentFolder)/") ? String(path.dropFirst(currentFolder.count + 1)) : path
  }

  /// Whether output may be colored (https://no-color.org).
  var mayColour: Bool {
    outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  static func ofThisProcess() -> Context {
    keepClosedDescriptorsClosed()
    return Context(
      environment: ProcessInfo.processInfo.environment,
      currentFolder: FileManager.default.currentDirectoryPath,
      executable: "/proc/self/exe".withoutLinks,
      outputIsTerminal: isatty(1) == 1,
      errorIsTerminal: isatty(2) == 1,
      terminalWidth: terminalWidth())
  }

  private static func terminalWidth() -> Int {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Occupies the descriptors of standard streams that were not opened, so that none of Martlet's files gets one of
  /// them and receives printed output. The descriptors that take their place cannot be written to.
  private static func keepClosedDescriptorsClosed() {
    while true {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor > 2 else {
        if descriptor < 0 { return }
        continue
      }
      close(descriptor)
      return
    }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A reader that stops reading has what it wanted.
      if count < 0, errno == EPIPE { return }
      if count <= 0 { throw OutputError(errno: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

extension LocalTime {
  /// The zone of `TZ` or `/etc/localtime`, asked of the C library: to FoundationEssentials every machine is in UTC.
  static let ofThisMachine = LocalTime { date in
    var (time, parts) = (time_t(date.timeIntervalSince1970), tm())
    localtime_r(&time, &parts)
    return parts.tm_gmtoff
  }
}

/// The user who runs the program, and the machine on which it runs.
enum Account {
  /// The name of the user, or the user ID if the machine has no name for it.
  static var user: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "user \(getuid())" }
    return String(cString: name)
  }

  static var host: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "localhost" }
    return withUnsafeBytes(of: names.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

struct OutputError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(errno number: Int32) {
    description =
      "cannot write to standard output: \(SystemReason.words(of: number)). Make room there, or send the output elsewhere."
  }
}
