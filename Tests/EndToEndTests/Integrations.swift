import Testing

/// Tests that build packages run one after the other: two builds at once would only wait for each other.
@Suite("martlet run", .serialized, .timeLimit(.minutes(3)))
enum Integrations {}
