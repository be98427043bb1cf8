import StructuredText

/// The invariants of every property list that consists of texts and dictionaries: it can be written in XML and in binary form, and is read back with
/// the same values.
enum PropertyListExamination {
  static func examine(_ bytes: [UInt8]) throws {
    guard let value = try? PropertyListValue.parse(bytes), let list = TextDictionary(value) else { return }
    for (form, printed) in [("XML", list.xml(sortingKeys: false)), ("binary", list.binary(sortingKeys: false))] {
      guard let again = try? PropertyListValue.parse(printed) else {
        throw FuzzFinding("a property list that we wrote in \(form) cannot be read")
      }
      guard TextDictionary(again) == list else {
        throw FuzzFinding("a property list that we wrote in \(form) is read with other values")
      }
    }
  }
}
