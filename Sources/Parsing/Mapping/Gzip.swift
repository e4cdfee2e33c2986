import CZlib

/// Files as gzip writes them (https://www.rfc-editor.org/rfc/rfc1952).
package enum Gzip {
  /// - Returns: nil where there is no memory for it.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // Of the largest window there is; 16 more asks for gzip's frame.
    let window: Int32 = 15 + 16
    let memory: Int32 = 8
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
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
    return result.isEmpty ? nil : result
  }
}
