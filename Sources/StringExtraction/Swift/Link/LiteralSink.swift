/// A piece of a key or value: text, or a format specifier.
enum KeyPart: Hashable, Sendable {
  case text(String)
  /// `%lld`, `${name}`
  case specifier(String)
  /// An interpolation whose type the code does not tell.
  case undecided
}

/// Which table a call names.
enum TableReference: Hashable, Sendable {
  case standard
  case named(String)
  /// Given by something else than a literal.
  case computed
}

/// What a call says of the literal that it localizes.
struct LiteralContext {
  /// The callee or the context, for people.
  var api: String
  var table: TableReference = .standard
  var comment: String?
  var value: Expression?
  /// Whether a default value is what is read now, which is no key of its own.
  var isValue = false
}

/// A literal that took a localizable type.
struct LocalizedLiteral: Sendable {
  var key: [KeyPart]
  var value: [KeyPart]?
  var comment: String?
  var table: TableReference
  var place: SourcePlace
  var api: String
  /// For an App Shortcut: all its phrases, of which the key is the first.
  var phrases: [[KeyPart]]?
}

/// Collects what a pass over a file finds.
final class LiteralSink {
  var found: [LocalizedLiteral] = []
  /// What each literal resolved to, by its place, where a question was asked.
  var explanations: [LiteralExplanation] = []
  let explains: Bool

  init(explains: Bool = false) { self.explains = explains }
}

/// What one literal resolved to, and by which rule: the matter of `extract --why`.
package struct LiteralExplanation: Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// In UTF-8 bytes, from 1.
  package var column: Int
  /// The literal's text, an interpolation as `\(…)`.
  package var text: String
  /// Whether it was taken as localizable.
  package var isTaken: Bool
  /// The type it took, as far as the linker knows.
  package var type: String
  /// The callee or context that gave the type.
  package var context: String
}
