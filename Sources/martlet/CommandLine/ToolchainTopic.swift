/// Which toolchains and build systems were tried, for help.
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

    A newer toolchain is believed in what it says of itself: its version, the folder of its products, its package model.
    Where a program that runs tests is not where Swift 6.3.1 puts it, the integration ends with internal-error, says which
    one is missing, and judges nothing; 6.3.1, and native as long as the toolchain has it, are known to work.

    With Swift Build
    - each test target has a program of its own, and results are told as with one;
    - lines of C and C++ count in the coverage, which native counts in Swift only: do not compare their figures;
    - an error in a declaration keeps the rest of its module from being compiled, so one build tells fewer errors;
    - the argument --disable-index-store is refused, because XCTest would find no tests.
    """
}
