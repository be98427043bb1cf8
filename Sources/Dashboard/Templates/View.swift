internal import Localization
internal import Mustache

/// The values of a template. It must have every name that the template uses: a missing name would be looked up in the enclosing values.
///
/// It is not a dictionary, because a template looks up each name with a dynamic cast, and casting a dictionary checks all its keys.
struct View: MustacheParent, ExpressibleByDictionaryLiteral {
  private var values: [String: Any]

  init(dictionaryLiteral elements: (String, Any)...) {
    values = Dictionary(elements, uniquingKeysWith: { _, last in last })
  }

  subscript(name: String) -> Any? {
    get { values[name] }
    set { values[name] = newValue }
  }

  func child(named name: String) -> Any? { values[name] }
}

/// Escapes the texts of pages.
///
/// swift-mustache compares characters, so it does not escape a quote that is followed by a combining accent. Such a text could end an
/// attribute. It is also slow: its escaping took a quarter of a long page.
struct PageEscaping: MustacheContentType {
  /// The name that templates use for this escaping.
  static let name = "PAGE"

  func escapeText(_ text: String) -> String { text.escapedForMarkup }
}
