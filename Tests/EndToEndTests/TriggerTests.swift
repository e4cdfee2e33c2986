import FoundationEssentials
import Integrating
import Model
import Processes
import Testing

extension Histories {
  @Suite("The scripts of a bot")
  struct TriggerTests {
    private static let files = [
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Mill", targets: [.target(name: "Mill")])
      """,
      "Sources/Mill/Mill.swift": "public let flour = 1\n",
      // What the before-trigger is there for: without it, this does not compile.
      "Sources/Mill/Sack.swift": "public let sack = generated\n",
      "script/after.sh": "echo \"package: ${TOKEN-none}\"\n",
    ]
    private static let token = "tulip-4711-secret"

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let commit: CommitID

    private static let shared = Result { try ScratchFolder("triggers") }

    init() throws {
      let scratch = try Self.shared.get()
      try scratch.beginAnew()
      try self.init(in: scratch)
    }

    /// - Parameter scratch: one of its own for a test that breaks its workspace.
    private init(in scratch: ScratchFolder) throws {
      self.scratch = scratch
      repository = try GitFolder("Mill", in: scratch)
      try repository.commit("Grind", Self.files)
      commit = try repository.head
    }

    private func carryOut(_ number: Int, trusted: Bool = false, _ scripts: [Trigger.Script]) throws -> [Step] {
      var bot = Bot(name: "miller", repository: repository.path)
      bot.actions = [.build]
      bot.tests.areExpected = false
      bot.environment = ["PAPER": "white"]
      bot.secrets = ["TOKEN", "LOST"]
      bot.triggers = scripts.map { .script($0) }
      bot.secretBranches = trusted ? ["ma*"] : ["release"]
      let order = IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date(),
        secrets: ["TOKEN": Self.token])
      return try Program(scratch: scratch).carryOut(order).news.compactMap {
        if case .step(let step) = $0 { step } else { nil }
      }
    }

    private func document(_ number: Int) throws -> IntegrationRecord {
      try StoredIntegrations(in: Home(scratch.file("home"))).integration(number, of: "miller").document
    }

    private func log(_ number: Int, _ step: Step) throws -> [String] {
      let path = scratch.file("home/integrations/miller/\(number)/log/\(step.rawValue).log")
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("$ ") }
    }

    private static let generate = Trigger.Script(
      moment: .before,
      source: .inline(
        """
        #!/bin/sh -eu
        echo "$MARTLET_INTEGRATION_RESULT ${MARTLET_WARNING_COUNT-uncounted} $PAPER $TOKEN $PWD" | sed "s#$XCS_SOURCE_DIR#here#"
        echo "let generated = 1" > Sources/Mill/Generated.swift
        echo "public func unused() { let grain = 1 }" >> Sources/Mill/Generated.swift
        """))

    @Test("What a before-trigger writes is built, after-triggers see the counts, and no log holds a secret")
    func green() throws {
      let beside = scratch.file("beside.sh")
      try scratch.write("echo \"beside: $TOKEN $HOME\"\n", to: "beside.sh")
      try scratch.write("", to: "www/index")
      let www = scratch.file("www")
      let steps = try carryOut(
        1,
        [
          Self.generate,
          Trigger.Script(
            moment: .after,
            source: .inline("echo $MARTLET_INTEGRATION_RESULT $XCS_WARNING_COUNT; tail -1 $MARTLET_BUILD_LOG | wc -l")),
          Trigger.Script(moment: .after, source: .botFile(beside)),
          Trigger.Script(moment: .after, source: .packageFile("script/after.sh")),
          Trigger.Script(moment: .after, source: .inline("echo never"), when: [.failure, .allResolved]),
          Trigger.Script(
            moment: .after,
            source: .inline("cp $MARTLET_BUILD_LOG \(www)/log; echo $(grep -c : /proc/net/dev) network"),
            write: [www], network: false),
          Trigger.Script(moment: .after, source: .inline("touch \(www)/b 2>/dev/null || echo refused")),
        ])
      #expect(steps == [.checkout, .beforeTriggers, .building, .afterTriggers, .completed])
      let document = try document(1)
      #expect(document.outcome == .warnings)
      #expect(document.reasons == ["1 compiler warning."])
      #expect(try log(1, .beforeTriggers) == ["unknown uncounted white \(SecretMask.replacement) here"])
      let lines = try log(1, .afterTriggers).filter { !$0.hasPrefix("beside") }
      #expect(lines.prefix(3) == ["warnings 1", "1", "package: none"])
      // A deployment is let in where it has to write, and nobody else is.
      #expect(document.sandbox != "bubblewrap" || lines.dropFirst(3) == ["1 network", "refused"])
      #expect(FileManager.default.fileExists(atPath: "\(www)/log"))
      #expect(try log(1, .afterTriggers).contains { $0.hasPrefix("beside: \(SecretMask.replacement)") })
      #expect(
        document.issues.filter { $0.kind == .serviceWarning }.map(\.message).first?.hasPrefix(
          "The secret 'LOST' has no value, so scripts run without it. Write LOST=… into secrets/miller.env") == true)
      let kept = try FileManager.default.subpathsOfDirectory(atPath: scratch.file("home/integrations/miller/1"))
      for name in kept {
        let path = scratch.file("home/integrations/miller/1/\(name)")
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.token), "\(name)")
      }
    }

    @Test("Scripts see the variables that the help tells of and no others of the kind, but what is not known yet")
    func variables() throws {
      let names = Trigger.Script.Source.inline("env | grep -E '^(MARTLET|XCS)' | sed 's/=.*//' | sort")
      var generate = Self.generate
      generate.source = .inline("echo 'let generated = 1' > Sources/Mill/Generated.swift")
      let moments: [Trigger.Script.Moment] = [.before, .after]
      _ = try carryOut(10, [generate] + moments.map { Trigger.Script(moment: $0, source: names) })
      let help = try Program(scratch: scratch).run("help", "triggers").output
      let rows = help.split(separator: "\n").filter { $0.hasPrefix("  MARTLET_") }
      let told = Set(rows.map { String($0.dropFirst("  MARTLET_".count).prefix { $0 != " " }) })
      let counts = ["ERROR", "WARNING", "ANALYZER_WARNING", "TESTS", "TEST_FAILURE"]
      func unseen(_ step: Step) throws -> Set<String> {
        let seen = Set(try log(10, step))
        #expect(seen.isSuperset(of: ["MARTLET", "XCS"]))
        let own = Set(seen.filter { $0.hasPrefix("MARTLET_") }.map { String($0.dropFirst(8)) })
        #expect(own.isSubset(of: told))
        // What is one name for one thing there is one here.
        let others = seen.filter { $0.hasPrefix("XCS_") }.count
        #expect(others == own.subtracting(["CAUSE", "TOOLCHAIN", "REPOSITORY", "PRODUCTS_DIR"]).count)
        return told.subtracting(own)
      }
      // The first integration has nothing to compare with, and this bot archives nothing.
      let kinds = ["EXECUTABLES", "DYNAMIC_LIBRARIES", "STATIC_LIBRARIES", "RESOURCES"]
      let after = Set(["TAG", "ARCHIVE", "PRODUCT"] + kinds + counts.map { "\($0)_CHANGE" })
      #expect(try unseen(.afterTriggers) == after)
      #expect(
        try unseen(.beforeTriggers) == after.union(counts.map { "\($0)_COUNT" }).union(["BUILD_LOG", "PRODUCTS_DIR"]))
    }

    @Test("What the analyze command prints are analyzer warnings, and one that reports nothing is told")
    func analyzing() throws {
      func document(_ number: Int, _ command: String) throws -> IntegrationRecord {
        var bot = Bot(name: "miller", repository: repository.path)
        bot.actions = [.build, .analyze]
        bot.analyze = command
        bot.tests.areExpected = false
        let silent = "echo 'let generated = 1' > Sources/Mill/Generated.swift"
        bot.triggers = [.script(Trigger.Script(moment: .before, source: .inline(silent)))]
        let order = IntegrationOrder(
          bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date())
        _ = try Program(scratch: scratch).carryOut(order)
        return try self.document(number)
      }
      let found = try document(5, "echo './Sources/Mill/Mill.swift:1:8: warning: [Grain] too coarse'; exit 1")
      #expect(found.outcome == .analyzerWarnings)
      #expect(found.reasons == ["1 analyzer warning."])
      let issue = try #require(found.issues.first { $0.kind == .analyzerWarning })
      #expect(issue.message == "[Grain] too coarse")
      #expect(issue.file == "Sources/Mill/Mill.swift")
      #expect(issue.line == 1)
      let failed = try document(6, "exit 9").issues.filter { $0.kind == .analyzerWarning }
      #expect(failed.map(\.status) == [.new, .unresolved])
      #expect(
        failed.first?.message
          == "The command of the analyze action failed with exit status 9, and reported nothing that could be read.")
      let clean = try document(7, "true")
      #expect(clean.outcome == .succeeded)
      #expect(clean.issues.filter { $0.kind == .analyzerWarning }.map(\.status) == [.resolved, .resolved])
    }

    @Test("A before-trigger that fails ends the integration with the reason, and the after-triggers for failures run")
    func failingBefore() throws {
      let steps = try carryOut(
        2,
        [
          Trigger.Script(moment: .before, source: .inline("echo no grain; exit 3")),
          Trigger.Script(moment: .before, source: .inline("echo never")),
          Trigger.Script(moment: .after, source: .inline("echo $XCS_INTEGRATION_RESULT"), when: [.failure]),
          Trigger.Script(moment: .after, source: .inline("echo never"), when: [.success]),
        ])
      #expect(steps == [.checkout, .beforeTriggers, .afterTriggers, .completed])
      let document = try document(2)
      #expect(document.outcome == .triggerError)
      #expect(document.reasons == ["The trigger “echo …” failed with exit status 3."])
      #expect(document.issues.first?.kind == .triggerError)
      #expect(try log(2, .beforeTriggers) == ["no grain"])
      #expect(try log(2, .afterTriggers) == ["trigger-error"])
    }

    @Test("What an integration before left in the workspace is not run, and no script starts in it")
    func noCheckout() throws { try Self(in: ScratchFolder("checkout")).endsBeforeCheckout() }

    private func endsBeforeCheckout() throws {
      _ = try carryOut(8, trusted: true, [Self.generate])
      // Where the memory of builds should be, so that the next integration ends before its checkout.
      let builds = scratch.file("home/workspaces/miller/main/state/builds")
      try FileManager.default.removeItem(atPath: builds)
      try scratch.write("", to: "home/workspaces/miller/main/state/builds")
      let steps = try carryOut(
        9, trusted: true,
        [
          Trigger.Script(moment: .after, source: .packageFile("script/after.sh")),
          Trigger.Script(moment: .after, source: .inline("ls script 2>&1; echo $MARTLET_INTEGRATION_RESULT")),
        ])
      #expect(steps == [.afterTriggers, .completed])
      #expect(try document(9).outcome == .internalError)
      let log = try log(9, .afterTriggers)
      #expect(!log.contains { $0.hasPrefix("package: ") })
      #expect(!log.contains("after.sh"))
      #expect(log.contains("internal-error"))
    }

    @Test("An after-trigger that fails is an issue until it succeeds, and the others run")
    func failingAfter() throws {
      func scripts(_ text: String) -> [Trigger.Script] {
        var silent = Self.generate
        silent.source = .inline("echo 'let generated = 1' > Sources/Mill/Generated.swift")
        return [
          silent,
          Trigger.Script(moment: .after, source: .inline("sleep 60"), timeout: .milliseconds(300)),
          Trigger.Script(moment: .after, source: .packageFile("script/none.sh")),
          Trigger.Script(moment: .after, source: .inline(text)),
          Trigger.Script(moment: .after, source: .packageFile("script/after.sh"), when: [.success]),
        ]
      }
      _ = try carryOut(3, trusted: true, scripts("exit 4"))
      let failed = try document(3)
      #expect(failed.outcome == .warnings)
      #expect(
        failed.reasons == [
          "The trigger “sleep 60” was stopped, because it took longer than 0.3 s.",
          "The after-trigger 'script/none.sh' could not be started: the package has no such file.",
          "The trigger “exit 4” failed with exit status 4.",
        ])
      #expect(failed.issues.filter { $0.kind == .triggerError }.map(\.message) == failed.reasons)
      #expect(try log(3, .afterTriggers) == ["package: \(SecretMask.replacement)"])
      _ = try carryOut(4, scripts("true"))
      let mended = try document(4).issues.filter { $0.kind == .triggerError }
      #expect(mended.map(\.status) == [.unresolved, .unresolved, .resolved])
    }
  }
}
