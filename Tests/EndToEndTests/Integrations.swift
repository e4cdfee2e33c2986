import Testing

/// Tests of what one integration does with a package, one after the other, beside those of `Histories`; the two should take
/// about as long.
///
/// A small package keeps about one core busy while it builds: with more than two builds at once on two cores, all of
/// them only wait.
@Suite("martlet run", .serialized, .timeLimit(.minutes(10)))
enum Integrations {}
