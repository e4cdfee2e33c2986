import Model

/// Details of how an integration ran: when, with which limits, and with which processes.
struct ProvenanceSection: ReportSection {
  let report: ReportContext

  var record: TemplateValue {
    let build = integration.steps.buildWords(time: time.minute)
    let rows =
      [
        ("Time", times), integration.circumstances.machine.map { ("Machine", $0) },
        integration.limits.map { ("Limits", $0) },
        build.map { ("Build", $0) }, profiles.map { ("Coverage", $0) },
      ]
      .compactMap(\.self)
      + integration.tests.runs.map { run in
        let isRetried = integration.tests.results.contains { $0.library == run.library && $0.attempts.count > 1 }
        return (run.library.rawValue, RunWords.sentence(run, isRetried: isRetried))
      }
    return .record([
      "rows": .list(rows.map { .record(["label": .text($0.0), "words": .shown($0.1)]) })
    ])
  }

  private var times: String {
    let (started, ended) = (time.timeOfDay(of: integration.startedAt), time.timeOfDay(of: integration.endedAt))
    // Between these, the other destinations were built and tested, too.
    let ran = integration.isCell ? "" : ", started \(started), ended \(ended),"
    return "queued \(time.timeOfDay(of: integration.queuedAt))\(ran) \(time.zone(of: integration.endedAt))"
  }

  private var profiles: String? {
    integration.coverage.coverage.map {
      "\(CountText.counted($0.profilesRead, "profile")) read, \(CountText.plain($0.profilesRejected)) rejected"
    }
  }
}
