import Glibc

/// The reader of files of secrets, with one `NAME=value` per line.
///
/// Empty lines and lines that begin with `#` are skipped. A value extends to the end of its line, without surrounding
/// spaces and tabs. Between single quotes everything is literal; between double quotes `\n`, `\t`, `\"` and `\\` are
/// escapes. Nothing else is replaced. An empty value is none: it would sign, and prove, nothing.
package enum SecretsFile {
  /// Reads a file that only its owner can access, and that belongs to the user.
  ///
  /// - Parameters:
  ///   - path: The file; a missing one contains no secrets.
  ///   - user: The user as whom Martlet runs.
  /// - Throws: All problems with the file; no message contains a value.
  package static func read(at path: String, user: UInt32) throws(BotFileError) -> [String: String] {
    let bytes: [UInt8]
    do throws(RegularFile.Failure) {
      bytes = try RegularFile.read(path) { status throws(RegularFile.Failure) in
        if let reason = refusal(of: path, mode: status.st_mode, owner: status.st_uid, user: user) {
          throw .unsafe(reason)
        }
      }
    } catch .missing {
      return [:]
    } catch {
      throw BotFileError(path, RegularFile.words(error))
    }
    return try parse(bytes, file: path)
  }

  /// Returns the reason a file is not safe enough for secrets, or nil if it is.
  static func refusal(of path: String, mode: UInt32, owner: UInt32, user: UInt32) -> String? {
    let quoted = "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    if owner != user {
      return
        "secrets are refused, because the file belongs to the user \(owner) and Martlet runs as the user \(user); run: chown \(user) \(quoted)"
    }
    if mode & 0o077 != 0 {
      let octal = String(mode & 0o7777, radix: 8)
      return
        "secrets are refused, because others than the owner can open the file (its mode is \(octal)); run: chmod 600 \(quoted)"
    }
    return nil
  }

  /// Parses the lines of a file.
  package static func parse(_ bytes: [UInt8], file: String) throws(BotFileError) -> [String: String] {
    let source = SourceText(bytes)
    var secrets: [String: String] = [:]
    // No line is shown, because it may contain a secret.
    var problems = source.faults.map { fault in
      let (line, column) = source.position(of: fault.offset)
      return FileProblem(
        file: file, place: FileProblem.Place(line: line, column: column, excerpt: ""), message: fault.message)
    }
    guard problems.isEmpty else { throw BotFileError(problems) }
    for (number, line) in source.lines.enumerated() {
      do throws(Failure) {
        guard let (name, value) = try entry(line) else { continue }
        guard secrets.updateValue(value, forKey: name) == nil else {
          throw Failure(column: 1, message: "the secret '\(name)' stands here a second time")
        }
      } catch {
        let place = FileProblem.Place(line: number + 1, column: error.column, excerpt: "")
        problems.append(FileProblem(file: file, place: place, message: error.message))
      }
    }
    guard problems.isEmpty else { throw BotFileError(problems) }
    return secrets.filter { !$0.value.isEmpty }
  }

  private struct Failure: Error {
    var column: Int
    var message: String
  }

  private static func entry(_ line: String) throws(Failure) -> (name: String, value: String)? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.isEmpty || text.hasPrefix("#") { return nil }
    let column = line.count - text.count + 1
    guard let equals = text.firstIndex(of: "=") else {
      throw Failure(column: column, message: "expected NAME=value")
    }
    let name = String(text[..<equals])
    guard VariableName.isValid(name) else {
      let isExport = name.hasPrefix("export ")
      throw Failure(
        column: column,
        message: isExport
          ? "expected NAME=value; leave out 'export'"
          : "the text before '=' is not a name; use letters, digits and _, and no spaces around '='")
    }
    let value = text[text.index(after: equals)...]
    return (name, try unquoted(value, column: line.count - value.count + 1))
  }

  private static func unquoted(_ text: Substring, column: Int) throws(Failure) -> String {
    let value = text.trimmingBlanks
    guard let quote = value.first, quote == "'" || quote == "\"" else { return String(value) }
    var result = ""
    var rest = value.dropFirst()
    while let character = rest.popFirst() {
      if character == quote {
        guard rest.isEmpty || rest.trimmingBlanks.hasPrefix("#") else {
          throw Failure(column: column, message: "there is something behind the closing quote")
        }
        return result
      }
      guard character == "\\", quote == "\"" else {
        result.append(character)
        continue
      }
      switch rest.popFirst() {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "\"": result.append("\"")
      case "\\": result.append("\\")
      default:
        throw Failure(column: column, message: "the only escapes are \\n, \\t, \\\" and \\\\; or use single quotes")
      }
    }
    throw Failure(column: column, message: "the value has no closing quote")
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
