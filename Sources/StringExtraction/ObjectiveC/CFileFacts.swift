import SwiftFacts

/// The facts about one C-family source file that are relevant for localization. They depend only on the bytes of the file.
///
/// Whether a call localizes is determined only when a target is linked, because build settings and the pipeline can name further macros.
struct CFileFacts: Hashable, Sendable {
  /// Calls with a string literal as their first argument, in the order of their closing parentheses. Calls that are commented out come last.
  var calls: [CCall] = []
  /// Macros that expand to one literal, such as `#define NAME @"text"`.
  var constants: [CConstant] = []
  /// The faults that may cause strings to be missing, in the order in which they were found.
  var faults: [CFault] = []

  static let empty = CFileFacts()
}

/// A call `NAME(arguments…)` in the source.
struct CCall: Hashable, Sendable {
  var name: String
  /// The first arguments, at most as many as the longest localizing macro has.
  var arguments: [CArgument]
  /// The place of the first literal.
  var place: SourcePlace
  /// Whether the call is in a comment, or in a branch that `#if 0` or `#elif 0` excludes.
  var isCommentedOut = false
}

/// An argument of a call, with the details that localization needs.
enum CArgument: Hashable, Sendable {
  /// One literal, or several literals that the compiler joins, with their escapes resolved.
  case literal(String)
  /// A missing value: `nil`, `Nil`, `NULL`, `nullptr`, `0`, or an empty argument.
  case absent
  /// One identifier, number or character constant.
  case name(String)
  /// Anything else.
  case expression
}

/// A macro that expands to one literal.
struct CConstant: Hashable, Sendable {
  var name: String
  var value: String
}

/// A fault that may cause strings to be missing.
struct CFault: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// A literal without a closing quotation mark on its line, or a raw literal without its closing delimiter.
    case openLiteral
    /// A comment that is not closed at the end of the file.
    case openComment
    /// A call without a closing parenthesis.
    case openCall
    /// Brackets nested beyond the limit.
    case deepNesting
    /// A literal that is not UTF-8 or contains a NUL.
    case unreadableLiteral
    /// A file with a UTF-16 byte order mark that is not valid UTF-16.
    case brokenUTF16
    case tooLarge
    /// The lines of an unfinished merge, of which neither side is read.
    case mergeRegion
    /// A call of a localizing macro of the SDK with a key that is not a literal.
    case computedKey
    /// A call of a localizing macro of the SDK in the definition of another macro, with a parameter of that macro as the key.
    case wrappedKey
  }

  var kind: Kind
  var place: SourcePlace
  /// The name of the faulty call, or of the innermost call except `CFSTR` around a faulty literal; empty if there is none. For ``Kind/wrappedKey``,
  /// the macro that is being defined.
  var name: String
  /// The line of the last marker of a ``Kind/mergeRegion``; 0 if it is missing.
  var lastLine: Int32 = 0
}
