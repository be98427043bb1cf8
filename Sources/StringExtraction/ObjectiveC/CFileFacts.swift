import SwiftFacts

/// What one C-family source file holds that can matter to localization: a pure function of its bytes.
///
/// Which calls localize is settled by name when a target is linked, since build settings and the pipeline name further macros.
struct CFileFacts: Hashable, Sendable {
  /// Calls whose first argument is a string literal, in the order in which they are closed.
  var calls: [CCall] = []
  /// `#define NAME @"text"`: the macros that stand for one literal.
  var constants: [CConstant] = []
  /// What was not understood, in the order of the file.
  var faults: [CFault] = []

  static let empty = CFileFacts()
}

/// `NAME(arguments…)`, as it is written.
struct CCall: Hashable, Sendable {
  var name: String
  /// At most as many as the longest localizing macro has.
  var arguments: [CArgument]
  /// Of the first literal.
  var place: SourcePlace
  /// Whether it stands in a comment or between `#if 0` and its end.
  var isCommentedOut = false
}

/// An argument of a call, as far as localization asks.
enum CArgument: Hashable, Sendable {
  /// One literal, or several that the compiler joins, with their escapes resolved.
  case literal(String)
  /// `nil`, `NULL`, `0`, or nothing at all.
  case absent
  /// One identifier.
  case name(String)
  /// Anything else.
  case expression
}

/// A macro that stands for one literal.
struct CConstant: Hashable, Sendable {
  var name: String
  var value: String
}

/// Something that kept a string from being read.
struct CFault: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// A literal without its closing quotation mark on the line.
    case openLiteral
    /// A comment that the file's end cuts off.
    case openComment
    /// A call without its closing parenthesis.
    case openCall
    /// Brackets nested deeper than is read.
    case deepNesting
    /// A literal of a call that is not UTF-8 or holds a NUL.
    case unreadableLiteral
    /// The file says that it is UTF-16, and is not.
    case brokenUTF16
    case tooLarge
    /// A localizing macro of the SDK whose key is no literal.
    case computedKey
    /// The same within a macro, the key being the macro's own parameter.
    case wrappedKey
  }

  var kind: Kind
  var place: SourcePlace
  /// The innermost call around it; empty where there is none. For ``Kind/wrappedKey`` the macro that is defined there.
  var name: String
}
