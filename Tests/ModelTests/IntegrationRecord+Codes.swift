import Model

extension IntegrationRecord {
  /// The document of an integration, with reasons told by what their codes or users' errors are.
  init(_ integration: Integration) {
    self.init(integration) { if case .stopped(let said) = $0 { said } else { $0.code.code } }
  }
}
