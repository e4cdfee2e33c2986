import FoundationEssentials
import Glibc
import Testing

@Suite("The contrast of code on its grounds")
struct StyleContrastTests {
  private static let grounds = ["paper", "wash", "amber-wash", "red-wash", "green-wash"]
  private static let text = [
    "ink", "ink-2", "code-key", "code-type", "code-text", "code-note", "code-number", "code-mark",
  ]

  /// A colour with its parts from 0 to 255, and how much of it covers what lies behind.
  private struct Colour {
    var parts: [Double]
    var cover = 1.0

    init?(_ words: Substring) {
      if words.hasPrefix("#"), let value = Int(words.dropFirst(), radix: 16) {
        let (bits, scale) = words.count == 4 ? (4, 17) : (8, 1)
        parts = [2, 1, 0].map { place in Double((value >> (bits * place)) % (1 << bits) * scale) }
      } else {
        let numbers = words.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
        guard words.hasPrefix("rgba("), numbers.count == 4 else { return nil }
        (parts, cover) = (Array(numbers[..<3]), numbers[3])
      }
    }

    func over(_ ground: Colour) -> Colour {
      var mixed = ground
      mixed.parts = zip(parts, ground.parts).map { $0 * cover + $1 * (1 - cover) }
      return mixed
    }

    /// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
    var luminance: Double {
      let linear = parts.map { part -> Double in
        let share = part / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
    func contrast(to other: Colour) -> Double {
      (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
    }
  }

  /// The colours that the first rule for all of a page in a part of the sheet names.
  private func colours(_ sheet: Substring) throws -> [String: Colour] {
    let rule = try #require(sheet.split(separator: ":root {", maxSplits: 1).last?.prefix { $0 != "}" })
    return rule.matches(of: /--([a-z0-9-]+): *(#[0-9a-f]+|rgba\([^)]+\))/).reduce(into: [:]) { colours, match in
      colours[String(match.1)] = Colour(match.2)
    }
  }

  @Test(
    "Every colour of code can be read on every ground, also where stripes say that it never ran",
    arguments: ["light", "@media (prefers-color-scheme: dark)", "@media print"])
  func readable(_ way: String) throws {
    let data = try Data(contentsOf: PageSite.repository.appending(path: "templates/style.css"))
    let sheet = String(decoding: data, as: UTF8.self)
    var colours = try colours(sheet[...])
    if way != "light" {
      let start = try #require(sheet.firstRange(of: "\n\(way) {\n  :root")?.lowerBound)
      colours.merge(try self.colours(sheet[start...])) { $1 }
    }
    let stripes = try #require(colours["dead"])
    #expect(stripes.cover > 0.1 && stripes.cover < 1)
    for ground in Self.grounds {
      let plain = try #require(colours[ground])
      for name in Self.text {
        let text = try #require(colours[name])
        #expect(text.contrast(to: plain) >= 4.5, "\(name) on \(ground)")
        #expect(text.contrast(to: stripes.over(plain)) >= 4.5, "\(name) on stripes on \(ground)")
      }
    }
  }
}
