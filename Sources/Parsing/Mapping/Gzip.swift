import CZlib
import Model

/// Files as gzip writes them (https://www.rfc-editor.org/rfc/rfc1952), compressed as suits lists of numbers best.
package enum Gzip {
  /// - Returns: nil where there is no memory for it.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // Of the largest window there is; 16 more asks for gzip's frame.
    let window: Int32 = 15 + 16
    let memory: Int32 = 7
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_FILTERED, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let most = Int(deflateBound(&stream, uLong(bytes.count)))
    var source = bytes
    let result = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      source.withUnsafeMutableBufferPointer { source in
        (stream.next_in, stream.avail_in) = (source.baseAddress, uInt(source.count))
        (stream.next_out, stream.avail_out) = (buffer.baseAddress, uInt(buffer.count))
        filled = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return result.nonEmpty
  }

  /// - Parameter limit: the maximum number of bytes after expansion.
  /// - Returns: nil if the bytes are no complete file, or expand to more.
  package static func expand(_ bytes: [UInt8], limit: Int = 1 << 30) -> [UInt8]? {
    var stream = z_stream()
    let window: Int32 = 15 + 16
    guard inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var source = bytes
    var expanded: [UInt8] = []
    let isWhole = source.withUnsafeMutableBufferPointer { source in
      (stream.next_in, stream.avail_in) = (source.baseAddress, uInt(source.count))
      while expanded.count <= limit {
        var code = Z_OK
        let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
          (stream.next_out, stream.avail_out) = (buffer.baseAddress, uInt(buffer.count))
          code = inflate(&stream, Z_NO_FLUSH)
          filled = buffer.count - Int(stream.avail_out)
        }
        expanded += part
        if code == Z_STREAM_END { return expanded.count <= limit }
        guard code == Z_OK else { return false }
      }
      return false
    }
    return isWhole ? expanded : nil
  }
}

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
