import Glibc
import TestGround
import Testing

@testable import Processes

@Suite("A contained program with a way to the network")
struct RouterTests {
  /// A sandbox with a router; nil where this machine has none.
  private static let routed: Sandbox? = {
    guard var sandbox = emptySandbox, let cancellation = try? Cancellation(),
      case .works(let program)? = try? Router.find(
        bubblewrap: sandbox.bubblewrap, searchPath: "/usr/bin:/bin", cancellation: cancellation)
    else { return nil }
    sandbox.network = true
    sandbox.router = program
    return sandbox
  }()

  private func bash(_ script: String, _ arguments: [String] = []) -> Command {
    var command = shell(script, arguments)
    command.executable = "/bin/bash"
    return command
  }

  @Test(
    "does not reach the machine's loopback, by whatever name", .enabled(if: routed != nil, "slirp4netns works here"))
  func loopback() throws {
    let listener = try Listener()
    let script = """
      exec 2>/dev/null
      for host in 127.0.0.1 localhost 10.0.2.2 10.0.2.3; do
        (exec 3<>/dev/tcp/$host/$1) && echo $host
      done
      while read name rest; do case $name in *:) echo $name;; esac; done </proc/net/dev
      """
    let command = bash(script, ["\(listener.port)"])
    #expect(try command.output().text.hasPrefix("127.0.0.1\n"))
    let collected = try command.contained(in: try #require(Self.routed)).output(limits: Limits(wallClock: .seconds(60)))
    #expect(collected.text == "lo:\ntap0:\n")
    #expect(collected.result.end == .exited(1) || collected.result.end == .exited(0))
    #expect(collected.result.survivors == 0)
  }

  @Test("reaches the outside", .enabled(if: routed != nil, "slirp4netns works here"))
  func outside() throws {
    // Without a network, this machine stands for the outside.
    guard let address = NetworkAddress.outward else { return }
    let listener = try Listener(on: address)
    let bytes = withUnsafeBytes(of: address) { $0.map { "\($0)" }.joined(separator: ".") }
    let collected = try bash("(exec 3<>/dev/tcp/$1/$2) && echo reached", [bytes, "\(listener.port)"])
      .contained(in: try #require(Self.routed)).output(limits: Limits(wallClock: .seconds(60)))
    #expect(collected.text == "reached\n")
  }

  @Test("has no rights in a network of its own", .enabled(if: routed != nil, "slirp4netns works here"))
  func rights() throws {
    let script = """
      grep -E 'Cap(Prm|Eff|Bnd|Amb)' /proc/self/status | tr -d '\\t'
      for attempt in 'unshare -U true' 'unshare -n true' 'mount -t tmpfs none /tmp' 'nsenter -t 1 -n true'; do
        $attempt 2>/dev/null && echo "$attempt"
      done
      id -u
      """
    let none = ["CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"].map { $0 + "0000000000000000\n" }.joined()
    let collected = try bash(script).contained(in: try #require(Self.routed)).output()
    #expect(collected.text == none + "\(getuid())\n")
  }

  @Test("is not started when the router does not open the way")
  func brokenRouter() throws {
    let scratch = try Scratch()
    var command = shell("echo started")
    command.router = try scratch.write("#!/bin/sh\nexit 1\n", to: "slirp4netns", mode: 0o755)
    #expect {
      try command.output()
    } throws: { error in
      "\(error)"
        == "Could not start “/bin/sh” in a network of its own: network is unreachable. Let this user and container make user and network namespaces, and open /dev/net/tun."
    }
  }

  @Test("is told what to install")
  func missing() throws {
    let found = try Router.find(bubblewrap: "/usr/bin/bwrap", searchPath: "/nowhere", cancellation: Cancellation())
    #expect(
      found
        == .unusable(
          why: "slirp4netns is not installed",
          remedy: "Install it, on Debian and Ubuntu with “apt-get install slirp4netns”."))
  }

  @Test("is told what keeps slirp4netns from its device")
  func device() {
    #expect(
      Router.refused(device: EACCES)
        == .unusable(
          why: "slirp4netns cannot open /dev/net/tun (Permission denied)",
          remedy: "Let this user open it, with “chmod 666 /dev/net/tun” as root."))
    #expect(
      Router.refused(device: ENOENT)
        == .unusable(
          why: "slirp4netns cannot open /dev/net/tun (No such file or directory)",
          remedy: "Make it, with “modprobe tun”, or let this container have it."))
  }

  @Test("needs a router only where IPv4 leads anywhere")
  func addresses() {
    let head = "Iface\tDestination\tGateway\tFlags\n"
    let old = head + "eth0\t00000000\t010200C0\t0003\n"
    let zero = String(repeating: "0", count: 32)
    let new = "\(zero) 00 \(zero) 00 fd000000000000000000000000000001 00000400 00000003 00000000 00000003     eth0\n"
    let refusing = "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo\n"
    #expect(Router.hasOnlyNewAddresses(routes: head, newRoutes: new))
    #expect(!Router.hasOnlyNewAddresses(routes: old, newRoutes: new))
    #expect(!Router.hasOnlyNewAddresses(routes: head, newRoutes: refusing))
    #expect(!Router.hasOnlyNewAddresses(routes: "", newRoutes: ""))
  }

  @Test(
    "Names are answered where the machine has a name server with an IPv4 address",
    arguments: [
      ("nameserver 127.0.0.1\n", true), ("search a\nnameserver\t192.0.2.1", true),
      ("nameserver fe80::1\nnameserver 192.0.2.1\n", true), ("nameserver fe80::1\n", false), ("", false),
      ("# nameserver 192.0.2.1\n", false), ("nameserver\n", false),
    ])
  func names(text: String, isAnswered: Bool) {
    #expect(Router.namesAreAnswered(resolver: text) == isAnswered)
  }

  @Test("What the machine says about names holds behind the router, but for who answers")
  func resolver() {
    #expect(
      Router.resolver(of: "# mine\nsearch corp.example\nnameserver 192.0.2.1\noptions ndots:2\n")
        == "nameserver 10.0.2.3\nsearch corp.example\noptions ndots:2\n")
    #expect(Router.resolver(of: "") == "nameserver 10.0.2.3\n")
  }

  @Test("A proxy on the machine's loopback is known by its variable")
  func proxies() {
    #expect(
      Router.unreachableProxies(in: [
        "https_proxy": "http://127.0.0.1:3128", "HTTP_PROXY": "localhost:3128",
        "all_proxy": "socks5://me:x@[::1]:1080/",
        "http_proxy": "http://proxy.example:80", "no_proxy": "localhost", "GREETING": "127.0.0.1",
        "npm_config_proxy": "http://localhost:4873", "HTTPS_PROXY": "http://localhost.corp.example:80",
      ]) == ["HTTP_PROXY", "all_proxy", "https_proxy"])
  }
}
