internal import Localization

/// Limits for the content of a pipeline file. No file that a person writes exceeds them, but a few bytes of YAML aliases and nesting can be
/// expensive.
enum FileLimits {
  static let bytes = 1 << 20
  /// The nesting of lists and mappings.
  static let depth = 32
  /// Lists, mappings and texts. A value that an alias repeats counts each time.
  static let values = 20_000
  static let aliases = 8
  /// Brackets that open a list or mapping, anywhere in the text. This limits the parser's nesting and is checked before it runs.
  static let brackets = 500
  /// The last column at which list dashes and question marks may open values. This limits the nesting in block style.
  static let indentation = 200
  /// The number of repeated keys that are reported at once.
  static let repeatedKeys = 20
}
