package import SwiftFacts

/// A piece of a key or value: text, or a format specifier.
package enum KeyPart: Hashable, Sendable {
  case text(String)
  /// `%lld`, `${name}`
  case specifier(String)
  /// An interpolation whose type the code does not tell, with the specifier it has where the catalog does not tell either.
  case undecided(String)
}

extension KeyPart {
  /// What a search of the text makes of it: it knows no types.
  package var searched: KeyPart {
    if case .text = self { return self }
    return .specifier("%@")
  }
}

/// Which table a call names.
package enum TableReference: Hashable, Sendable {
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
  /// What gave the literal its type, for people.
  var origin = LiteralOrigin.context
  /// Whether the literal is a whole argument, not a branch or an operand of one.
  var isWholeArgument = false
}

extension LiteralContext {
  /// `Text("…")`, and functions that are known by name.
  var isFoundBySearch: Bool {
    if case .macroName = origin { true } else { isWholeArgument && api == "Text" }
  }
}

/// What a literal is an argument of.
enum LiteralOrigin {
  /// No argument: `LiteralContext.api` names the place.
  case context
  case argument(Candidate, parameter: Int)
  /// Of a function that is known by name: `NSLocalizedString` and what the settings name.
  case macroName
  /// Of something that is declared nowhere that is known.
  case undeclared
  /// Of something declared, but not with these arguments.
  case unfit(declarations: Int)
}

/// A literal that took a localizable type.
package struct LocalizedLiteral: Sendable {
  package var key: [KeyPart]
  package var value: [KeyPart]?
  package var comment: String?
  package var table: TableReference
  package var place: SourcePlace
  package var api: String
  /// For an App Shortcut: all its phrases, of which the key is the first.
  package var phrases: [[KeyPart]]?
  /// Whether a search of the text finds it, which is all that Xcode does where the compiler emits no strings (decision 8).
  package var isFoundBySearch = false

  package init(
    key: [KeyPart], value: [KeyPart]? = nil, comment: String? = nil, table: TableReference, place: SourcePlace,
    api: String, phrases: [[KeyPart]]? = nil, isFoundBySearch: Bool = false
  ) {
    self.key = key
    self.value = value
    self.comment = comment
    self.table = table
    self.place = place
    self.api = api
    self.phrases = phrases
    self.isFoundBySearch = isFoundBySearch
  }
}

/// Collects what a pass over a file finds.
final class LiteralSink {
  var found: [LocalizedLiteral] = []
  /// What each literal resolved to, where a question was asked.
  var explanations: [LiteralExplanation] = []
  /// Where declarations stand, where a question was asked.
  let explains: DeclarationPlaces?

  init(explains: DeclarationPlaces? = nil) { self.explains = explains }
}
