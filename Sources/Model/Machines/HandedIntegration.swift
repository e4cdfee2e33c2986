/// An integration that another machine carries out.
package struct HandedIntegration: Hashable, Sendable, Codable {
  /// Identifies this attempt among those of all homes; results come back under it.
  package var id: String
  /// The name of the machine.
  package var machine: String

  package init(id: String, machine: String) {
    (self.id, self.machine) = (id, machine)
  }
}

/// An order to hand an integration out to another machine, to follow it there and to take its result in.
package struct HandOutOrder: Hashable, Sendable, Codable {
  package var order: IntegrationOrder
  package var id: String
  package var machine: MachineSettings
  /// Whether the machine has the order already, so that it is not given again.
  package var isFollowing: Bool
  /// The IDs of earlier integrations that are to be ended there.
  package var dropped: [String]

  package init(
    _ order: IntegrationOrder, id: String, machine: MachineSettings, isFollowing: Bool = false, dropped: [String] = []
  ) {
    self.order = order
    self.id = id
    self.machine = machine
    self.isFollowing = isFollowing
    self.dropped = dropped
  }
}

/// Why an integration that was handed out has no result.
package enum HandOutEnd: Hashable, Sendable, Codable {
  /// The machine never began; the reason is a sentence.
  case unplaced(String)
  /// This machine could not hand it out; the reason is a sentence.
  case failed(String)
  /// Its process there died, or the machine was out of reach for too long; the reason is a sentence.
  case lost(String)
  /// The result does not fit the order; the reason is a sentence.
  case refused(String)
}

/// Where and how long a bot last integrated a branch.
package struct LastPlace: Hashable, Sendable {
  /// The name of the machine; nil for this one.
  package var machine: String?
  package var seconds: Double

  package init(machine: String?, seconds: Double) {
    (self.machine, self.seconds) = (machine, seconds)
  }
}
