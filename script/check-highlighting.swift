// Prints the classification of Swift sources by the toolchain's own SwiftSyntax: a line `file PATH`, then a line
// `OFFSET LENGTH KIND` for each token. Compiled and run by script/check-highlighting.
import Glibc
import SwiftIDEUtils
import SwiftParser
import SwiftSyntax

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}

for path in CommandLine.arguments.dropFirst() {
  print("file \(path)")
  bytes(of: path).withUnsafeBufferPointer { source in
    for token in Parser.parse(source: source).classifications {
      print(
        token.range.lowerBound.utf8Offset, token.range.upperBound.utf8Offset - token.range.lowerBound.utf8Offset,
        token.kind)
    }
  }
}
