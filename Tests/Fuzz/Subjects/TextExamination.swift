import Localization
import TextEvaluation

/// The invariants of any two texts that are compared as source text and translation.
enum TextExamination {
  static func examine(source: String, translation: String) throws {
    guard MarkupCheck.findings(of: source, against: source).isEmpty else {
      throw FuzzFinding("a text compared with itself has markup findings")
    }
    _ = MarkupCheck.findings(of: translation, against: source)
    let forms = SourceForms(
      key: "key", entry: CatalogEntry(translations: ["en": Translation(source)]), sourceLanguage: "en")
    let check = PlaceholderCheck(source: forms)
    for path in [VariationPath.root, VariationPath(text: "plural.one")].compactMap(\.self) {
      _ = check.difference(of: .text(translation), at: path)
    }
    let evaluator = TextEvaluator(language: "uk")
    let arguments: [FormatArgument] = [.integer(2), .text("two"), .real(2.5), .unsigned(.max)]
    _ = try? evaluator.text(of: Translation(translation), source: forms, arguments: arguments)
    guard FormatString(source).references.isEmpty else { return }
    guard let shown = try? evaluator.text(of: Translation(source)), shown.utf8.elementsEqual(source.utf8) else {
      throw FuzzFinding("a text without arguments is not shown unchanged")
    }
  }
}
