import FoundationEssentials
package import Model

/// The state of projects, in the format of build lights and menu-bar programs (https://cctray.org/v1/).
package struct CCTray: Sendable {
  /// One bot.
  package struct Project: Sendable {
    package var name: String
    /// Whether it is being integrated now.
    package var isBuilding: Bool
    /// The integration that determines its state; nil if there is none yet.
    package var line: HistoryLine?

    package init(name: String, isBuilding: Bool, line: HistoryLine?) {
      (self.name, self.isBuilding, self.line) = (name, isBuilding, line)
    }
  }

  private let projects: [Project]
  private let site: SiteAddress

  package init(_ projects: [Project], site: SiteAddress) {
    (self.projects, self.site) = (projects, site)
  }

  package var text: String {
    var xml = XMLText()
    xml.element("Projects", [:]) { xml in
      for project in projects {
        xml.element(
          "Project",
          [
            "name": VisibleText.of(project.name), "activity": project.isBuilding ? "Building" : "Sleeping",
            "lastBuildStatus": Self.status(project.line?.outcome),
            "lastBuildLabel": project.line.map { "\($0.number)" },
            // Old readers cannot handle a project without a build.
            "lastBuildTime": LocalTime.utc.machine(of: project.line?.endedAt ?? Date(timeIntervalSince1970: 0)),
            "webUrl": site.page(of: project.name),
          ])
      }
    }
    return xml.text
  }

  private static func status(_ outcome: Outcome?) -> String {
    switch outcome {
    case .succeeded, .warnings, .analyzerWarnings: "Success"
    case .testFailures, .buildErrors, .incomplete: "Failure"
    case .internalError, .checkoutError, .triggerError, .canceled: "Exception"
    case nil: "Unknown"
    }
  }
}
