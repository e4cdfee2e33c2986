/// What a contained program can reach; for it, nothing else exists.
///
/// Paths are the same inside and outside, but that of `TMPDIR` where it is not in ASCII. A path that can be read or written must not lie in one that can be written: what
/// ran there could put a link in its place, and the link would be let in.
///
/// The system's programs and libraries can always be read, and a `/tmp` that goes
/// with the program can be written. There are no capabilities, no other processes, no services of the machine, and no
/// way to more.
package struct Sandbox: Hashable, Sendable {
  /// The program that builds the sandbox, from `Bubblewrap.find`.
  package var bubblewrap: String
  /// The program, made of `EndReporter.source`, that tells an exit status from a signal; nil for none.
  package var reporter: String?
  /// Files and folders that can be read; they must exist.
  package var readable: [String]
  /// Folders that can be written; they must exist.
  package var writable: [String]
  /// Folders that can be written at their places, while what they show stays as it is.
  package var views: [FolderView] = []
  /// Whether the machine's network can be reached, its own services included where there is no router; otherwise there is
  /// a loopback without neighbours.
  package var network: Bool
  /// The program that leads to the network without the machine's loopback, from `Router.find`; nil to share the machine's.
  package var router: String?
  /// The file that stands for `/etc/resolv.conf` with a router, and holds `Router.resolver(of:)`; nil for none.
  package var resolver: String?
  /// The program's `HOME`, writable; nil for `/tmp`.
  package var home: String?
  /// The program's `TMPDIR`, writable, which it finds at `temporaryPlace`; nil for `/tmp`.
  package var temporaryFolder: String?
  /// How many bytes the `/tmp` that goes with the program takes, and each other folder that is held in memory.
  package var temporaryBytes = 2 << 30
  /// The file that stands for `/etc/passwd`; Foundation and SwiftPM look for the home there. Nil for none.
  package var accounts: String?

  package init(
    bubblewrap: String, readable: [String] = [], writable: [String] = [], network: Bool = false,
    home: String? = nil, temporaryFolder: String? = nil, accounts: String? = nil
  ) {
    self.bubblewrap = bubblewrap
    self.readable = readable
    self.writable = writable
    self.network = network
    self.home = home
    self.temporaryFolder = temporaryFolder
    self.accounts = accounts
  }
}

extension Sandbox {
  /// Where the program finds its `TMPDIR`: the driver of Swift crashes where that has a letter outside ASCII.
  package var temporaryPlace: String {
    guard let temporaryFolder else { return "/tmp" }
    return temporaryFolder.utf8.allSatisfy { $0 < 128 } ? temporaryFolder : "/var/tmp/martlet"
  }
}

extension Command {
  /// The same command inside a sandbox, with the sandbox's `HOME` and `TMPDIR`.
  ///
  /// What outlives the program is ended with it, before it can be counted in `leftovers`. Without a reporter, an exit
  /// status of 129 and above that stands for a signal counts as that signal, because bubblewrap reports both alike.
  package func contained(in sandbox: Sandbox) -> Command {
    var command = self
    command.executable = sandbox.bubblewrap
    command.arguments =
      sandbox.bubblewrapArguments + ["--chdir", workingDirectory, "--"]
      + [sandbox.reporter, executable].compactMap(\.self) + arguments
    command.router = sandbox.network ? sandbox.router : nil
    command.overlays = sandbox.views.filter { $0.kind == .overlay }
    command.isReported = sandbox.reporter != nil
    command.environment["HOME"] = sandbox.home ?? "/tmp"
    command.environment["TMPDIR"] = sandbox.temporaryPlace
    command.containedCount = 1 + arguments.count
    return command
  }
}
