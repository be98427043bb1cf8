/// The value of a vendor's option in a pipeline file.
package enum VendorOptionValue: Hashable, Sendable {
  case text(String)
  case flag(Bool)
  case number(Int)
  case duration(Duration)
  case list([String])
  case names([String: String])
  /// The vendor's own names for languages.
  case languages([LocaleIdentifier: String])
  /// Terms with their translations, for all languages and for individual languages.
  case terms([String: String], [LocaleIdentifier: [String: String]])
}

extension VendorOptionValue: CustomStringConvertible {
  /// The value as text. Equal values have equal texts.
  package var description: String {
    switch self {
    case .text(let text): text
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .duration(let duration): "\(duration)"
    case .list(let list): "\(list)"
    case .names(let names): "\(names.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })"
    case .languages(let names): "\(names.sorted { $0.key < $1.key }.map { [$0.key.rawValue, $0.value] })"
    case .terms(let all, let languages):
      "\(Self.names(all)) \(languages.sorted { $0.key < $1.key }.map { [$0.key.rawValue, Self.names($0.value).description] })"
    }
  }
}

extension [String: VendorOptionValue] {
  package func text(_ name: String) -> String? { if case .text(let value)? = self[name] { value } else { nil } }
  package func flag(_ name: String) -> Bool? { if case .flag(let value)? = self[name] { value } else { nil } }
  package func number(_ name: String) -> Int? { if case .number(let value)? = self[name] { value } else { nil } }
  package func duration(_ name: String) -> Duration? {
    if case .duration(let value)? = self[name] { value } else { nil }
  }
  package func list(_ name: String) -> [String]? { if case .list(let value)? = self[name] { value } else { nil } }
  package func names(_ name: String) -> [String: String]? {
    if case .names(let value)? = self[name] { value } else { nil }
  }

  package func terms(_ name: String) -> (all: [String: String], languages: [LocaleIdentifier: [String: String]])? {
    if case .terms(let all, let languages)? = self[name] { (all, languages) } else { nil }
  }

  package func languages(_ name: String) -> [LocaleIdentifier: String]? {
    if case .languages(let value)? = self[name] { value } else { nil }
  }
}
