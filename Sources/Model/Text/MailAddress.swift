/// The syntax of addresses, as far as headers require it; only sending mail can show whether an address exists.
package enum MailAddress {
  /// Returns whether a text can be used in a header and in the SMTP dialogue as one address.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let local = parts.first, !local.isEmpty, text.utf8.count <= 254 else { return false }
    let allowed = local.unicodeScalars.allSatisfy {
      $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !"()<>[]:;,\\\"".unicodeScalars.contains($0)
    }
    return allowed && isDomain(String(parts[1]))
  }

  /// Returns whether a text is a domain such as `example.org`.
  package static func isDomain(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || 0x30...0x39 ~= $0.value || $0 == "-")
          }
      }
  }
}
