/// A second text of a unit that a vendor keeps in addition to the unit's own text, as a string with its own name. Variants exist because
/// watched branches have different texts for one key.
package struct UnitVariant: Hashable, Sendable, Codable {
  /// The unit, with its id at the vendor.
  package var unit: UnitID
  /// The digest of the source text's pin, which identifies the text.
  package var text: String

  /// The vendor's names for the variant's strings, sorted. There are several names if the unit has forms for devices or substitutions.
  package var names: [String]

  private enum CodingKeys: String, CodingKey { case catalog, key, text, names }

  package init(unit: UnitID, text: String, names: [String]) {
    self.unit = unit
    self.text = text
    self.names = names
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    unit = UnitID(
      catalog: TreePath(trusted: try container.decode(String.self, forKey: .catalog)),
      key: UnitKey(try container.decode(String.self, forKey: .key)))
    text = try container.decode(String.self, forKey: .text)
    names = try container.decode([String].self, forKey: .names)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(unit.catalog.text, forKey: .catalog)
    try container.encode(unit.key.text, forKey: .key)
    try container.encode(text, forKey: .text)
    try container.encode(names, forKey: .names)
  }
}

/// The different source texts of one key on watched branches.
package struct TextRivals: Hashable, Sendable {
  /// The digest of the pin of the shipment's own text, which identifies the text.
  package var text: String
  /// The exchange units that would be sent for each of the other texts, in the shipment's language.
  package var others: [[ExchangeUnit]]

  package init(text: String, others: [[ExchangeUnit]]) {
    self.text = text
    self.others = others
  }
}
