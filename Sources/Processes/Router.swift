import Glibc

/// The availability of a network for contained programs that excludes the machine's loopback.
///
/// A program with its own network sends its packets to
/// [slirp4netns](https://github.com/rootless-containers/slirp4netns), which runs outside and opens the connections on
/// its behalf, but none to the machine's loopback. Services listening on the machine's other addresses remain
/// reachable.
package enum Router: Hashable, Sendable {
  /// The path of slirp4netns.
  case works(program: String)
  /// The reason as the middle of a sentence, and the remedy as a whole one.
  case unusable(why: String, remedy: String)

  /// Returns the text of an `/etc/resolv.conf` for use behind the router, which resolves names at an address of its
  /// own. The machine's settings for the names themselves are kept.
  ///
  /// https://man7.org/linux/man-pages/man5/resolv.conf.5.html
  package static func resolver(of machine: String) -> String {
    let kept = machine.split(separator: "\n").filter { line in
      ["search", "domain", "options"].contains(line.prefix { $0 != " " && $0 != "\t" })
    }
    return (["nameserver 10.0.2.3"] + kept).joined(separator: "\n") + "\n"
  }

  /// The machine's own `/etc/resolv.conf`.
  package static var machineResolver: String { KernelFile.text(resolverPath) }
  private static let resolverPath = "/etc/resolv.conf"

  /// The device through which slirp4netns receives a network's packets.
  private static let device = "/dev/net/tun"

  /// Looks for slirp4netns in the folders of a search path, and tries it on a contained program that does nothing.
  package static func find(bubblewrap: String, searchPath: String, cancellation: Cancellation) throws -> Router {
    let trial = Command("slirp4netns", environment: ["PATH": searchPath], workingDirectory: "/")
    guard let program = try? trial.lookUp() else {
      return .unusable(
        why: "slirp4netns is not installed",
        remedy: "Install it, on Debian and Ubuntu with “apt-get install slirp4netns”.")
    }
    if access(device, R_OK | W_OK) != 0 { return refused(device: errno) }
    if hasOnlyNewAddresses(
      routes: KernelFile.text("/proc/net/route"), newRoutes: KernelFile.text("/proc/net/ipv6_route"))
    {
      return .unusable(
        why: "this machine reaches the network only by IPv6, and slirp4netns only by IPv4",
        remedy: "Commit Package.resolved, so that nothing is fetched unless it changes.")
    }
    if !namesAreAnswered(resolver: machineResolver) {
      return .unusable(
        why: "\(resolverPath) has no name server with an IPv4 address, and slirp4netns asks no other",
        remedy: "Add one, or commit Package.resolved, so that nothing is fetched unless it changes.")
    }
    var sandbox = Sandbox(bubblewrap: bubblewrap, network: true)
    sandbox.router = program
    do {
      guard let complaint = try sandbox.complaint(cancellation) else { return .works(program: program) }
      return .unusable(why: "bubblewrap does not work in a network of its own (\(complaint))", remedy: general)
    } catch let error as ProcessError {
      return .unusable(why: "slirp4netns does not work (\(error))", remedy: general)
    }
  }

  private static let general = "Let this user and container make user and network namespaces."

  /// Interprets an error from opening the device.
  static func refused(device code: Int32) -> Router {
    .unusable(
      why: "slirp4netns cannot open \(device) (\(String(cString: strerror(code))))",
      remedy: code == ENOENT
        ? "Make it, with “modprobe tun”, or let this container have it."
        : "Let this user open it, with “chmod 666 \(device)” as root.")
  }

  /// Returns whether this `/etc/resolv.conf` lists a name server that slirp4netns can use, which requires an IPv4
  /// address.
  static func namesAreAnswered(resolver: String) -> Bool {
    resolver.split(separator: "\n").contains { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      var address = in_addr()
      return words.count >= 2 && words[0] == "nameserver" && inet_pton(AF_INET, String(words[1]), &address) == 1
    }
  }

  /// Returns the sorted variables that name a proxy on the machine's loopback, which is unreachable from behind a
  /// router.
  package static func unreachableProxies(in environment: [String: String]) -> [String] {
    environment.filter { name, value in
      guard ["http_proxy", "https_proxy", "all_proxy"].contains(name.lowercased()) else { return false }
      let place = value.firstRange(of: "://").map { value[$0.upperBound...] } ?? value[...]
      let host = (place.split(separator: "@").last ?? place).prefix { $0 != "/" }
      return host.prefix { $0 != ":" } == "localhost" || host.hasPrefix("127.") || host.hasPrefix("[::1]")
    }.keys.sorted()
  }

  /// Returns whether the kernel's routing tables have a default route for IPv6 but none for IPv4.
  ///
  /// https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
  static func hasOnlyNewAddresses(routes: String, newRoutes: String) -> Bool {
    let everywhere = routes.split(separator: "\n").contains {
      $0.split(separator: "\t").dropFirst().first == "00000000"
    }
    let newEverywhere = newRoutes.split(separator: "\n").contains { line in
      let columns = line.split(separator: " ")
      return columns.count == 10 && columns[0].allSatisfy { $0 == "0" } && columns[1] == "00" && columns[9] != "lo"
    }
    return newEverywhere && !everywhere
  }
}
