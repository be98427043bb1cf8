internal import Foundation
internal import TranslationVendors

/// The parts of the schema that depend on the kinds of vendors. They are generated from ``VendorRegistry``.
enum VendorSchema {
  /// The names of all kinds, as members of a JSON list.
  static let kinds: String = VendorRegistry.names.map(quoted).joined(separator: ", ")

  /// The allowed and the required keys of each kind.
  static let rules: String = VendorRegistry.kinds.sorted { $0.name < $1.name }.map { kind in
    let names = VendorKey.allCases.map(\.rawValue) + kind.options.map(\.name)
    let required = kind.options.filter(\.isRequired).map { quoted($0.name) }.joined(separator: ", ")
    return """
                    {
                      "if": { "properties": { "vendor": { "const": \(quoted(kind.name)) } } },
                      "then": {
                        "propertyNames": { "enum": [\(names.map(quoted).joined(separator: ", "))] },
                        "required": [\(required)]
                      }
                    }
      """
  }.joined(separator: ",\n")

  /// All options of all kinds, as members of a JSON object.
  static let options: String = VendorRegistry.optionNames.map(member).joined(separator: ",\n")

  private static func member(_ optionName: String) -> String {
    var uses: [(kind: String, option: VendorOption)] = []
    for kind in VendorRegistry.kinds {
      for option in kind.options where option.name == optionName { uses.append((kind.name, option)) }
    }
    uses.sort { $0.kind < $1.kind }
    let groups: [String: [(kind: String, option: VendorOption)]] = Dictionary(
      grouping: uses, by: { $0.option.documentation })
    let documentation = groups.map { text, group -> String in
      group.map { $0.kind }.joined(separator: ", ") + ": " + text
    }.sorted().joined(separator: " ")
    // If several kinds use the key with different types, the schema allows all of these types. Only the decoder checks the type for the kind.
    let shapes: [String] = Set(uses.map { Self.shape(of: $0.option.kind) }).sorted()
    let shape = shapes.count == 1 ? shapes[0] : "\"anyOf\": [\(shapes.map { "{ \($0) }" }.joined(separator: ", "))]"
    return "              \(quoted(optionName)): { \"description\": \(quoted(documentation)), \(shape) }"
  }

  private static func shape(of kind: VendorOption.Kind) -> String {
    switch kind {
    case .text, .url, .place: ##""$ref": "#/$defs/text""##
    case .flag: ##""type": "boolean""##
    case .number(let range): ##""type": "integer", "minimum": \##(range.lowerBound), "maximum": \##(range.upperBound)"##
    case .decimal: decimal
    case .decimals(let names):
      """
      "type": "object", "properties": { \(names.map { "\(quoted($0)): { \(decimal) }" }.joined(separator: ", ")) }, \
      "required": [\(names.map(quoted).joined(separator: ", "))], "additionalProperties": false
      """
    case .duration: ##""$ref": "#/$defs/duration""##
    case .secret: ##""$ref": "#/$defs/credential""##
    case .choice(let words): "\"enum\": [\(words.map(quoted).joined(separator: ", "))]"
    case .list: ##""type": "array", "items": { "$ref": "#/$defs/text" }"##
    case .names: ##""type": "object", "additionalProperties": { "$ref": "#/$defs/text" }"##
    case .terms:
      ##""type": "object", "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/text" }, { "type": "object", "additionalProperties": { "$ref": "#/$defs/text" } }] }"##
    case .languages:
      ##""type": "object", "propertyNames": { "$ref": "#/$defs/language" }, "additionalProperties": { "$ref": "#/$defs/text" }"##
    }
  }

  private static let decimal = ##""type": "number", "minimum": 0"##

  /// Returns a text as a JSON string.
  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
