import Model

extension LyingCase {
  private static let quick = TestLimits(test: .seconds(4), silence: .seconds(2))

  /// All cases, those of one commit together; the first of a commit pays for its build.
  static let corpus: [LyingCase] =
    reaching + dying + hanging + taking + talking + forging + reflecting + preceding + uncalling + choosing
    + interposing + building

  private static let reaching = [
    LyingCase(
      "a plugin writes outside and calls a service", "XLies.HonestTests", .succeeded, [.passed], among: .honest),
    LyingCase(
      "a remount of /usr, and a nested user namespace", "RemountTests", .succeeded, [.passed, .passed], among: .honest),
    LyingCase("a test writes and reads outside", "FileTests", .succeeded, [.passed], among: .honest),
    LyingCase("a test calls a service of the machine", "NetworkTests", .succeeded, [.passed], among: .honest),
    LyingCase("a test removes its profile", "XLies.ProfileTests", .succeeded, [.passed], among: .removing),
    LyingCase("a profile replaced by a link", "LinkedProfileTests", .succeeded, [.passed], among: .littering),
    LyingCase("the result files removed", "SLies.RemovedResults", .testFailures, [.passed, .failed], among: .killing),
    LyingCase("results replaced by links", "SLies.LinkedResults", .succeeded, [.passed, .passed], among: .littering),
    LyingCase(
      "a test removes the folder it runs in", "HomelessTests", .succeeded, [.passed, .passed], among: .removing),
  ]

  private static let dying = [
    LyingCase("exit(0) in XCTest", "XLies.ExitTests", .incomplete, [.passed, .notRun, .passed], among: .leaving),
    LyingCase("exit(0) in Swift Testing", "SLies.SExit", .incomplete, nil, among: .leaving),
    LyingCase("exit(0) before the first test", "SetUpTests", .incomplete, [.notRun], among: .leaving),
    LyingCase("_exit(0)", "UnderscoreExitTests", .incomplete, [.passed, .notRun, .passed], among: .leaving),
    LyingCase(
      "_exit(134), which is no signal", "Status134Tests", .testFailures, [.passed, .crashed],
      says: "ended with status 134", among: .dying),
    LyingCase(
      "exit(97), as the observer's own end", "Status97Tests", .testFailures, [.passed, .crashed],
      says: "ended with status 97, by exit(97) at Tests/XLies/Dying.swift:", among: .dying),
    LyingCase("abort", "AbortTests", .testFailures, [.passed, .crashed, .passed], says: "SIGABRT", among: .dying),
    LyingCase(
      "fatalError", "FatalTests", .testFailures, [.passed, .crashed, .passed], says: "Fatal error: told",
      among: .dying),
    LyingCase(
      "SIGKILL of itself", "KillTests", .testFailures, [.passed, .crashed, .passed], says: "SIGKILL", among: .dying),
    LyingCase(
      "SIGKILL of everybody", "KillEverybodyTests", .testFailures, [.crashed, .passed], says: "SIGKILL",
      among: .killing),
    LyingCase("stack overflow", "StackTests", .testFailures, [.passed, .crashed, .passed], among: .dying),
    LyingCase("a crash of XCTest before Swift Testing", "FatalTests|AfterCrash", .testFailures, nil, among: .forging),
    LyingCase("the third argument crashes", "SLies.Third", .testFailures, [.crashed], says: "the third", among: .dying),
    LyingCase("a child that keeps stdout open", "ChildTests", .succeeded, [.passed, .passed], among: .littering),
    LyingCase("a daemon that forked twice", "DaemonTests", .succeeded, [.passed, .passed], among: .littering),
  ]

  private static let hanging = [
    LyingCase(
      "SIGSTOP of itself", "StopTests", .testFailures, [.passed, .timedOut, .passed], limits: quick, among: .exceeding),
    LyingCase(
      "an infinite loop", "LoopTests", .testFailures, [.passed, .timedOut, .passed], limits: quick, among: .exceeding),
    LyingCase(
      "a deadlock on a lock", "LockTests", .testFailures, [.passed, .timedOut, .passed],
      limits: quick, among: .exceeding),
    LyingCase("a blocked cooperative pool", "SLies.Pool", .testFailures, nil, limits: quick, among: .exceeding),
    LyingCase("a wait for input", "InputTests", .succeeded, [.passed], among: .honest),
  ]

  private static let taking = [
    LyingCase(
      "memory without end", "MemoryTests", .testFailures, [.passed, .crashed, .passed],
      says: "Crashed: its processes used more than 419 MB of memory together", limits: quick, among: .exceeding),
    LyingCase(
      "more processes than allowed", "MultiplyTests", .testFailures, [.passed, .crashed, .passed],
      says: "Crashed: it had more than 60 processes", limits: quick, among: .exceeding),
    LyingCase(
      "a file without end", "DiskTests", .testFailures, [.passed, .crashed, .passed],
      says: "Crashed: it wrote a file of more than 30 MB", limits: quick, among: .exceeding),
  ]

