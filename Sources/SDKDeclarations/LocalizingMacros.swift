/// The macros and functions of C-family code that localize a literal, by name, each with the positions of its arguments.
///
/// A name such as `NSLocalizedString` is the base name of four macros (Xcode 10 release notes on `LOCALIZED_STRING_MACRO_NAMES`, genstrings
/// -s).
package struct LocalizingMacros: Sendable {
  /// The position of each argument. The key is always the first argument.
  package struct Roles: Hashable, Sendable {
    package var table: Int?
    package var value: Int?
    package var comment: Int
  }

  /// The variants of a base name. The longest suffix comes first, because the suffixes are tried in this order.
  private static let variants: [(suffix: String, roles: Roles)] = [
    ("FromTableInBundle", Roles(table: 1, value: nil, comment: 3)),
    ("WithDefaultValue", Roles(table: 1, value: 3, comment: 4)),
    ("FromTable", Roles(table: 1, value: nil, comment: 2)),
  ]
  private static let base = Roles(table: nil, value: nil, comment: 1)

  /// The base names that are recognized regardless of settings. The attributed variants are declared next to the others in NSBundle.h.
  package static let sdkNames: Set<String> = [
    "NSLocalizedString", "CFCopyLocalizedString", "NSLocalizedAttributedString",
  ]

  /// The macros of the SDK.
  package static let sdk: [String: Roles] = expanded(sdkNames)

  private let roles: [String: Roles]

  /// - Parameter names: further base names, from the target's settings and the pipeline. A name with the suffix of a variant is treated as that
  ///   variant.
  package init(_ names: some Sequence<String>) { roles = Self.sdk.merging(Self.expanded(names)) { sdk, _ in sdk } }

  package subscript(name: String) -> Roles? { roles[name] }

  private static func expanded(_ names: some Sequence<String>) -> [String: Roles] {
    var found: [String: Roles] = [:]
    let names = Set(names)
    for name in names {
      if let variant = variants.first(where: { name.hasSuffix($0.suffix) && name != $0.suffix }) {
        found[name] = variant.roles
      } else {
        found[name] = base
        for variant in variants { found[name + variant.suffix] = variant.roles }
      }
    }
    return found
  }
}
