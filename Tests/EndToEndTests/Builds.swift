import Testing

/// Tests of how packages are built, one after the other, beside those of `Integrations`.
@Suite("Builds", .serialized, .ownThreads, .timeLimit(.minutes(10)))
enum Builds {}
