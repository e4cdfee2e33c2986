import Testing

@testable import Parsing

@Suite("Observer: records")
struct ObserverRecordsTests {
  @Test("The keyed hash gives the values of its authors' test vectors")
  func vectors() {
    let hash = SipHash(key: ObservedProcess.key)
    let expected: [Int: UInt64] = [
      0: 0x726f_db47_dd0e_0e31, 1: 0x74f8_39c5_93dc_67fd, 7: 0xab02_00f5_8b01_d137, 8: 0x93f5_f579_9a93_2462,
      15: 0xa129_ca61_49be_45e5, 63: 0x958a_324c_eb06_4572,
    ]
    for (count, value) in expected { #expect(hash.hash([UInt8](0..<UInt8(count))[...]) == value, "\(count) bytes") }
  }

  @Test("Genuine records come through in order, without a word")
  func genuine() {
    var process = ObservedProcess()
    process.tell(.ready)
    process.tell(.events, .number(5))
    var records = ObserverRecords(key: ObservedProcess.key)
    let taken = process.messages.map { records.take($0) }
    #expect(taken.map { $0?.kind } == [.ready, .events])
    #expect(taken.last??.bytes.elementsEqual([5, 0, 0, 0, 0, 0, 0, 0]) == true)
    #expect(records.contradictions.isEmpty)
  }

  @Test(
    "What does not carry the hash of the key is passed over and told",
    arguments: [
      [], [1, 2, 3], Array("{\"kind\":\"event\"}\n".utf8),
      ObservedProcess.message(0, .ready, [], key: [UInt8](repeating: 0, count: 16)),
    ])
  func foreign(message: [UInt8]) {
    var records = ObserverRecords(key: ObservedProcess.key)
    #expect(records.take(message) == nil)
    #expect(
      records.contradictions == [
        "The test process wrote 1 message that is not the observer's to the observer's channel."
      ])
  }

  @Test("A changed byte makes a record a stranger's")
  func changed() {
    for index in ObservedProcess.message(0, .testStarted, [.text("a")]).indices {
      var message = ObservedProcess.message(0, .testStarted, [.text("a")])
      message[index] ^= 1
      var records = ObserverRecords(key: ObservedProcess.key)
      #expect(records.take(message) == nil, "byte \(index)")
    }
  }

  @Test("A record that is missing, or comes again, is told")
  func order() {
    var process = ObservedProcess()
    for _ in 0..<3 { process.tell(.bundleStarted) }
    var lacking = ObserverRecords(key: ObservedProcess.key)
    #expect(lacking.take(process.messages[0]) != nil)
    #expect(lacking.take(process.messages[2]) != nil)
    #expect(lacking.contradictions == ["The observer's record 2 came where record 1 was due."])
    var repeating = ObserverRecords(key: ObservedProcess.key)
    #expect(repeating.take(process.messages[0]) != nil)
    #expect(repeating.take(process.messages[0]) == nil)
    #expect(repeating.contradictions == ["The observer's record 0 came where record 1 was due."])
  }
}
