import Model

extension TriggerEnvironment {
  /// Every variable but the one that only says that Martlet is here.
  static let table = identity + places + results

  private static let identity = [
    Variable("BOT_NAME", "BOT_NAME", "the bot") { $0.integration.bot },
    Variable("BOT_ID", "BOT_ID", "the bot again; no two bots have one name") { $0.integration.bot },
    Variable("BOT_TINY_ID", "BOT_TINY_ID", "7 digits and letters that stand for the bot") { tiny($0.integration.bot) },
    Variable("INTEGRATION_NUMBER", "INTEGRATION_NUMBER", "the number of the integration") {
      "\($0.integration.number)"
    },
    Variable("INTEGRATION_ID", "INTEGRATION_ID", "BOT/NUMBER, as martlet's commands take it") { id($0.integration) },
    Variable("INTEGRATION_TINY_ID", "INTEGRATION_TINY_ID", "7 digits and letters that stand for the integration") {
      tiny(id($0.integration))
    },
    Variable("INTEGRATION_RESULT", "INTEGRATION_RESULT", "the outcome; 'unknown' before the integration") {
      $0.isOver ? $0.integration.outcome.rawValue : "unknown"
    },
    Variable("CAUSE", nil, "commit, schedule, person, toolchain or rerun") { $0.integration.cause.rawValue },
    Variable("TOOLCHAIN", nil, "the version line of the toolchain") { $0.integration.toolchain },
    Variable("COMMIT", "PRIMARY_REPO_REVISION", "the commit's full name") { $0.integration.commit.id.rawValue },
    Variable("BRANCH", "PRIMARY_REPO_BRANCH", "the branch; not set for a tag") { $0.integration.branch },
    Variable("TAG", "PRIMARY_REPO_TAG", "the tag; not set for a branch") { $0.integration.tag },
    Variable("REPOSITORY", nil, "the watched repository; the sandbox may hide it") { $0.integration.repository },
  ]

  private static let places = [
    Variable("CHECKOUT_DIR", "PRIMARY_REPO_DIR", "the checked-out tree") { $0.places.source },
    Variable("SOURCE_DIR", "SOURCE_DIR", "the folder of the package in it") { $0.places.package },
    Variable("OUTPUT_DIR", "OUTPUT_DIR", "what is kept of the integration: log/, coverage/, archive/") {
      $0.places.kept
    },
    Variable("SCRATCH_DIR", "DERIVED_DATA_DIR", "SwiftPM's scratch folder") { $0.places.scratch },
    Variable("BUILD_LOG", "XCODEBUILD_LOG", "the log of the build") { $0.isOver ? $0.places.buildLog : nil },
    Variable("PRODUCTS_DIR", nil, "what the build made") { $0.isOver ? $0.places.products : nil },
    Variable("ARCHIVE", "ARCHIVE", "the folder of the kept products, when the bot archives") {
      $0.isOver && !$0.integration.archive.isEmpty ? "\($0.places.kept)/archive" : nil
    },
    Variable("PRODUCT", "PRODUCT", "the first of them") { facts in
      let first = facts.integration.archive.first { !$0.path.contains("/") }
      return facts.isOver ? first.map { "\(facts.places.kept)/archive/\($0.path)" } : nil
    },
    products("EXECUTABLES", "the executables among them, one path in a line", .executable),
    products("DYNAMIC_LIBRARIES", "the dynamic libraries (.so), likewise", .dynamicLibrary),
    products("STATIC_LIBRARIES", "the static libraries (.a), likewise", .staticLibrary),
    products("RESOURCES", "the folders of resources, likewise", .resource),
  ]

  /// The kept products of a kind; of resources the folders that have to lie beside what uses them.
  private static func products(_ name: String, _ meaning: String, _ kind: ArchivedFile.Kind) -> Variable {
    Variable(name, nil, meaning) { facts in
      let names = facts.integration.archive.filter { $0.kind == kind }.compactMap {
        $0.path.split(separator: "/").first
      }
      let once = Set(names).sorted().map { "\(facts.places.kept)/archive/\($0)" }
      return facts.isOver && !once.isEmpty ? once.joined(separator: "\n") : nil
    }
  }

  private static let results =
    count("ERROR", "errors of the build") {
      issues($0, [.error, .linkerError])
    } change: {
      change($0, [.error, .linkerError])
    }
    + count("WARNING", "warnings of the compiler") {
      $0.warningCount
    } change: {
      $0.deltas?.warnings
    }
    + count("ANALYZER_WARNING", "warnings of the analyzer") {
      issues($0, [.analyzerWarning])
    } change: {
      change($0, [.analyzerWarning])
    }
    + count("TESTS", "listed tests") {
      $0.tests.counts.listed
    } change: {
      $0.deltas?.tests?.listed
    }
    + count("TEST_FAILURE", "tests that failed, crashed or took too long") {
      $0.tests.counts.red
    } change: {
      $0.deltas?.tests?.red
    }

  /// A count and its change; before the integration there is neither.
  private static func count(
    _ name: String, _ meaning: String, value: @escaping @Sendable (Integration) -> Int,
    change: @escaping @Sendable (Integration) -> Int?
  ) -> [Variable] {
    [
      Variable("\(name)_COUNT", "\(name)_COUNT", "how many \(meaning)") {
        $0.isOver ? "\(value($0.integration))" : nil
      },
      Variable("\(name)_CHANGE", "\(name)_CHANGE", "how many more than in the integration before") {
        $0.isOver ? change($0.integration).map { "\($0)" } : nil
      },
    ]
  }

  private static func issues(_ integration: Integration, _ kinds: Set<Issue.Kind>) -> Int {
    integration.findings.count { kinds.contains($0.kind) }
  }

  private static func change(_ integration: Integration, _ kinds: Set<Issue.Kind>) -> Int? {
    integration.baseline.map {
      issues(integration, kinds) - $0.issues.count { kinds.contains($0.kind) && !$0.isCarriedOver }
    }
  }

  private static func id(_ integration: Integration) -> String { "\(integration.bot)/\(integration.number)" }

  private static func tiny(_ text: String) -> String { String(FileSystemName.fingerprint64(text).prefix(7)) }
}
