import Testing

/// Tests of what one integration does with a package, one after the other, beside those of `Builds`, `Histories` and
/// `Misbehaviors`; the four should take about as long.
///
/// A small package keeps about half a core busy while it is built and tested: with more than four at once on two cores,
/// all of them only wait.
@Suite("martlet run", .serialized, .ownThreads, .timeLimit(.minutes(10)))
enum Integrations {}
