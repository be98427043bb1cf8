package import Localization

/// A reader of the texts of storyboards, xibs and intent definitions. It finds the same texts as extraction, and throws an error if
/// one of them cannot be read.
package struct LocalizedFileTexts: SourceTextReader {
  package init() {}

  package func texts(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [SourceText] {
    let reading =
      path.ending == "intentdefinition"
      ? IntentDefinitionReader.read(bytes, at: path, into: path) : InterfaceReader.read(bytes, at: path, into: path)
    guard reading.gaps.isEmpty else { throw InputFault(reading.gaps.map(\.reason)) }
    return reading.strings.map { SourceText(key: UnitKey($0.key), value: $0.value ?? "", comment: $0.comment) }
  }
}
