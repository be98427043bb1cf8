internal import Localization

/// The limits for the content of a pipeline file. Files that people write do not reach the limits. The limits exist because a few bytes of YAML with
/// aliases and nesting can be expensive to parse.
enum FileLimits {
  static let bytes = 1 << 20
  /// The maximum nesting of lists and mappings.
  static let depth = 32
  /// The maximum number of lists, mappings and texts. A value that an alias repeats counts each time.
  static let values = 20_000
  static let aliases = 8
  /// The maximum number of opening brackets in the text, except in comment lines. It is checked before the parser runs, because it limits the nesting
  /// that the parser must handle.
  static let brackets = 500
  /// The maximum number of spaces, tabs, dashes, question marks and colons at the beginning of a line. It limits the nesting in block style.
  static let indentation = 200
  /// The maximum number of repeated keys that are reported.
  static let repeatedKeys = 20
}
