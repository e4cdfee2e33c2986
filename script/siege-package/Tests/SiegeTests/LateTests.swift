import Testing

/// Runs in another process than the attempts, after them.
@Test func late() {}
