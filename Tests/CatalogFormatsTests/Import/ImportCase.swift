import CatalogFormats
import Localization
import Testing

/// One row of xcode-formats.md D: the catalog before the import, the imported units, and the catalog after the import.
struct ImportCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// A description of Xcode's behaviour, with its source if there is one, and of Dragoman's behaviour if it differs.
  let xcode: String
  /// The members of `strings` before the import.
  let before: String
  /// The elements in `<body>`.
  let units: String
  /// The members of `strings` after our import; `nil` if the import changes no byte.
  let after: String?
  /// The verdict on each unit: `taken`, `unchanged`, or the code of the reason why the unit is held.
  let verdicts: [String]
  var language = "fr"

  var testDescription: String { name }

  private static let path: TreePath = "Localizable.xcstrings"

  static func catalog(_ strings: String, version: String = "1.0") -> [UInt8] {
    Array("{ \"sourceLanguage\" : \"en\", \"strings\" : { \(strings) }, \"version\" : \"\(version)\" }".utf8)
  }

  var file: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
        <file original="Localizable.xcstrings" source-language="en" target-language="\(language)" datatype="plaintext">
          <body>\(units)</body>
        </file>
      </xliff>
      """.utf8)
  }

  struct Result {
    var bytes: [UInt8]
    var catalog: Catalog
    var review: ReviewedImport
    var verdicts: [String] {
      review.outcomes.map { outcome in
        switch outcome.verdict {
        case .taken: "taken"
        case .unchanged: "unchanged"
        case .held(let reason): reason.code
        }
      }
    }
  }

  /// Reads, reviews and writes the import as the command `import` does.
  func result(over bytes: [UInt8]? = nil) throws -> Result {
    let bytes = bytes ?? Self.catalog(before)
    let format = StringCatalogFormat()
    let catalog = try format.read(bytes, at: Self.path)
    let document = try XLIFF.read(file, at: "fr.xliff")
    let review = ImportReview(catalogs: [Self.path: catalog], policy: .asXcode).review(document.files)
    let after = review.catalogs[Self.path] ?? catalog
    return Result(bytes: try format.write(after, over: bytes), catalog: after, review: review)
  }

  var catalogAfter: Catalog {
    get throws { try StringCatalogFormat().read(Self.catalog(after ?? before), at: Self.path) }
  }

  var catalogBefore: Catalog {
    get throws { try StringCatalogFormat().read(Self.catalog(before), at: Self.path) }
  }
}

/// Returns a `trans-unit` element.
func transUnit(_ id: String, _ source: String?, _ target: String?, attributes: String = "") -> String {
  "<trans-unit id=\"\(id)\"\(attributes) xml:space=\"preserve\">" + (source.map { "<source>\($0)</source>" } ?? "")
    + (target ?? "") + "<note/></trans-unit>"
}

func translated(_ text: String) -> String { "<target state=\"translated\">\(text)</target>" }

/// Returns the member for an entry, `key: { en: …, fr: … }`, with localizations as JSON.
func entry(_ key: String, en: String? = nil, fr: String? = nil, _ more: String = "\"extractionState\" : \"manual\"")
  -> String
{
  let localizations = [("en", en), ("fr", fr)].compactMap { language, text in
    text.map { "\"\(language)\" : { \($0) }" }
  }
  return "\"\(key)\" : { \(more), \"localizations\" : { \(localizations.joined(separator: ", ")) } }"
}

func text(_ value: String, _ state: String = "translated") -> String {
  "\"stringUnit\" : { \"state\" : \"\(state)\", \"value\" : \"\(value)\" }"
}

/// Returns the member `variations` with one axis.
func varied(_ axis: String, _ forms: [(String, String)]) -> String {
  "\"variations\" : { \"\(axis)\" : { " + forms.map { "\"\($0)\" : { \($1) }" }.joined(separator: ", ") + " } }"
}

func substitutions(_ name: String, _ forms: String, number: Int? = 1) -> String {
  "\"substitutions\" : { \"\(name)\" : { " + (number.map { "\"argNum\" : \($0), " } ?? "")
    + "\"formatSpecifier\" : \"lld\", \(forms) } }"
}
