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
