import Model

extension BotFileText {
  /// The fields about where the package is.
  static let place = [
    Entry("package", "The folder of the package inside the repository.", { "package: \($0.package)" })
  ]

  /// The fields about which commits are integrated, and when.
  static let commits = [
    Entry(
      "branches",
      """
      Branches to integrate, as globs; without any, the branch that HEAD points to. "refs/pull/*/head" stands for pull
      requests of GitHub, Forgejo and Gitea that are opened or pushed to from now on, "refs/merge-requests/*/head" for
      those of GitLab. A commit that reaches several branches is integrated on each, because each has its own history,
      gates and triggers.
      Example: branches: [main, "release/*"]
      Example: branches: [main, "refs/pull/*/head"]
      """, { "branches: \(list($0.branches))" }),
    Entry(
      "trust",
      """
      Which pull requests (merge requests on GitLab) are integrated: 'none'; 'members' (the default), those whose
      commits are on a branch of the repository, to which only people with push access can push; 'all', also those from
      forks. They run isolated: always in the sandbox, with a workspace and caches of their own, without triggers,
      secrets or notes, and with network access only to resolve dependencies.
      Example: branches: [main, "refs/pull/*/head"]
               trust: all
      """),
    Entry(
      "tags",
      """
      Tags to integrate, as globs.
      Example: tags: ["v*"]
      """, { "tags: \(list($0.tags))" }),
    Entry(
      "schedule",
      """
      What starts integrations: commit, periodic or manual. 'periodic' needs 'every', which is one of: {hour: 15}, 15
      minutes past every hour; {day: daily, at: "03:00"}; {day: sunday, at: "03:00"}; {cron: "30 4 * * mon-fri"}, with
      minute, hour, day of the month, month and weekday. The default time zone is the machine's.
      Example: schedule: {on: periodic, every: {day: sunday, at: "03:00"}, time-zone: Europe/Berlin}
      """,
      {
        """
        schedule:
          on: \($0.schedule.on.rawValue)
          also-when-toolchain-changes: \($0.schedule.alsoWhenToolchainChanges)
        """
      }),
    Entry(
      "commits",
      """
      When several commits wait: 'latest' integrates the newest, which covers the others; 'every' integrates each in
      order, a merged branch as one. A commit that somebody asks for comes first.
      """,
      { "commits: \($0.commits.rawValue)" }),
    Entry(
      "cancel-superseded", "Whether a newer commit of a branch cancels the running integration of an older one.",
      { "cancel-superseded: \($0.cancelSuperseded)" }),
    Entry(
      "paths",
      """
      Only commits that touch one of these paths are integrated, as globs from the root of the repository; without
      any, all are. The first commit of a branch is integrated whatever it touches.
      Example: paths: ["packages/App/**", "packages/Shared/**"]
      """, { "paths: \(list($0.paths))" }),
    Entry(
      "ignore",
      """
      Commits to skip: those that touch only these paths, and those whose message contains one of these texts. After a
      force push, the files that differ from the last result count.
      Example: ignore: {paths: ["docs/**"], messages: ["[skip ci]"]}
      """, { "ignore: {paths: \(list($0.ignore.paths)), messages: \(list($0.ignore.messages))}" }),
  ]
}
