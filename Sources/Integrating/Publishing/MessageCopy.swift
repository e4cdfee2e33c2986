import Model
import Notifying

/// One mail with a text of its own, and its recipients.
struct MessageCopy: Hashable {
  /// The recipients: each gets it separately, and all of them are in its header.
  var addresses: [String]
  /// The addresses that the person addressed uses in commits; nil for a mail to all.
  var reader: [String]?
  /// The name of the file in which it is kept.
  var name: String

  /// Returns the copies for the suspects, and the one for all others.
  static func all(for recipients: Recipients, report: Trigger.Mail.Report, position: Int) -> [MessageCopy] {
    let start = "\(position)-\(report.rawValue)"
    let personal = recipients.suspects.map { suspect in
      MessageCopy(
        addresses: [suspect.address], reader: suspect.commitsAs, name: "\(start)-to-\(fileName(suspect.address)).eml")
    }
    guard !recipients.addresses.isEmpty else { return personal }
    return personal + [MessageCopy(addresses: recipients.addresses, name: "\(start).eml")]
  }

  /// Returns the address itself if a folder can hold such a name, and an encoded one otherwise.
  private static func fileName(_ address: String) -> String {
    address.utf8.count <= 100 && !address.contains("/") ? address : FileSystemName.encode(address)
  }
}
