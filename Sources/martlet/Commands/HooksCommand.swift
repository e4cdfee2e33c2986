import FoundationEssentials
import Git
import Glibc
import Model
import Integrating
import Rendering

struct HooksCommand: Subcommand {
  let name = "hooks"
  let summary = "install a git hook that integrates before each push, or tells the watcher"
  let operands = "install [REPO]"
  let options = [
    Option.value(
      "--hook", "NAME", "which hook (default: pre-push)", choices: Hook.allCases.map(\.rawValue)),
    Option.value(
      "--package", "SUBFOLDER", "what pre-push integrates (default: the package around REPO)",
      isRepeatable: true),
    Option.value("--bot", "BOT", "the bot whose settings pre-push uses", offered: [.botFiles]),
  ]
  let discussion = """
    The hook pre-push integrates what is about to be pushed, as 'martlet run' does, and stops the push if it is red;
    'git push --no-verify' skips the hook. It integrates a commit again even if it was green before, but not if only a
    tag is pushed and the remote has the commit.

    The hooks post-commit and post-receive tell the watcher about new commits, for file systems where it cannot see
    them, such as network file systems.

    REPO is the current folder by default. A hook runs the martlet on PATH, or else the one that installed it. Other
    hooks are left alone. To uninstall one, remove the file that 'install' names.
    """

  enum Hook: String, CaseIterable {
    case prePush = "pre-push"
    case postCommit = "post-commit"
    case postReceive = "post-receive"
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard arguments.operands.first == "install" else {
      guard let word = arguments.operands.first else {
        throw UsageError("the word 'install' is missing: martlet hooks install [REPO]. See 'martlet help hooks'.")
      }
      throw UsageError.unknown("word", word, among: ["install"], help: "martlet help hooks")
    }
    let hook = arguments.value("--hook").flatMap(Hook.init) ?? .prePush
    let packages = arguments.values("--package")
    for option in ["--package", "--bot"] where arguments.has(option) && hook != .prePush {
      throw UsageError("'\(option)' goes with the hook pre-push. See 'martlet help hooks'.")
    }
    let bot = arguments.value("--bot")
    if let bot { _ = try AdoptedBot.settings(named: bot, context) }
    let path = context.absolute(arguments.operands.dropFirst().first ?? ".")
    let repository = try Repository(at: path)
    var tested = packages
    if hook == .prePush {
      if packages.isEmpty { tested = [try PackageSearch.folder(around: path)] }
      try requirePackages(tested, in: repository)
    }
    let file = try install(
      hook.text(packages: tested, bot: bot, program: context.executable), as: hook.rawValue, in: repository)
    let package = packages.isEmpty ? tested.first.flatMap { $0 == "." ? nil : ", which integrates \($0)" } : nil
    try context.say("Installed \(file)\(package ?? "").")
    return ExitCode.success
  }

  /// Throws if the hook would stop every push.
  private func requirePackages(_ packages: [String], in repository: borrowing Repository) throws {
    guard let tree = repository.workTree else { return }
    for package in packages where access("\(tree)/\(package)/Package.swift", F_OK) != 0 {
      let place = package == "." ? "the root of \(tree)" : "\(tree)/\(package)"
      throw UsageError(
        "there is no Package.swift in \(place). Name the folders of the packages with --package SUBFOLDER. See 'martlet help hooks'."
      )
    }
  }

  private func install(_ text: String, as name: String, in repository: borrowing Repository) throws -> String {
    let folder = try repository.hooksFolder()
    let file = "\(folder)/\(name)"
    if let there = FileManager.default.contents(atPath: file),
      !String(decoding: there, as: UTF8.self).contains(Hook.mark)
    {
      throw UsageError("\(file) is not Martlet's. Remove it first, or add these lines to it:\n\(text)")
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    } catch {
      throw IntegratingError(
        .service, "cannot write \(file): \(SystemReason.words(of: errno)). Check its permissions.")
    }
    return file
  }
}

extension HooksCommand.Hook {
  /// The text that identifies Martlet's hooks, including those of earlier versions.
  static let mark = "Installed by Martlet"

  /// - Parameters:
  ///   - packages: The folders of the packages that pre-push integrates.
  ///   - bot: The bot by whose settings it does.
  ///   - program: The program to run where none is on PATH.
  func text(packages: [String], bot: String?, program: String) -> String {
    switch self {
    case .prePush: Self.prePush(packages, bot.map { " --bot \(RepeatCommand.quoted($0))" } ?? "", program)
    case .postCommit, .postReceive:
      """
      #!/bin/sh
      # Tells the watcher that something has come here, where it cannot see that by itself.
      # \(Self.mark): martlet hooks install --hook \(rawValue)
      \(Self.search(for: program))
      [ -x "$martlet" ] || {
        echo "\(rawValue): there is no martlet on PATH or at $martlet, so the watcher was not told." >&2
        exit 0
      }
      exec "$martlet" notify "$(git rev-parse --absolute-git-dir)" </dev/null

      """
    }
  }

  private static func search(for program: String) -> String {
    "martlet=$(command -v martlet || printf %s \(RepeatCommand.quoted(program)))"
  }

  private static func prePush(_ packages: [String], _ option: String, _ program: String) -> String {
    """
    #!/bin/sh
    # Integrates what is about to be pushed, and stops the push when it is red. 'git push --no-verify' goes past it.
    # \(mark): martlet hooks install
    \(search(for: program))
    [ -x "$martlet" ] || {
      echo "pre-push: there is no martlet on PATH or at $martlet, so nothing was tested and nothing is pushed." >&2
      echo "Install it, push with 'git push --no-verify', or remove $0." >&2
      exit 1
    }
    none=0000000000000000000000000000000000000000
    done=
    place=$1
    while read -r local commit remote known; do
      # A deleted branch has nothing to integrate, and a commit is integrated once, however many branches it is pushed to.
      [ "$commit" = "$none" ] && continue
      # A tag brings nothing where the commit that it names is there already, or where it names none.
      case $remote in
        refs/tags/*)
          commit=$(git rev-parse --quiet --verify "$commit^{commit}" 2>/dev/null) || continue
          [ -n "$(git rev-list --max-count=1 "$commit" --not --remotes="$place")" ] || continue
          ;;
      esac
      case $done in *"$commit"*) continue ;; esac
      done="$done $commit"
      # With its branch's name a commit is built on what the branch's last one left; any other is built from nothing.
      case $local in
        refs/heads/*) set -- --branch "${local#refs/heads/}" ;;
        *) set -- ;;
      esac
      for package in \(packages.map(RepeatCommand.quoted).joined(separator: " ")); do
        "$martlet" run "$(git rev-parse --show-toplevel)" --package "$package"\(option) --commit "$commit" "$@" </dev/null || {
          echo "pre-push: Martlet refuses the push, because $commit is not green. To push it nevertheless: git push --no-verify" >&2
          exit 1
        }
      done
    done

    """
  }
}
