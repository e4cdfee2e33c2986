import Foundation
import Testing

@Suite("Tokens", .timeLimit(.minutes(10)))
struct TokensTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("tokens")
    program = Program(scratch: scratch)
  }

  @Test("A token is told once, listed without its secret, and revoked")
  func life() throws {
    #expect(try program.run("tokens").output == "There are no tokens. Make one with: martlet tokens new\n")
    let made = try program.run("tokens", "new", "--scope", "read,ask", "--bots", "Gr*", "--days", "2", "--name", "tray")
    #expect(made.status == 0)
    #expect(
      made.errors == "From now on, only public bots are shown without a token.\n")
    let parts = made.output.dropLast().split(separator: "_")
    #expect(parts.count == 3 && parts[0] == "martlet")
    let list = try program.run("tokens", "list").output
    #expect(list.hasPrefix("\(parts[1])  read,ask  Gr*  until 2"))
    #expect(list.hasSuffix(", never used  tray\n"))
    #expect(!list.contains(parts[2]))
    let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.file("home/access"))
    #expect(kept == ["\(parts[1]).json"])
    #expect(try !String(contentsOfFile: scratch.file("home/access/\(kept[0])"), encoding: .utf8).contains(parts[2]))
    #expect(try program.run("tokens", "new").errors.isEmpty)
    let revoked = try program.run("tokens", "revoke", String(parts[1]))
    #expect(revoked.output == "The token \(parts[1]) opens nothing any more.\n")
    #expect(try !program.run("tokens", "list", "--json").output.contains(parts[1]))
  }

  @Test(
    "What makes no sense is refused in words",
    arguments: [
      (
        ["tokens", "make"], "error: unknown word 'make'. It is one of: new, list, revoke. See 'martlet help tokens'.\n"
      ),
      (
        ["tokens", "new", "--scope", "write"],
        "error: unknown scope 'write'. It is one of: read, log, ask. See 'martlet help tokens'.\n"
      ),
      (
        ["tokens", "new", "--days", "0"],
        "error: '--days' is a whole number from 1 to 3650, not '0'. See 'martlet help tokens'.\n"
      ),
      (["tokens", "new", "x"], "error: 'martlet tokens new' takes no name. See 'martlet help tokens'.\n"),
      (
        ["tokens", "list", "--days", "3"],
        "error: '--days' goes with 'martlet tokens new'. See 'martlet help tokens'.\n"
      ),
      (
        ["tokens", "revoke"],
        "error: the token's id is missing: martlet tokens revoke ID. 'martlet tokens list' has it.\n"
      ),
      (
        ["tokens", "revoke", "01234567"],
        "error: there is no token '01234567'. 'martlet tokens list' has those that there are.\n"
      ),
      (
        ["serve", "--trust-header", "X-User"],
        "error: '--trust-header' goes with a Unix socket only: whoever reaches another address could say to be anybody. See 'martlet help serve'.\n"
      ),
      (
        ["serve", "--trust-scope", "read"],
        "error: '--trust-scope' goes with '--trust-header' only. See 'martlet help serve'.\n"
      ),
      (
        ["serve", "--listen", "unix:/nowhere/s", "--trust-header", "X-User", "--trust-scope", "read,red"],
        "error: unknown scope 'red'; did you mean 'read'? See 'martlet help serve'.\n"
      ),
      (
        ["watch", "--trust-header", "X-User"],
        "error: '--trust-header' goes with '--serve' only. See 'martlet help watch'.\n"
      ),
    ])
  func refused(arguments: [String], words: String) throws {
    let run = try program.run(arguments)
    #expect(run.status == 2)
    #expect(run.errors == words)
    #expect(run.output.isEmpty)
  }
}
