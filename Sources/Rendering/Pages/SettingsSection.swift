import Model

/// The settings in a package's `.martlet.yml`, and the origin of the value in effect.
struct SettingsSection: ReportSection {
  let report: ReportContext

  /// Missing for a package without such a file.
  var record: TemplateValue {
    guard !integration.settings.isEmpty else { return .missing }
    let rows = integration.settings.map { origin in
      TemplateValue.record([
        "name": .shown(origin.setting), "from": .text(Self.words(origin.source)),
        "remark": .shown(ifAny: origin.remark),
      ])
    }
    return .record(["summary": .text("named in the package’s .martlet.yml"), "rows": .list(rows)])
  }

  private static func words(_ source: SettingOrigin.Source) -> String {
    switch source {
    case .bot: "the bot’s"
    case .commandLine: "the command line’s, or the default"
    case .package: "the package’s"
    case .both: "both together"
    }
  }
}
