import Model

/// The code that makes the value of a global or a static property, which a process runs when it first needs the value.
package struct ValueMaker: Hashable, Sendable {
  /// The name of the file of the program or library.
  var image: String
  /// Where the code begins, counted from where the program or library is loaded.
  var address: UInt64

  init(image: String, address: UInt64) {
    self.image = image
    self.address = address
  }

  /// Reads an observer record; returns nil if it tells of no such code.
  init?(_ record: ObserverRecord) {
    var fields = ObserverFields(record)
    guard let address = fields.number(), let path = fields.text(), !path.isEmpty else { return nil }
    self.init(image: SourceLocation.fileName(of: path), address: address)
  }

  /// Returns the name of the property from the readable name of the code, such as `one-time initialization function for x`.
  static func property(from name: String) -> String? {
    let opening = "one-time initialization function for "
    guard name.hasPrefix(opening) else { return nil }
    let property = name.dropFirst(opening.utf8.count)
    // What is private to a file is told as `(x in _0123)`.
    return String(property.first == "(" ? property.dropFirst().prefix { $0 != " " } : property)
  }
}
