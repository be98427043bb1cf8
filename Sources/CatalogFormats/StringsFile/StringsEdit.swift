package import Localization
internal import StructuredText

/// A change of one key of a `.strings` file.
package enum StringsEdit: Hashable, Sendable {
  /// Sets the value that wins at run time. If the key is missing, it is added with the comment; otherwise the comment is not used.
  case value(String, comment: String?)
  /// Sets the comment of a key; `nil` removes it. A missing key is not added.
  case comment(String?)
  /// Sets the value and the comment.
  case both(value: String, comment: String?)
  /// Removes every entry of the key, with the comments of these entries.
  case remove

  var setsValue: Bool {
    switch self {
    case .value, .both: true
    case .comment, .remove: false
    }
  }
}

extension StringsFile {
  /// Returns the file with changed keys. Each changed value and each new entry gets Xcode's layout and the file's encoding, quotes and line breaks.
  /// All other bytes are unchanged. A binary list is printed again with its keys in the same order. In a property list, comments are not changed.
  ///
  /// A new entry is inserted in order if the file is sorted; otherwise it is appended (xcode-formats.md F).
  /// - Throws: `InputFault` if a text would replace a value that is not text, if a binary list contains values that are neither text nor
  ///   dictionaries, or if the edited file would be read in another encoding.
  package func edited(_ edits: [UnitKey: StringsEdit]) throws(InputFault) -> [UInt8] {
    guard !edits.isEmpty else { return bytes }
    let refusals = edits.filter { keptKeys.contains($0.key) && $0.value.setsValue }.keys.sorted().map { key in
      Diagnostic(
        path: path.text, severity: .error,
        message: "the key \"\(key)\" cannot be written: its value is not text and would be lost")
    }
    guard refusals.isEmpty else { throw InputFault(refusals) }
    switch content {
    case .text(let text):
      let written = StringsSplice.written(edits, over: text)
      // Without a byte order mark, NULs at the start determine the encoding, and an edit can move NULs there.
      let isSame = TextEncoding(sniffing: written) == text.encoding && (try? text.encoding.text(of: written)) != nil
      guard written.isEmpty || isSame else {
        throw InputFault.otherEncoding(at: path)
      }
      return written
    case .propertyList(let list):
      var changes: [(key: String, change: TableChange)] = []
      for (key, edit) in edits.sorted(by: { $0.key < $1.key }) {
        switch edit {
        case .value(let value, _), .both(let value, _): changes.append((key.text, .set(.text(value))))
        case .remove: changes.append((key.text, .remove))
        // Comments are not written, because Apple's tools do not read comments in property lists.
        case .comment: break
        }
      }
      return try list.written(changes, at: path, limits: Self.limits)
    }
  }

  /// Returns a new file in UTF-8 with the layout of Xcode's import: `/* comment */`, `"key" = "value";`, an empty line (xcode-formats.md D,
  /// F).
  /// - Parameter entries: the entries in output order.
  package static func new(_ entries: [(key: UnitKey, value: String, comment: String?)]) -> [UInt8] {
    let printer = StringsPrinter(layout: .xcode)
    var output: [UInt8] = []
    for entry in entries {
      if let comment = entry.comment {
        StringsPrinter.print(comment: comment, into: &output)
        output.append(0x0A)
      }
      printer.print(entry: entry.key.text, entry.value, into: &output)
      output.append(contentsOf: [0x0A, 0x0A])
    }
    return output
  }
}

extension InputFault {
  /// Returns the fault for a change after which a table without a byte order mark would be read in another encoding.
  /// - Parameter change: the change, worded as in “after the edit”.
  static func otherEncoding(at path: TreePath, _ change: String = "after the edit") -> InputFault {
    InputFault(
      Diagnostic(
        path: path.text, severity: .error,
        message: "\(change), the NULs in this table would look like another encoding",
        hint: "save it as UTF-8 without NULs, or as UTF-16 with a byte order mark"))
  }
}
