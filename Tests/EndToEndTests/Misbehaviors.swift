import Testing

/// Tests of packages that lie, hang, die or reach out, one after the other, beside those of `Integrations`.
@Suite("Packages that misbehave", .serialized, .ownThreads, .timeLimit(.minutes(10)))
enum Misbehaviors {}
