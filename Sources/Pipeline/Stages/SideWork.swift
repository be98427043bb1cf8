import Localization

extension ConfiguredVendor {
  /// Does work at the vendor that must not keep translations back: it is reported if it fails, and the next look tries again.
  /// - Parameters:
  ///   - failure: what could not be done, for the finding.
  ///   - hint: the next step.
  /// - Returns: a finding if the work failed; `nil` if it is done.
  /// - Throws: `CancellationError` and `StoreConflict`.
  func finding(
    _ failure: String, hint: String? = nil, after work: () async throws -> Void
  ) async throws -> Diagnostic? {
    do {
      try await work()
      return nil
    } catch let error where error is CancellationError || error is StoreConflict {
      throw error
    } catch {
      return Diagnostic(path: name, severity: .warning, message: "\(failure): \(error)", hint: hint)
    }
  }
}
