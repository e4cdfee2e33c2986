import Comparing
import FoundationEssentials
import Glibc
import Model
import Processes
import Rendering

extension IntegrationRun {
  /// What the integration depends on besides its commit, so that a later comparison can tell the two apart.
  ///
  /// Settings with their usual values are left out.
  var circumstances: [Circumstance] {
    var found: [Circumstance] = []
    if let system = Self.system { found.append(Circumstance(Circumstance.system, system)) }
    found.append(Circumstance(Circumstance.processors, "\(ProcessInfo.processInfo.activeProcessorCount)"))
    if let machine = request.origin?.machine { found.append(Circumstance(Circumstance.machine, machine)) }
    func add(_ name: String, _ value: String, unless isUsual: Bool) {
      if !isUsual { found.append(Circumstance(name, value)) }
    }
    add("arguments", request.arguments.joined(separator: " "), unless: request.arguments.isEmpty)
    add("build-system", context.buildSystem.rawValue, unless: context.buildSystem == .native)
    add(
      Circumstance.sanitizers, request.sanitize.map(\.rawValue).joined(separator: ", "),
      unless: request.sanitize.isEmpty)
    let traits = request.way.traits.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }
    add("traits", traits ?? "", unless: traits == nil)
    add("tests.filter", request.tests.filter.joined(separator: ", "), unless: request.tests.filter.isEmpty)
    add("tests.skip", request.tests.skip.joined(separator: ", "), unless: request.tests.skip.isEmpty)
    add("tests.retries", "\(request.tests.retries)", unless: request.tests.retries == 0)
    add("tests.isolation", "on", unless: !request.tests.isolation)
    add("tests.timeout", "\(request.tests.limits.test.words)", unless: request.tests.limits.test == TestLimits().test)
    add("coverage", "off", unless: request.coverage.isMeasured)
    add(
      "coverage.exclude", request.coverage.exclude.joined(separator: ", "), unless: request.coverage.exclude.isEmpty)
    for (name, value) in request.environment.sorted(by: { $0.key < $1.key }) {
      found.append(Circumstance("environment.\(name)", value))
    }
    return found
  }

  /// Returns which variables, and which versions of dependencies that no commit pins, are other ones than in what a cell
  /// is compared with.
  func changesOutside(of cell: Cell, in integration: Integration) -> [CircumstanceChange] {
    guard let before = cell.reference.document else { return [] }
    let changes = CircumstanceChange.ofCode(from: before, to: IntegrationRecord(integration))
    // A document has no secrets in it.
    return changes.filter { change in change.after.map { mask.mask($0) } != change.before }
  }

  /// What tells its toolchain from that of other integrations.
  var toolchainMark: ToolchainMark {
    ToolchainMark(name: toolchain.name, stamp: toolchain.stampOfDocuments, machine: request.origin?.machine)
  }

  /// The system's name with its kernel and the machine's architecture.
  private static var system: String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    let kernel = "\(text(&names.sysname)) \(text(&names.release)), \(text(&names.machine))"
    return [distribution, kernel].compactMap(\.self).joined(separator: ", ")
  }

  /// The name of the distribution: https://www.freedesktop.org/software/systemd/man/latest/os-release.html
  private static var distribution: String? {
    guard let bytes = FileManager.default.contents(atPath: "/etc/os-release") else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return line?.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
  }

  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
