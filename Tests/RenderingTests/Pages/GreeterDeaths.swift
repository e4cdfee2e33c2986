import Model

/// How two tests of Greeter 42 died.
enum GreeterDeaths {
  static let crash = CrashReport(
    reason: "Fatal error: Index out of range", signal: 4,
    statedPlace: SourceLocation(file: "Swift/ContiguousArrayBuffer.swift", line: 692),
    thread: ThreadStack(
      name: "greeter",
      frames: [
        frame(0, "_assertionFailure(_:_:file:line:flags:)", image: "libswiftCore.so"),
        frame(1, "Array.subscript.getter", image: "libswiftCore.so"),
        frame(2, "static Language.best(of:among:)", "Sources/Greeter/Phrases/Language.swift", 14),
        frame(3, "PartOfDayTests.unknownLanguageHasNone()", "Tests/GreeterTests/PartOfDayTests.swift", 21),
        frame(4, "closure #1 in static Runner._runTestCase(_:within:context:)", image: "libTesting.so"),
        frame(5, "completeTaskWithClosure(swift::AsyncContext*, swift::SwiftError*)", image: "libswift_Concurrency.so"),
      ]),
    otherThreads: 4, file: "results/crashes/1-2/greeter-77-0.0.json", bystanders: 5)

  static let hang = HangReport(
    rule: "no output for 30 s", kind: .lock,
    threads: [
      ThreadStack(frames: [
        frame(0, "__GI___lll_lock_wait", image: "libc.so.6"),
        frame(1, "pthread_mutex_lock", image: "libc.so.6"),
        frame(2, "Doorbell.untilAnswered()", "Sources/Greeter/Phrases/Language.swift", 10),
        frame(3, "swift_job_run", image: "libswift_Concurrency.so"),
      ])
    ], otherThreads: 3, children: ["sleep"], file: "hangs/1-3.txt")

  private static func frame(
    _ number: Int, _ function: String, _ file: String? = nil, _ line: Int = 0, image: String = "GreeterTests.xctest"
  ) -> StackFrame {
    StackFrame(
      number: number, function: function,
      location: file.map {
        SourceLocation(file: $0, line: line, column: file?.hasPrefix("Sources") == true ? 16 : nil)
      },
      image: image)
  }
}
