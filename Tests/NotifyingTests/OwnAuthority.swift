import Foundation
import Processes

/// A certificate authority of one test, and what it says of the loopback, made with the openssl program.
struct OwnAuthority {
  static let program: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let scratch: Scratch
  /// What proves the servers of the authority.
  let certificate: String
  /// The server's, for Python's `ssl`.
  let serverCertificate: String
  let serverKey: String

  init(_ name: String, in scratch: Scratch) throws {
    self.scratch = scratch
    certificate = scratch.file("\(name).pem")
    serverCertificate = scratch.file("\(name)-server.pem")
    serverKey = scratch.file("\(name)-server.key")
    let (key, request, extensions) = (scratch.file("\(name).key"), scratch.file("\(name).csr"), scratch.file("names"))
    try "subjectAltName=IP:127.0.0.1,DNS:localhost\n".write(toFile: extensions, atomically: true, encoding: .utf8)
    let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try run(["req", "-x509"] + new + ["-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=\(name)"])
    try run(["req"] + new + ["-keyout", serverKey, "-out", request, "-subj", "/CN=localhost"])
    try run([
      "x509", "-req", "-in", request, "-CA", certificate, "-CAkey", key, "-CAcreateserial", "-days", "2", "-extfile",
      extensions, "-out", serverCertificate,
    ])
  }

  private func run(_ arguments: [String]) throws {
    let output = try Command(
      Self.program ?? "", arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": scratch.path],
      workingDirectory: scratch.path
    ).collect(limits: Limits(wallClock: .seconds(60)), cancellation: try Cancellation(), limit: 1 << 16)
    guard output.result.succeeded else {
      throw CocoaError(.fileWriteUnknown, userInfo: ["words": String(decoding: output.standardError, as: UTF8.self)])
    }
  }
}
