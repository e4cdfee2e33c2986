/// A counted file whose lines could not be followed from one commit to another.
package struct UnmappedFile: Hashable, Sendable {
  package var path: String
  package var obstacle: FileDifference.Obstacle

  package init(path: String, obstacle: FileDifference.Obstacle) {
    self.path = path
    self.obstacle = obstacle
  }
}
