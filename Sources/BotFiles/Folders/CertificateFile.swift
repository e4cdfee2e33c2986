/// A file of certificates that a bot or `martlet.yml` names, by which a server's certificate is proved.
package enum CertificateFile {
  /// In bytes; those of a whole machine take a quarter of a MiB.
  private static let largest = 8 << 20

  /// What is wrong with the file, as a message; nil when a certificate begins in it.
  package static func fault(at path: String) -> String? {
    do throws(RegularFile.Failure) {
      let text = String(decoding: try RegularFile.read(path, limit: largest), as: UTF8.self)
      // https://www.rfc-editor.org/rfc/rfc7468#section-5; OpenSSL writes the other one with more about trust in it.
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
