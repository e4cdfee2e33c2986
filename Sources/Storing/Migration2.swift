/// Keeps whether nothing but gates made an integration red.
///
/// Of what ended before it was kept, no test is red and the first reason is what a gate says.
enum Migration2 {
  static let sql = """
    ALTER TABLE entries ADD COLUMN only_gates_failed INTEGER NOT NULL DEFAULT 0;
    UPDATE entries SET only_gates_failed = 1
      WHERE outcome = 'test-failures' AND failed + crashed + timed_out = 0 AND reason GLOB 'Gate *: *';
    """
}
