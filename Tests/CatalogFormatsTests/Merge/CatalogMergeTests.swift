import CatalogFormats
import Localization
import Testing

@Suite("Three-way merge of String Catalogs")
struct CatalogMergeTests {
  private static let path: TreePath = "App/Localizable.xcstrings"

  /// Returns a catalog in Xcode's layout with these entries, which are given as compact JSON.
  private static func file(_ entries: String, version: String = "1.0", more: String = "") throws -> [UInt8] {
    let compact = Array(
      #"{"sourceLanguage":"en","strings":{\#(entries)}\#(more),"version":"\#(version)"}"#.utf8)
    return try Reprint.reprint(compact, at: path)
  }

  private static func unit(_ value: String, _ state: String = "translated") -> String {
    #"{"stringUnit":{"state":"\#(state)","value":"\#(value)"}}"#
  }

  private static func bird(_ german: String) -> String { #""Bird":{"localizations":{"de":\#(german)}}"# }

  private static func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) throws -> MergedFile {
    try MergeDriver.merge(MergeVersions(base: base, ours: ours, theirs: theirs), at: path)
  }

  /// Merges three versions of one German translation.
  private static func merge(
    _ base: String?, _ ours: String?, _ theirs: String?
  ) throws -> (merged: String, conflicts: [String]) {
    func file(_ form: String?) throws -> [UInt8] { try Self.file(form.map(bird) ?? #""Bird":{}"#) }
    let merged = try merge(file(base), file(ours), file(theirs))
    return (String(decoding: merged.bytes, as: UTF8.self), merged.conflicts.map(\.conflict.description))
  }

  private static func text(_ form: String?) throws -> String {
    String(decoding: try file(form.map(bird) ?? #""Bird":{}"#), as: UTF8.self)
  }

  @Test(
    "the text and the state of a unit are merged together",
    arguments: [
      // Each row has base, ours, theirs and the merged result. One side changes the text.
      ("a/translated", "b/translated", "a/translated", "b/translated"),
      // One side changes the text, and the other sets the state to needs_review.
      ("a/translated", "b/translated", "a/needs_review", "b/needs_review"),
      ("a/translated", "a/needs_review", "b/translated", "b/needs_review"),
      // One side reviewed the old text, and the other changed the text.
      ("a/needs_review", "a/translated", "b/needs_review", "b/needs_review"),
      ("a/new", "a/translated", "b/needs_review", "b/needs_review"),
      // Only states change.
      ("a/new", "a/translated", "a/needs_review", "a/needs_review"),
      ("a/new", "a/machine_translated", "a/translated", "a/translated"),
      ("a/needs_review", "a/new", "a/translated", "a/translated"),
      ("a/needs_review", "a/translated", "a/needs_review", "a/translated"),
      // Both sides have the same new text.
      ("a/translated", "b/translated", "b/needs_review", "b/needs_review"),
      ("a/needs_review", "b/needs_review", "b/translated", "b/needs_review"),
      // A translation replaces an untranslated text.
      ("a/translated", "b/new", "c/translated", "c/translated"),
      ("", "b/new", "c/needs_review", "c/needs_review"),
    ])
  func states(_ base: String, _ ours: String, _ theirs: String, _ expected: String) throws {
    func form(_ text: String) -> String? {
      let parts = text.split(separator: "/").map(String.init)
      return parts.count == 2 ? Self.unit(parts[0], parts[1]) : nil
    }
    let (merged, conflicts) = try Self.merge(form(base), form(ours), form(theirs))
    #expect(merged == (try Self.text(form(expected))))
    #expect(conflicts.isEmpty)
    let (mirrored, none) = try Self.merge(form(base), form(theirs), form(ours))
    #expect(mirrored == merged)
    #expect(none.isEmpty)
  }

  @Test(
    "different translations of one form conflict: our text is kept and needs review, and the other text is reported")
  func conflict() throws {
    let (merged, conflicts) = try Self.merge(Self.unit("a"), Self.unit("b"), Self.unit("c \\\"x\\\"\\n"))
    #expect(merged == (try Self.text(Self.unit("b", "needs_review"))))
    #expect(conflicts == [#"key "Bird", de: ours "b", theirs "c \"x\"\n""#])
  }

  @Test("a conflict is reported with its location in the merged file")
  func place() throws {
    let added = #""Ant":{},"#
    let merged = try Self.merge(
      Self.file(Self.bird(Self.unit("a"))), Self.file(Self.bird(Self.unit("b"))),
      Self.file(added + Self.bird(Self.unit("c"))))
    #expect(
      merged.conflicts.map { $0.diagnostic(at: "App/Localizable.xcstrings").description } == [
        #"App/Localizable.xcstrings:7:5: error: key "Bird", de: ours "b", theirs "c""#
      ])
  }

  @Test("a conflict in the source language keeps our text, because the code determines it")
  func sourceLanguage() throws {
    func file(_ text: String) throws -> [UInt8] {
      try Self.file(#""Bird":{"localizations":{"en":\#(Self.unit(text))}}"#)
    }
    let merged = try Self.merge(file("a"), file("b"), file("c"))
    #expect(merged.bytes == (try file("b")))
    #expect(merged.conflicts.map(\.conflict.place) == [["en"]])
  }

  private static func plural(_ cases: [String: String]) -> String {
    let forms = cases.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#(unit($0.value))"# }
    return #"{"variations":{"plural":{\#(forms.joined(separator: ","))}}}"#
  }

  @Test("different forms of one translation are merged separately")
  func forms() throws {
    let (merged, conflicts) = try Self.merge(
      Self.plural(["one": "a", "other": "b"]), Self.plural(["one": "A", "other": "b"]),
      Self.plural(["one": "a", "few": "c", "other": "b"]))
    #expect(merged == (try Self.text(Self.plural(["one": "A", "few": "c", "other": "b"]))))
    #expect(conflicts.isEmpty)
    let (_, told) = try Self.merge(
      Self.plural(["one": "a", "other": "b"]), Self.plural(["one": "A", "other": "b"]),
      Self.plural(["one": "x", "other": "b"]))
    #expect(told == [#"key "Bird", de, plural.one: ours "A", theirs "x""#])
  }

  @Test("translations with different kinds of variations conflict as a whole, unless one is untranslated")
  func shapes() throws {
    let ours = Self.plural(["one": "b", "other": "c"])
    let (merged, conflicts) = try Self.merge(Self.unit("a"), ours, Self.unit("d"))
    #expect(merged == (try Self.text(ours.replacing("translated", with: "needs_review"))))
    #expect(conflicts == [#"key "Bird", de: ours "b" / "c", theirs "d""#])
    #expect(try Self.merge(Self.unit("a"), ours, Self.unit("a")).merged == (try Self.text(ours)))
    let waiting = ours.replacing("translated", with: "new")
    let (translated, none) = try Self.merge(Self.unit("a"), waiting, Self.unit("d"))
    #expect(translated == (try Self.text(Self.unit("d"))))
    #expect(none.isEmpty)
  }

  private static func substituted(_ root: String, _ names: [String]) -> String {
    let forms = names.map { #""\#($0)":{"formatSpecifier":"lld",\#(plural(["other": $0]).dropFirst().dropLast())}"# }
    return
      #"{"stringUnit":{"state":"translated","value":"\#(root)"},"substitutions":{\#(forms.joined(separator: ","))}}"#
  }

  @Test("a text and its substitutions are merged as one value if both sides changed the text")
  func substitutions() throws {
    let base = Self.substituted("%#@a@", ["a"])
    let ours = Self.substituted("%#@a@ and %#@b@", ["a", "b"])
    let (merged, conflicts) = try Self.merge(base, ours, Self.substituted("only %#@a@", ["a"]))
    #expect(merged == (try Self.text(ours.replacing("translated", with: "needs_review"))))
    #expect(conflicts.count == 1)
    let (both, told) = try Self.merge(base, Self.substituted("x %#@a@", ["a"]), Self.substituted("y %#@a@", ["a"]))
    #expect(both.contains(#""value" : "x %#@a@""#))
    #expect(told == [#"key "Bird", de: ours "x %#@a@", theirs "y %#@a@""#])
  }

  @Test("an entry that one side removed and the other changed is kept and reported as a conflict")
  func removal() throws {
    let kept = try Self.text(Self.unit("b"))
    #expect(
      try Self.merge(Self.unit("a"), nil, Self.unit("b")) == (kept, [#"key "Bird", de: ours removed it, theirs "b""#]))
    #expect(
      try Self.merge(Self.unit("a"), Self.unit("b"), nil) == (kept, [#"key "Bird", de: ours "b", theirs removed it"#]))
    let entry = try Self.merge(
      Self.file(Self.bird(Self.unit("a"))), Self.file(""), Self.file(Self.bird(Self.unit("b"))))
    #expect(entry.conflicts.map(\.conflict.place) == [[]])
    #expect(String(decoding: entry.bytes, as: UTF8.self) == kept)
  }

  @Test("an entry that one side removed is removed if the other side changed only states")
  func removalOfStates() throws {
    let removed = try Self.merge(Self.unit("a"), nil, Self.unit("a", "needs_review"))
    #expect(removed == (try Self.text(nil), []))
    let stale = Self.bird(Self.unit("a")).replacing(
      #""localizations""#, with: #""extractionState":"stale","localizations""#)
    let entry = try Self.merge(Self.file(Self.bird(Self.unit("a"))), Self.file(stale), Self.file(""))
    #expect(entry.conflicts.isEmpty)
    #expect(entry.bytes == (try Self.file("")))
  }

  @Test(
    "the extraction state is never a conflict",
    arguments: [
      ("manual", "stale", "manual"), ("extracted_with_value", "stale", "extracted_with_value"),
      ("stale", "", ""), ("migrated", "", ""), ("extracted_with_value", "manual", "manual"),
    ])
  func extractionState(_ ours: String, _ theirs: String, _ expected: String) throws {
    func file(_ state: String) throws -> [UInt8] {
      try Self.file(state.isEmpty ? #""Bird":{}"# : #""Bird":{"extractionState":"\#(state)"}"#)
    }
    let base = try Self.file(#""Bird":{"extractionState":"later"}"#)
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
      let merged = try Self.merge(base, file(ours), file(theirs))
      #expect(merged.conflicts.isEmpty)
      #expect(merged.bytes == (try file(expected)))
    }
    let unknown = try Self.merge(base, file("newer"), file("stale"))
    #expect(unknown.conflicts.map(\.conflict.place) == [["extractionState"]])
  }

  @Test("a person's comment takes precedence over a generated comment, and comments of two people conflict")
  func comments() throws {
    let person = #""Bird":{"comment":"by a person"}"#
    let machine = #""Bird":{"comment":"by a machine","isCommentAutoGenerated":true}"#
    let base = try Self.file(#""Bird":{}"#)
    for (ours, theirs) in [(person, machine), (machine, person)] {
      let merged = try Self.merge(base, Self.file(ours), Self.file(theirs))
      #expect(merged.conflicts.isEmpty)
      #expect(merged.bytes == (try Self.file(person)))
    }
    let two = try Self.merge(base, Self.file(person), Self.file(#""Bird":{"comment":"by another"}"#))
    #expect(
      two.conflicts.map(\.conflict.description) == [#"key "Bird", comment: ours "by a person", theirs "by another""#])
  }

  @Test("the higher version is kept, and unknown members are merged by name")
  func root() throws {
    let merged = try Self.merge(
      Self.file("", version: "1.0", more: #","newer":{"a":1,"b":1.50}"#),
      Self.file("", version: "1.3", more: #","newer":{"a":2,"b":1.50}"#),
      Self.file("", version: "1.1", more: #","newer":{"a":1,"b":1.50,"c":[null]}"#))
    #expect(merged.conflicts.isEmpty)
    #expect(merged.bytes == (try Self.file("", version: "1.3", more: #","newer":{"a":2,"b":1.50,"c":[null]}"#)))
  }

  @Test("files that both sides added are merged as if the base were empty")
  func added() throws {
    let merged = try Self.merge([], Self.file(#""A":{}"#), Self.file(Self.bird(Self.unit("x"))))
    #expect(merged.conflicts.isEmpty)
    #expect(merged.bytes == (try Self.file(#""A":{},"# + Self.bird(Self.unit("x")))))
  }

  @Test("a layout that only the other side changed is applied")
  func layout() throws {
    let compact = { (text: String) in Array(#"{"sourceLanguage": "en", "strings": {\#(text)}, "version": "1.0"}"#.utf8)
    }
    let merged = try Self.merge(compact(#""A": {}"#), compact(#""A": {}, "B": {}"#), Self.file(#""A":{},"C":{}"#))
    #expect(merged.bytes == (try Self.file(#""A":{},"B":{},"C":{}"#)))
    let kept = try Self.merge(compact(#""A": {}"#), compact(#""A": {}, "B": {}"#), compact(#""A": {}, "C": {}"#))
    #expect(
      String(decoding: kept.bytes, as: UTF8.self)
        == #"{"sourceLanguage": "en", "strings": {"A": {}, "B": {}, "C": {}}, "version": "1.0"}"#)
  }

  @Test("a duplicate key is kept unchanged and reported; a side that removes the duplicate wins")
  func duplicates() throws {
    let twice = { (more: String) in
      Array(
        "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"A\" : {\n\n    },\n    \"A\" : {\n\n    }\(more)\n  },\n  \"version\" : \"1.0\"\n}"
          .utf8)
    }
    let merged = try Self.merge(twice(""), twice(",\n    \"B\" : {\n\n    }"), twice(",\n    \"C\" : {\n\n    }"))
    #expect(merged.bytes == twice(",\n    \"B\" : {\n\n    },\n    \"C\" : {\n\n    }"))
    #expect(merged.warnings.map(\.line) == [7])
    let settled = try Self.merge(twice(""), twice(",\n    \"B\" : {\n\n    }"), Self.file(#""A":{}"#))
    #expect(settled.bytes == (try Self.file(#""A":{},"B":{}"#)))
    let inner = Array(#"{"sourceLanguage":"en","strings":{"A":{"comment":"a","comment":"b"}},"version":"1.0"}"#.utf8)
    #expect(throws: InputFault.self) { try Self.merge(twice(""), inner, Self.file("")) }
  }

  @Test("a side that cannot be read is reported with the location of its fault")
  func unreadable() throws {
    let good = try Self.file(#""A":{}"#)
    let broken = Array("<<<<<<< HEAD\n{}\n=======\n>>>>>>> x".utf8)
    for (side, versions) in [
      ("theirs", MergeVersions(base: try Self.file(""), ours: good, theirs: broken)),
      ("ours", MergeVersions(base: try Self.file(""), ours: broken, theirs: good)),
      ("base", MergeVersions(base: broken, ours: try Self.file(""), theirs: good)),
    ] {
      let fault = #expect(throws: InputFault.self) { try MergeDriver.merge(versions, at: Self.path) }
      #expect(
        fault?.description.hasPrefix("App/Localizable.xcstrings:1:1: error: cannot read \(side): ") == true)
    }
  }

  @Test("without a path, the format is determined from the content; unknown formats are refused")
  func formats() throws {
    let merged = try MergeDriver.merge(
      MergeVersions(base: Self.file(""), ours: Self.file(#""A":{}"#), theirs: Self.file(#""B":{}"#)), at: nil)
    #expect(merged.bytes == (try Self.file(#""A":{},"B":{}"#)))
    #expect(throws: InputFault.self) {
      try MergeDriver.merge(MergeVersions(base: [1], ours: [2], theirs: [3]), at: "x.txt")
    }
  }
}
