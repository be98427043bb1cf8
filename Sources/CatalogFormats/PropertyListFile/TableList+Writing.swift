internal import Localization
internal import StructuredText

extension TableList {
  /// Returns the file without the table's dictionary; empty for a binary list.
  func emptied(at path: TreePath, limits: PropertyListLimits) throws(InputFault) -> [UInt8] {
    do {
      return try TableSplice.emptied(self, limits: limits)
    } catch {
      throw InputFault(error, path: path.text)
    }
  }

  /// Returns the file with changed members.
  /// - Throws: `InputFault` if a binary list contains values that cannot be printed.
  func written(
    _ changes: [(key: String, change: TableChange)], at path: TreePath, limits: PropertyListLimits
  ) throws(InputFault) -> [UInt8] {
    let written: [UInt8]?
    do {
      written = try TableSplice.applied(changes, to: self, limits: limits)
    } catch {
      throw InputFault(error, path: path.text)
    }
    if let written { return written }
    throw InputFault(
      Diagnostic(
        path: path.text, severity: .error,
        message: "the table is binary and has values that are neither text nor dictionaries",
        hint: "convert it to a text file first: plutil -convert xml1"))
  }
}
