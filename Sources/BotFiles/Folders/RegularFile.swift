import Glibc
import Model

/// The reader of small settings files.
enum RegularFile {
  enum Failure: Error {
    case missing
    case system(String)
    case notAFile
    case tooLarge
    case unsafe(String)
  }

  /// Returns the bytes of a file, which is checked once it is open.
  ///
  /// - Parameter limit: The largest size in bytes.
  /// - Parameter check: Examines the open file; throws to refuse it.
  static func read(
    _ path: String, limit: Int = NodeBuilder.largestFile,
    check: (stat) throws(Failure) -> Void = { _ throws(Failure) in }
  ) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, a pipe in the file's place would block the reader.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .missing : system() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw system() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    try check(status)
    guard status.st_size <= limit else { throw .tooLarge }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw system() }
      if got == 0 { break }
      count += got
    }
    guard count <= limit else { throw .tooLarge }
    return Array(bytes.prefix(count))
  }

  /// Returns the bytes of a file, or says why there are none.
  static func read(_ path: String, shownAs shown: String) throws(BotFileError) -> [UInt8] {
    do throws(Failure) {
      return try read(path)
    } catch {
      throw BotFileError(shown, words(error))
    }
  }

  private static func system() -> Failure { .system(SystemReason.words(of: errno)) }

  static func words(_ failure: Failure) -> String {
    switch failure {
    case .missing: "there is no such file"
    case .system(let reason): "cannot be read: \(reason)"
    case .notAFile: "is not a file"
    case .tooLarge: "the file is larger than 1 MiB, which no settings are"
    case .unsafe(let reason): reason
    }
  }
}

/// A file of certificates, named by a bot or `martlet.yml`, that verifies a server's certificate.
package enum CertificateFile {
  /// The largest size in bytes; the certificates of a whole machine take a quarter of a MiB.
  private static let largest = 8 << 20

  /// Returns the problem with a file, as a message, or nil if it contains the beginning of a certificate.
  package static func fault(at path: String) -> String? {
    do throws(RegularFile.Failure) {
      let text = String(decoding: try RegularFile.read(path, limit: largest), as: UTF8.self)
      // https://www.rfc-editor.org/rfc/rfc7468#section-5; OpenSSL writes the second form, which adds trust settings.
      let starts = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
      return starts.contains { text.contains($0) }
        ? nil : "\(path) holds no certificate; expected a text (PEM) with the line \(starts[0])"
    } catch .missing {
      return "there is no \(path)"
    } catch .tooLarge {
      return "\(path) is larger than 8 MiB, which no certificates are"
    } catch {
      return "\(path) \(RegularFile.words(error))"
    }
  }
}
