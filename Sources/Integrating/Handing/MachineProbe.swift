import FoundationEssentials
package import Model
package import Processes

/// A look at another machine, from the one that watches: it gets this program, checks itself, and ends what nobody wants.
package struct MachineProbe: Sendable {
  private let look: MachineLook
  private let home: Home
  private let connection: MachineConnection
  private let environment: [String: String]
  private let cancellation: Cancellation

  package init(
    _ look: MachineLook, home: Home, program: MachineProgram, environment: [String: String], cancellation: Cancellation
  ) {
    self.look = look
    self.home = home
    self.environment = environment
    self.cancellation = cancellation
    connection = MachineConnection(machine: look.machine, home: home, program: program, environment: environment)
  }

  /// Looks at the machine; whatever is wrong with it is part of the report.
  package func run() -> MachineReport {
    do {
      let answer = try connection.ask(["look"] + look.dropped, cancellation: cancellation)
      var report = try JSONDecoder().decode(MachineReport.self, from: Data(answer))
      report.date = Date()
      report.trouble = report.trouble ?? difference(of: report)
      return report
    } catch {
      return MachineReport(date: Date(), trouble: "\(error)".withStop)
    }
  }

  /// Returns what is wrong with its toolchain, as a sentence: results of two are compared with each other.
  private func difference(of report: MachineReport) -> String? {
    // A machine that only hands out need not have any.
    guard
      let own = try? home.toolchain(searchPath: environment["PATH"] ?? "", cancellation: cancellation),
      let other = report.toolchain, other != own.name
    else { return nil }
    return "Its toolchain is \(other), and that of this machine is \(own.name)."
  }
}
