internal import Localization
internal import Mustache

/// The values for a template. They must include every name that the template uses, because a missing name is looked up in the enclosing values.
///
/// For performance, this type is not a dictionary: a template looks up each name with a dynamic cast, and such a cast checks all keys of a
/// dictionary.
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

/// The escaping for the texts of pages.
///
/// The escaping of swift-mustache is not used. That escaping compares characters, so it does not escape a quote that is followed by a combining
/// accent, and such a text could end an attribute. It is also slow: it took a quarter of the time for rendering a long page.
struct PageEscaping: MustacheContentType {
  /// The name that templates use for this escaping.
  static let name = "PAGE"

  func escapeText(_ text: String) -> String { text.escapedForMarkup }
}
