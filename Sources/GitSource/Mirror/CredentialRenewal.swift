package import Localization
private import Synchronization

/// The replacement of credentials that the remote refused, such as a token that was revoked before it expired.
package final class CredentialRenewal: Sendable {
  private let forget: @Sendable (Secret) async -> Void
  /// A secret that the remote refused although it was new. Another secret would probably be refused too, so this secret is not renewed again.
  private let hopeless = Mutex<Secret?>(nil)

  /// - Parameter forget: makes the source of credentials return another secret instead of the given secret, if the source can create one.
  package init(forget: @escaping @Sendable (Secret) async -> Void) { self.forget = forget }

  /// Runs an operation on the remote. If the remote refuses the credentials, runs the operation once more with new credentials, unless there are
  /// none.
  static func run<Value>(
    with source: GitMirror.CredentialSource, _ renewal: CredentialRenewal?, _ body: (Secret?) async throws -> Value
  ) async throws -> Value {
    let secret = try await source()
    do { return try await body(secret) } catch let error as GitError where error.kind == .unauthorized {
      guard let renewal, let secret, renewal.hopeless.withLock({ $0 != secret }) else { throw error }
      await renewal.forget(secret)
      guard let new = try await source(), new != secret else { throw error }
      do { return try await body(new) } catch let error as GitError where error.kind == .unauthorized {
        renewal.hopeless.withLock { $0 = new }
        throw error
      }
    }
  }
}