  private static let talking = [
    LyingCase("bytes that are no text before a verdict", "BytesTests", .succeeded, [.passed, .passed], among: .honest),
    LyingCase("a line of 20 MB", "MuchTests", .succeeded, [.passed, .passed], among: .honest),
    LyingCase("a gigabyte of lines", "GigabyteTests", .succeeded, [.passed, .passed], mostMemory: 500_000_000),
    LyingCase(
      "a secret in many forms", "SecretTests", .testFailures, [.failed], says: "no access with ••••••",
      limits: quick, among: .exceeding),
    LyingCase("stdout closed before a failure", "ClosingTests", .testFailures, nil, among: .closing),
  ]

  private static let forging = [
    LyingCase("a forged verdict of XCTest", "ForgedVerdictTests", .testFailures, [.failed, .passed], among: .forging),
    LyingCase("a forged verdict in every descriptor", "ForgedEverywhereTests", .testFailures, nil, among: .forging),
    LyingCase("a forged end of XCTest", "ForgedEndTests", .testFailures, [.notRun, .failed], among: .forging),
    LyingCase(
      "a forged record of the event stream", "SLies.ForgedEnd", .testFailures, [.failed, .passed], among: .unwatching),
    LyingCase(
      "a forged end of the event stream", "SLies.ForgedRun", .testFailures, [.failed, .failed], among: .racing),
  ]

  private static let reflecting = [
    LyingCase("the observer removed", "UnwatchedTests", .testFailures, nil, among: .unwatching),
    LyingCase("the observer told of invented tests", "InventedTests", .testFailures, nil, among: .forging),
    LyingCase("the observer behind another one", "WrappedTests", .testFailures, nil, among: .unwatching),
    LyingCase("a test that XCTest is made to tell of", "StagedTests", .testFailures, nil, among: .unwatching),
    LyingCase("a double of a test", "DoubleTests", .testFailures, nil, among: .forging),
    LyingCase("a test with the name of another", "BorrowedTests", .testFailures, [.failed], among: .forging),
    LyingCase("failures counted by the test itself", "CountedTests", .testFailures, [.failed], among: .forging),
    LyingCase(
      "status 0 from a handler of the exit", "HandlerTests", .testFailures, [.passed, .failed], among: .forging),
    LyingCase("status 0 from another thread", "RacingTests", .testFailures, nil, among: .racing),
    LyingCase("another socket in the place of the observer's", "SwappedTests", .testFailures, nil, among: .unwatching),
    LyingCase("messages that the kernel is made to drop", "DroppedTests", .incomplete, [.passed, .notRun]),
    LyingCase("a child that goes on", "ForkedTests", .testFailures, nil, among: .unwatching),
    LyingCase("records in every stream of the C library", "SLies.ForgedStreams", .testFailures, nil, among: .closing),
    LyingCase("a run of Swift Testing inside a test", "SLies.NestedEntry", .testFailures, nil),
  ]

  private static let preceding = [
    LyingCase(
      "code before main looks for the way to Martlet", "EarlyTests", .testFailures, [.passed, .failed],
      among: .forging),
    LyingCase("code before main runs doubles of the tests", "BeforeMainTests", .incomplete, [.notRun]),
  ]

  private static let uncalling = [
    LyingCase(
      "tests that are never called", "UncalledTests", .incomplete, [.passed, .passed],
      says:
        "2 tests passed, but their functions were never called: XLies.UncalledTests/test1 and XLies.UncalledTests/test2."
    ),
    LyingCase(
      "a trait that does not call its test", "SLies.Uncalled", .incomplete, [.passed],
      says: "1 test passed, but its function was never called: SLies.Uncalled/one()."),
    LyingCase(
      "honest tests that only heirs run, or that have no arguments", "HeirTests|SLies.Argumentless", .succeeded, nil,
      among: .honest),
    LyingCase("every descriptor closed", "ClosedTests", .testFailures, nil, among: .unwatching),
  ]

  private static let interposing = [
    LyingCase(
      "an honest package with its own send() and exit()", "XLies.HonestTests", .succeeded, [.passed],
      version: .interposing),
    LyingCase(
      "the package's own send() and exit()", "InterposedTests", .testFailures, [.passed, .failed],
      version: .interposing),
    LyingCase("XCTest inside a test, and an own backtrace()", "NestedTests", .testFailures, nil, version: .interposing),
    LyingCase(
      "two tests with one name", "MergedTests", .incomplete, [.passed], says: "MergedTests/test2 (Tests/",
      version: .merged),
  ]

  private static let choosing = [
    LyingCase("all tests filtered out", "NoSuchTest", .incomplete, [], says: "No test matches the filter"),
    LyingCase("two classes of one name", "NamesakeTests", .testFailures, [.failed, .passed], among: .forging),
    LyingCase("passes alone", "TogetherTests/test2", .succeeded, [.passed], among: .honest),
    LyingCase("fails together", "TogetherTests", .testFailures, [.passed, .failed], among: .forging),
  ]

  private static let building = [
    LyingCase("a build that fails only in the tests", "XLies.HonestTests", .buildErrors, [], version: .brokenTests),
    LyingCase("a test target without tests", ".", .incomplete, [], version: .empty),
    LyingCase(
      "a warning treated as error", "XLies.HonestTests", .buildErrors, [], says: "never used", version: .strict),
    LyingCase(
      "a manifest that hangs", ".", .buildErrors, [], says: "stopped",
      limits: TestLimits(test: .seconds(4), silence: .seconds(2), step: .seconds(6)), version: .endless),
  ]
}
