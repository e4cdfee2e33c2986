import Testing

@testable import Serving

@Suite("Parts and states of a body")
struct RangeTests {
  @Test(
    "A Range header asks for a part",
    arguments: [
      ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-10", 90..<100), ("bytes=-1000", 0..<100),
      ("bytes=50-1000", 50..<100), ("Bytes=99-99", 99..<100), ("bytes=0-99999999999999999999", 0..<100),
      ("bytes=0-\(Int.max)", 0..<100), ("bytes=-\(Int.max)", 0..<100),
    ])
  func part(header: String, range: Range<Int>) {
    #expect(ByteRange.asked(header, of: 100) == .part(range))
  }

  @Test(
    "What is not understood, and several parts, come to all of it",
    arguments: [
      "bytes=", "bytes=-", "bytes=a-b", "lines=0-9", "bytes=0-1,5-6", "bytes=9-0", "bytes=0x1-2", "bytes= 1-2",
      "bytes=1--2",
      "bytes=+1-2", "0-9",
    ])
  func whole(header: String) {
    #expect(ByteRange.asked(header, of: 100) == .whole)
  }

  @Test(
    "Behind the end there is nothing",
    arguments: [
      ("bytes=100-", 100), ("bytes=99999999999999999999-", 100), ("bytes=\(Int.max)-\(Int.max)", 100),
      ("bytes=-0", 100), ("bytes=0-", 0), ("bytes=-5", 0),
    ])
  func none(header: String, length: Int) {
    #expect(ByteRange.asked(header, of: length) == .none)
  }

  @Test(
    "Of what grows a part may end behind what there is, or nowhere",
    arguments: [
      ("bytes=0-9", .part(0..<10)), ("bytes=50-1000", .part(50..<1001)),
      ("bytes=100-", .part(100..<RangeTests.endless)),
      ("bytes=0-", .part(0..<RangeTests.endless)), ("bytes=7-\(Int.max)", .part(7..<RangeTests.endless)),
      ("bytes=-10", .part(90..<100)),
      ("bytes=101-", .none), ("bytes=9-0", .whole), ("bytes=-", .whole), ("bytes=0-1,5-6", .whole),
    ] as [(String, ByteRange.Asked)])
  func growing(header: String, asked: ByteRange.Asked) {
    #expect(ByteRange.asked(header, ofGrowing: 100) == asked)
  }

  private static let endless = ByteRange.farthest + 1

  @Test("A tag is found in a list, weak or not")
  func tags() {
    for list in ["*", "\"a\"", "W/\"a\"", "\"b\", \"a\"", " \"b\" ,\tW/\"a\" "] {
      #expect(EntityTag.matches(list, "\"a\""))
    }
    for list in ["", "a", "\"b\"", "\"A\"", "w/\"a\"", "\"a"] { #expect(!EntityTag.matches(list, "\"a\"")) }
  }

  @Test("What code under test made is shown only as a picture")
  func types() {
    #expect(ContentType.of(["a", "1", "index.html"]).type == "text/html; charset=utf-8")
    #expect(ContentType.of(["martlet.js"]).isShown)
    #expect(ContentType.of(["a", "1", "integration.json"]).type == "application/json")
    for name in ["x.html", "x.svg", "x.js", "x.css", "x.json", "x", ".html", "x.png.html"] {
      #expect(ContentType.of(["a", "1", "attachments", name]) == ("application/octet-stream", false))
      #expect(ContentType.of(["a", "1", "archive", name]) == ("application/octet-stream", false))
    }
    #expect(ContentType.of(["a", "1", "attachments", "x.PNG"]) == ("image/png", true))
    for name in ["attachments", "archive"] {
      #expect(!ContentType.of(["a", "1", "cells", "release-0a1b2c3d", name, "x.html"]).isShown)
      #expect(ContentType.of([name, "1", "index.html"]).isShown, "The bot has this name.")
      #expect(!ContentType.of([name, "1", name, "x.html"]).isShown)
    }
    #expect(ContentType.of(["x.exe"]) == ("application/octet-stream", false))
  }
}
