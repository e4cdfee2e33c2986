import Testing

@testable import Integrating

@Suite("Arguments of a build that resolving needs")
struct ResolvingArgumentsTests {
  @Test(
    "Those that decide what is fetched are taken, with their values",
    arguments: [
      ["--force-resolved-versions"], ["--disable-automatic-resolution"], ["--only-use-versions-from-resolved-file"],
      ["--traits", "A,B"], ["--traits=A,B"], ["--enable-all-traits"], ["--disable-default-traits"],
      ["--netrc-file", "/keys/netrc"], ["--config-path=/settings"], ["--replace-scm-with-registry"],
      ["--traits", "A", "--skip-update", "-Xbuild-tools-swiftc", "-DHEAVY"],
      // SwiftPM is to say what is wrong with it.
      ["--traits"],
    ])
  func taken(arguments: [String]) {
    #expect(ResolvingArguments(of: arguments).words == arguments)
    #expect(ResolvingArguments(of: ["-v"] + arguments).words == arguments)
    #expect(ResolvingArguments(of: ["-Xswiftc", "-DA", "--jobs=2"] + arguments).words == arguments)
  }

  @Test(
    "Those that only build are left out, and what follows one as its value is no argument",
    arguments: [
      [], ["-v"], ["-Xswiftc", "-O"], ["--jobs", "2"], ["-Xswiftc", "--enable-all-traits"],
      ["-Xlinker", "--traits", "-Xcc", "--netrc"], ["--build-system=native"], ["--traitsish", "A"],
      ["--skip-update=yes"],
    ])
  func left(arguments: [String]) {
    #expect(ResolvingArguments(of: arguments).words == [])
    #expect(ResolvingArguments(of: arguments + ["--traits", "A"]).words == ["--traits", "A"])
  }

  @Test("What follows an option as its value is not looked at")
  func value() {
    #expect(
      ResolvingArguments(of: ["--traits", "-Xswiftc", "--skip-update"]).words == [
        "--traits", "-Xswiftc", "--skip-update",
      ])
  }
}
