import CProcess
import Glibc

/// A running program under its keeper, and the three descriptors for following it.
struct Child: ~Copyable {
  let command: Command
  /// The program's file.
  private let file: String
  /// Removed when the last process in it has ended.
  private let group: ControlGroup
  private let keeper: pid_t
  private let control: Descriptor
  let output: Descriptor
  let error: Descriptor

  var controlNumber: Int32 { control.number }

  /// The program and all its descendants.
  var tree: ProcessTree { ProcessTree(keeper: keeper) }

  /// Starts the keeper, which reports if the command could not be started.
  init(_ command: Command, file: String, limits: Limits) throws(ProcessError) {
    var run = cprocess_run()
    group = ControlGroup(tasks: limits.tasks)
    let code = Child.start(command, file: file, limits: limits, entrance: group.entrance, run: &run)
    if code != 0 { throw .system("start “\(command.executable)”", errno: code) }
    keeper = run.keeper
    control = Descriptor(owning: run.control)
    output = Descriptor(owning: run.output)
    error = Descriptor(owning: run.error)
    self.command = command
    self.file = file
  }

  private static func start(
    _ command: Command, file: String, limits: Limits, entrance: String?, run: inout cprocess_run
  ) -> Int32 {
    let variables = command.environment.map { "\($0.key)=\($0.value)" }
    let views = command.overlays.flatMap { [$0.original, $0.layers] }
    return withCStrings([command.executable] + command.arguments) { arguments in
      withCStrings(variables) { environment in
        withCStrings(views) { views in
          withOptionalCStrings([file, command.workingDirectory, command.standardInput, entrance, command.router]) {
            var order = cprocess_command(
              path: $0[0], arguments: arguments, environment: environment, folder: $0[1], input: $0[2], group: $0[3],
              router: $0[4], views: views, contained: command.isContained,
              features: command.features.rawValue, companion: command.companion ?? 0,
              reporting: command.isReported,
              address_space: limits.addressSpace ?? .max, file_size: limits.fileSize ?? .max)
            return cprocess_start(&order, &run)
          }
        }
      }
    }
  }

  /// Waits for the keeper's next report.
  ///
  /// - Throws: If the command could not be started, or if the keeper is gone. There is nothing to wait for then.
  borrowing func receive() throws(ProcessError) -> cprocess_report {
    guard let report = nextReport() else {
      collect()
      throw .unwatched(command.executable)
    }
    guard report.news != CPROCESS_FAILED else {
      collect()
      throw .start(command, file: file, stage: report.stage, errno: report.code)
    }
    return report
  }

  /// Returns nil when the keeper is gone.
  private borrowing func nextReport() -> cprocess_report? {
    var report = cprocess_report()
    while true {
      let count = recv(control.number, &report, MemoryLayout<cprocess_report>.size, 0)
      if count == MemoryLayout<cprocess_report>.size { return report }
      // A keeper that ended before reading its last order resets the connection, but its own reports can still be read.
      if count < 0 && (errno == EINTR || errno == ECONNRESET) { continue }
      return nil
    }
  }

  /// Asks the program and its process group to terminate.
  borrowing func terminate() { order(CPROCESS_TERMINATE) }

  /// Kills the program and all its descendants.
  borrowing func kill() { order(CPROCESS_KILL) }

  private borrowing func order(_ order: cprocess_order) {
    // A program may have stopped its keeper. The keeper has not been waited for yet, so its ID has not been reused.
    Glibc.kill(keeper, SIGCONT)
    var letter = UInt8(truncatingIfNeeded: order.rawValue)
    send(control.number, &letter, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits for the keeper itself, which ends after its last report.
  borrowing func collect() {
    var status: Int32 = 0
    while waitpid(keeper, &status, 0) < 0 && errno == EINTR {}
  }
}

/// Passes strings to C, with null pointers for missing ones.
private func withOptionalCStrings<Result>(_ strings: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
  let pointers = strings.map { $0.flatMap { strdup($0) } }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers.map { UnsafePointer($0) })
}

/// Passes strings to C as a null-terminated array.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers)
}
