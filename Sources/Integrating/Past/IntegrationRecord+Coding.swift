import FoundationEssentials
import Model
import Processes

extension IntegrationRecord {
  /// As later integrations read it, without secrets; nil where they can read nothing, because a secret is a word of the
  /// format.
  func masked(by mask: SecretMask) throws(IntegratingError) -> IntegrationRecord? {
    mask.isEmpty ? self : try? Self(reading: mask.mask(try encoded()))
  }

  /// The bytes of `integration.json`.
  func encoded() throws(IntegratingError) -> [UInt8] {
    do {
      return [UInt8](try Self.encoder.encode(self)) + [UInt8(ascii: "\n")]
    } catch {
      throw IntegratingError(
        .service,
        "cannot write the summary document of \(bot) \(number): \(error). This is a fault of Martlet; please report it."
      )
    }
  }

  /// Reads a document in the form that `encoded` writes, whatever its version.
  init(reading bytes: [UInt8]) throws {
    self = try Self.decoder.decode(Self.self, from: Data(bytes))
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  /// Writes documents with sorted keys, so that the same integration gives the same bytes.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
