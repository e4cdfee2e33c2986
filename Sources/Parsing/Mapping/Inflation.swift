import CZlib

/// Undoes the compression of zlib.
enum Inflation {
  /// - Parameter count: how many bytes there were.
  /// - Returns: nil where the bytes are not that many compressed ones.
  static func inflate(_ bytes: ArraySlice<UInt8>, to count: Int) -> [UInt8]? {
    var length = uLongf(count)
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let code = Array(bytes).withUnsafeBufferPointer { source in
        uncompress(buffer.baseAddress, &length, source.baseAddress, uLong(source.count))
      }
      filled = code == Z_OK ? Int(length) : 0
    }
    return result.count == count ? result : nil
  }
}
