extension Duration {
  /// The duration in seconds, as `Date` counts them.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
