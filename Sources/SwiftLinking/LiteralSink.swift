package import SwiftFacts

/// A part of a key or value: text, or a format specifier.
package enum KeyPart: Hashable, Sendable {
  case text(String)
  /// A format specifier such as `%lld`, or a parameter such as `${name}`.
  case specifier(String)
  /// The format specifier of an argument `specifier:`, which the code contains.
  case written(String)
  /// An interpolation of unknown type, with the specifier to use if the catalog does not determine it either.
  case undecided(String)
}

extension KeyPart {
  /// The part as a text search reads it, without types (xcode-extraction.md R2).
  package var searched: KeyPart {
    switch self {
    case .text, .written: self
    case .specifier, .undecided: .specifier("%@")
    }
  }
}

/// The table that a call names.
package enum TableReference: Hashable, Sendable {
  case standard
  case named(String)
  /// A table whose name is not a literal, or is a literal with an interpolation.
  case computed
}

/// The properties of a call, or of another context, that apply to the literals in it.
struct LiteralContext {
  /// The callee or the context, as text for people.
  var api: String
  var table: TableReference = .standard
  var comment: String?
  var value: Expression?
  /// Whether the literal is in a default value, which is not a key.
  var isValue = false
  /// The call or context that determines the literal's type.
  var origin = LiteralOrigin.context
  /// Whether the literal is a whole argument, and not only a branch or operand of an argument.
  var isWholeArgument = false
  /// Whether the context determines no type, as in `let title = "…"`. The literal is then a `String`.
  var hasNoType = false
}

extension LiteralContext {
  /// Whether a text search finds the literal, which is the case in `Text("…")` and in calls of functions that are known by name.
  var isFoundBySearch: Bool {
    if case .macroName = origin { true } else { isWholeArgument && api == "Text" }
  }
}

extension LiteralContext {
  /// Returns whether a literal in this place may be localizable because the declaration that determines its type is in a package outside the
  /// repository.
  func isOpen(_ expected: LinkedType) -> Bool {
    guard !hasNoType, !isValue else { return false }
    switch origin {
    case .undeclared, .unfit: return true
    case .macroName: return false
    case .argument: return expected.isOpen
    case .context: return ["return", "default", "="].contains(api) && expected.isOpen
    }
  }
}

extension LinkedType {
  fileprivate var isOpen: Bool {
    switch self {
    case .unknown, .dependent: true
    case .nominal, .tuple, .function, .generic, .composition, .metatype: false
    }
  }
}

/// The call or context of a literal.
enum LiteralOrigin {
  /// The literal is not an argument. `LiteralContext.api` names the place.
  case context
  case argument(Candidate, parameter: Int)
  /// A function that is known by name: `NSLocalizedString`, or a function in the settings or the extraction options.
  case macroName
  /// A callee without a known declaration.
  case undeclared
  /// A callee with declarations that do not match these arguments.
  case unfit(declarations: Int)
}

/// A literal whose type is, or may be, localizable.
package struct LocalizedLiteral: Sendable {
  package var key: [KeyPart]
  package var value: [KeyPart]?
  package var comment: String?
  package var table: TableReference
  package var place: SourcePlace
  package var api: String
  /// All phrases of an App Shortcut, of which the first is the key; `nil` for other literals.
  package var phrases: [[KeyPart]]?
  /// Whether a text search finds the literal. Xcode extracts only such literals if the compiler emits no strings (decision 8).
  package var isFoundBySearch = false
  /// Whether the literal's type is unknown because a declaration is not in the repository. Such a literal adds no key, but an existing key of a
  /// catalog is kept (decision 10).
  package var isUncertain = false
  /// Whether only Debug builds compile the literal (xcode-extraction.md R21).
  package var isOnlyForDebugging = false

  package init(
    key: [KeyPart], value: [KeyPart]? = nil, comment: String? = nil, table: TableReference, place: SourcePlace,
    api: String, phrases: [[KeyPart]]? = nil, isFoundBySearch: Bool = false, isUncertain: Bool = false,
    isOnlyForDebugging: Bool = false
  ) {
    self.key = key
    self.value = value
    self.comment = comment
    self.table = table
    self.place = place
    self.api = api
    self.phrases = phrases
    self.isFoundBySearch = isFoundBySearch
    self.isUncertain = isUncertain
    self.isOnlyForDebugging = isOnlyForDebugging
  }
}

/// A collector of the results of checking a file.
final class LiteralSink {
  var found: [LocalizedLiteral] = []
  /// The explanations of all literals, if requested.
  var explanations: [LiteralExplanation] = []
  /// The places of declarations, if explanations are requested.
  let explains: DeclarationPlaces?
  /// Whether literals of unknown type are collected.
  let takesUncertain: Bool

  init(explains: DeclarationPlaces? = nil, takesUncertain: Bool = false) {
    self.explains = explains
    self.takesUncertain = takesUncertain
  }
}
