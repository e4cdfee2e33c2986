/// The help topic about the toolchains and build systems that were tested.
enum ToolchainTopic {
  static let explanation = """
    SwiftPM has two build systems: native, its default before Swift 6.4, and Swift Build, its default from 6.4 on. Martlet
    names one of them whenever it runs SwiftPM: the one of 'build-system' in a bot's file or of 'martlet run
    --build-system', or else the toolchain's default. Each builds in a scratch folder of its own.

      toolchain    native                           swiftbuild
      before 6.0   refused                          refused
      6.0 to 6.2   meant to work, not tried         refused
      6.3          tried with 6.3.1, the default    tried with 6.3.1
      6.4          meant to work, not tried         meant to work, not tried; the default
      newer        as 6.4                           as 6.4

    Martlet relies on what a newer toolchain says of itself: its version, the folder of its products, its package model.
    It asks for these before the first build in a workspace. Without an answer nothing is built: the integration ends
    with internal-error, says what was asked and answered, and judges nothing. The same happens, after the build, if the
    program that runs the tests is not where Swift 6.3.1 puts it. 6.3.1 is known to work.

    With Swift Build
    - each test target has a program of its own; the report joins their results;
    - lines of C and C++ count in the coverage, which native counts in Swift only: do not compare their figures;
    - an error in a declaration keeps the rest of its module from being compiled, so one build reports fewer errors;
    - the argument --disable-index-store is refused, because XCTest would find no tests.
    """
}
