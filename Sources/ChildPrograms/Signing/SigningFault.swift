/// The reason why data could not be signed, with a message for the person who configured the key.
package struct SigningFault: Error, Hashable {
  package enum Kind: Hashable, Sendable {
    /// The key or the program cannot sign. A person must act first.
    case refused
    /// The program produced no usable signature, for example because it did not finish in time. A later attempt may succeed.
    case noSignature
  }

  package let kind: Kind
  package let detail: String

  init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// Runs `body`, which prepares the start of a program, and converts its error to `refused`.
  static func preparing<Value>(_ body: () throws(SystemFault) -> Value) throws(SigningFault) -> Value {
    do { return try body() } catch { throw SigningFault(.refused, error.detail) }
  }
}
