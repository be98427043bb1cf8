import Pipeline

extension ForwardingStore {
  func deliveryTargets(of pipeline: String, branch: String) async throws -> [String] {
    try await before("deliveryTargets")
    return try await store.deliveryTargets(of: pipeline, branch: branch)
  }
}
