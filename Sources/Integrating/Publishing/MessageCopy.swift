import Model
import Notifying

/// One mail with words of its own, and who gets it.
struct MessageCopy: Hashable {
  /// Each gets it by itself; all of them stand in its head.
  var addresses: [String]
  /// The addresses in the commits of the one who is spoken to; nil for a mail to all.
  var reader: [String]?
  /// The file it is kept in.
  var name: String

  /// The copies for the suspects, and the one for all others.
  ///
  /// - Parameter position: that of the trigger.
  static func all(for recipients: Recipients, report: Trigger.Mail.Report, position: Int) -> [MessageCopy] {
    let start = "\(position)-\(report.rawValue)"
    let personal = recipients.suspects.map { suspect in
      MessageCopy(
        addresses: [suspect.address], reader: suspect.commitsAs, name: "\(start)-to-\(fileName(suspect.address)).eml")
    }
    guard !recipients.addresses.isEmpty else { return personal }
    return personal + [MessageCopy(addresses: recipients.addresses, name: "\(start).eml")]
  }

  /// The address as people know it, where a folder can hold it.
  private static func fileName(_ address: String) -> String {
    address.utf8.count <= 100 && !address.contains("/") ? address : FileSystemName.encode(address)
  }
}
