import Localization

extension ConfiguredVendor {
  /// Performs work at the vendor that must not delay translations: a failure is reported, and the next poll tries again.
  /// - Parameters:
  ///   - failure: the message of the finding.
  ///   - hint: the next step.
  /// - Returns: a finding if the work failed; `nil` if the work is done.
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
