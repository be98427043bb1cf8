internal import Localization

/// What a pipeline file may hold at most. Nobody writes more by hand; and YAML's aliases and nesting cost more than they weigh.
enum FileLimits {
  static let bytes = 1 << 20
  /// Of lists and mappings within one another.
  static let depth = 32
  /// Lists, mappings and texts, each counted as often as an alias repeats it.
  static let values = 20_000
  static let aliases = 8
  /// Brackets that open a list or mapping, wherever they stand: a bound on what the parser nests, told before it runs.
  static let brackets = 500
  /// The column up to which list dashes and question marks may open values: the same bound, for block style.
  static let indentation = 200
  /// Repeated keys that are told in one go.
  static let repeatedKeys = 20
}
