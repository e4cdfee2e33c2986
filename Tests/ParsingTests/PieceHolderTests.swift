import Model
import Testing

@testable import Parsing

/// Symbols and readable names as the compiler and `swift-demangle --simplified` make them.
@Suite("Which declaration holds a closure or a default argument")
struct PieceHolderTests {
  /// Each declaration with its count and those of what is folded into it, in the order of the given functions.
  private func fold(_ functions: [(symbol: String, name: String, count: UInt64)]) -> [String] {
    let codes = functions.enumerated().map { index, function in
      let region = CoverageRegion(
        start: SourcePosition(line: index + 1, column: 1), end: SourcePosition(line: index + 1, column: 9),
        count: function.count)
      return FunctionCode(
        .init(symbol: function.symbol, count: function.count, regions: 0..<0), regions: [region])
    }
    let names = Dictionary(functions.map { ($0.symbol, $0.name) }) { $1 }
    return FunctionFolding.fold(codes, demangled: names, in: "a.swift").map { function in
      "\(function.name) \(function.isOnlyFolded ? "-" : "\(function.count)") \(function.folded.map(\.count))"
    }
  }

  @Test("That of a class which makes its object itself holds what its initialiser does")
  func convenience() {
    let folded = fold([
      ("$s2Ci3BoxC6valuesACSaySiG_tcfc", "Box.init(values:)", 1),
      ("$s2Ci3BoxC5namesACSaySSG_tcfC", "Box.__allocating_init(names:)", 1),
      ("$s2Ci3BoxC5namesACSaySSG_tcfcSiSSXEfU_", "closure #1 in Box.init(names:)", 0),
      ("$s2Ci3BoxC5limitACSi_tcfC", "Box.__allocating_init(limit:)", 0),
      ("$s2Ci3BoxC5limitACSi_tcfc5clampL_yS2iF", "clamp #1 (_:) in Box.init(limit:)", 0),
      ("$s2Ci3BoxC5limitACSi_tcfcfA_S2icfU_", "closure #1 in default argument 0 of Box.init(limit:)", 3),
      ("$s4Fold7GenericC5otherACyxGqd___tc7ElementQyd__RszSTRd__lufC", "Generic.__allocating_init<A>(other:)", 1),
      (
        "$s4Fold7GenericC5otherACyxGqd___tc7ElementQyd__RszSTRd__lufcxxXEfU_",
        "closure #1 in Generic.init<A>(other:)", 2
      ),
    ])
    #expect(
      folded == [
        "Box.init(values:) 1 []", "Box.init(names:) 1 [0]", "Box.init(limit:) 0 [3]",
        "clamp(_:) in Box.init(limit:) 0 []", "Generic.init<A>(other:) 1 [2]",
      ])
  }

  @Test("Overloads of an initialiser keep what is theirs, whether one or both make their object themselves")
  func initializers() {
    let folded = fold([
      ("$s4Fold5TwiceVyACSicfC", "Twice.init(_:)", 1), ("$s4Fold5TwiceVyACSScfC", "Twice.init(_:)", 0),
      ("$s4Fold5TwiceVyACSScfcSiSJXEfU_", "closure #1 in Twice.init(_:)", 5),
      ("$s4Fold3BoxC5namesACSaySiG_tcfc", "Box.init(names:)", 7),
      ("$s4Fold3BoxC5namesACSaySSG_tcfC", "Box.__allocating_init(names:)", 0),
      ("$s4Fold3BoxC5namesACSaySSG_tcfcS2iXEfU_", "closure #1 in Box.init(names:)", 2),
      ("$s4Fold3BoxC5namesACSaySiG_tcfcS2iXEfU_", "closure #1 in Box.init(names:)", 3),
    ])
    #expect(
      folded == ["Twice.init(_:) 1 []", "Twice.init(_:) 0 [5]", "Box.init(names:) 7 [3]", "Box.init(names:) 0 [2]"])
  }

  @Test("The default arguments of a subscript belong to its accessors, each overload's to its own")
  func subscripts() {
    let folded = fold([
      ("$s4Fold4GridV_7defaultxSi_Sitcig", "Grid.subscript.getter", 1),
      ("$s4Fold4GridV_7defaultxSS_Sitcig", "Grid.subscript.getter", 0),
      ("$s4Fold4GridV_7defaultxSS_Sitcis", "Grid.subscript.setter", 2),
      ("$s4Fold4GridV_7defaultxSS_SitcipfA0_", "default argument 1 of Grid.subscript(_:default:)", 4),
      (
        "$s4Fold4GridV_7defaultxSi_SitcipfA0_S2icfU_",
        "closure #1 in default argument 1 of Grid.subscript(_:default:)", 5
      ),
      ("$s4Fold4GridV_5againxqd___SitcSQRzSHRd__luig", "Grid.subscript.getter", 6),
      ("$s4Fold4GridV_5againxqd___SitcSQRzSHRd__luipfA0_", "default argument 1 of Grid.subscript<A>(_:again:)", 7),
      ("$s4Fold4GridVyS2icigZ", "static Grid.subscript.getter", 8),
      ("$s4Fold4GridVyS2icipZfA_", "default argument 0 of static Grid.subscript(_:)", 9),
    ])
    #expect(
      folded == [
        "Grid.subscript 1 [5]", "Grid.subscript 2 [0, 4]", "Grid.subscript 6 [7]", "static Grid.subscript 8 [9]",
      ])
  }

  @Test("A function called subscript holds its own, and what has no accessor stands alone under its whole name")
  func noSubscripts() {
    let folded = fold([
      ("$s4Fold5TwiceV9subscriptyS2iF", "Twice.subscript(_:)", 1),
      ("$s4Fold5TwiceV9subscriptyS2iFfA_S2icfU_", "closure #1 in default argument 0 of Twice.subscript(_:)", 2),
      ("$s4Fold5TwiceVyS2Scig", "Twice.subscript.getter", 3),
      ("$s4Fold4GridVyS2icipfA_", "default argument 0 of Grid.subscript(_:)", 4),
      ("$s4Fold4FileVfdySiXEfU_", "closure #1 in File.deinit", 0),
    ])
    #expect(
      folded == ["Twice.subscript(_:) 1 [2]", "Twice.subscript 3 []", "Grid.subscript(_:) - [4]", "File.deinit - [0]"])
  }
}
