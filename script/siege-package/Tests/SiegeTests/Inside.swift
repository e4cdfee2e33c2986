import Foundation
import XCTest

extension AttackTests {
  /// What only the test process itself can try.
  func inside(_ name: String) {
    print("SIEGE RAN inside-\(name)")
    switch name {
    case "many_failures": for number in 0..<50_000 { XCTFail("\(number) " + String(repeating: "x", count: 1_000)) }
    case "long_failure": XCTFail(String(repeating: "long ", count: 12 << 20))
    case "hostile_failure": XCTFail("</script><img src=x onerror=alert(1)>\u{1B}[31m\u{202E}\0")
    case "endless_sockets": for descriptor in Self.sockets { flood(descriptor) }
    case "passed_descriptors": for descriptor in Self.sockets { pass(100, to: descriptor) }
    case "closed_sockets": for descriptor in Self.sockets { close(descriptor) }
    case "shut_sockets": for descriptor in Self.sockets { shutdown(descriptor, Int32(SHUT_RDWR)) }
    case "half_record":
      for descriptor in Self.sockets { _ = "{\"half".withCString { send(descriptor, $0, 6, Int32(MSG_DONTWAIT)) } }
    case "crash": abort()
    case "exit": exit(0)
    case "sleeping": sleep(600)
    default: XCTFail("There is no attempt '\(name)'.")
    }
  }

  /// The sockets of this process, whatever they are for.
  private static var sockets: [Int32] {
    (3..<256).filter { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
  }

  private func flood(_ descriptor: Int32) {
    let bytes = [UInt8](repeating: 0x7B, count: 60_000)
    for _ in 0..<3_000 { _ = send(descriptor, bytes, bytes.count, Int32(Int(MSG_DONTWAIT) | Int(MSG_NOSIGNAL))) }
  }

  /// Sends descriptors of this process, which a reader that takes them has to close.
  private func pass(_ count: Int, to descriptor: Int32) {
    for _ in 0..<count {
      let folder = open("/", O_RDONLY)
      var control = [UInt8](repeating: 0, count: 24)
      control.withUnsafeMutableBytes { raw in
        raw.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
        raw.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        raw.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
        raw.storeBytes(of: folder, toByteOffset: 16, as: Int32.self)
        var byte: UInt8 = 0x20
        withUnsafeMutablePointer(to: &byte) { byte in
          var part = iovec(iov_base: byte, iov_len: 1)
          withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr()
            message.msg_iov = part
            message.msg_iovlen = 1
            message.msg_control = raw.baseAddress
            message.msg_controllen = raw.count
            sendmsg(descriptor, &message, Int32(Int(MSG_DONTWAIT) | Int(MSG_NOSIGNAL)))
          }
        }
      }
      close(folder)
    }
  }
}
