import Testing

/// Tests of what integrations do after each other, one after the other, beside those of `Integrations`.
@Suite("Integrations after each other", .serialized, .ownThreads, .timeLimit(.minutes(10)))
enum Histories {}
