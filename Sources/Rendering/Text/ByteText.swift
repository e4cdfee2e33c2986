/// Sizes in bytes, as written on pages.
package enum ByteText {
  /// Returns a size in a suitable unit, in steps of a thousand: `512 bytes`, `7.9 KB`, `612 MB`.
  package static func short(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(max(0, bytes)) bytes" }
    var value = Double(bytes)
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return tenths < 100
      ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }

  private static let units = ["bytes", "KB", "MB", "GB", "TB"]
}
