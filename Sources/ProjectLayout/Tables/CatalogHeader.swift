import Localization
import StructuredText

/// The languages of a String Catalog, scanned from its bytes without parsing its content.
///
/// A tree can have many megabytes of catalogs, and the layout needs only their languages. `CatalogFormats` parses the catalogs later and reports
/// their faults.
struct CatalogHeader {
  var sourceLanguage: LocaleIdentifier?
  var languages: Set<LocaleIdentifier> = []
  /// Whether the whole file was scanned. If its JSON or encoding is invalid, the scan stops early, and languages may be missing.
  var isComplete = true

  init(_ bytes: [UInt8]) {
    let encoding = TextEncoding(sniffing: bytes)
    guard let bytes = encoding.unit == .utf8 ? bytes : try? encoding.text(of: bytes) else {
      isComplete = false
      return
    }
    var scan = Scan(bytes: bytes)
    isComplete = scan.run()
    sourceLanguage = scan.source.map { LocaleIdentifier($0) }
    languages = Set(scan.languages.map { LocaleIdentifier($0) })
  }

  private struct Scan {
    let bytes: [UInt8]
    var position = 0
    var source: String?
    var languages: Set<String> = []

    /// The nesting levels of `{ "strings" : { key : { "localizations" : { language : …`.
    private enum Level {
      case top, strings, entry, localizations, other, list
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() -> Bool {
      var levels: [Level] = []
      var key: Range<Int>?
      var isKey = false
      while position < bytes.count {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "{"):
          levels.append(level(below: levels.last, key: key))
          isKey = true
          key = nil
        case UInt8(ascii: "["):
          guard !levels.isEmpty else { return false }
          levels.append(.list)
          isKey = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          guard let closed = levels.popLast(), (closed == .list) == (byte == UInt8(ascii: "]")) else { return false }
          isKey = false
          key = nil
        case UInt8(ascii: ","): isKey = levels.last != .list
        case UInt8(ascii: ":"): isKey = false
        case UInt8(ascii: "\""):
          guard let text = string() else { return false }
          if isKey {
            key = text
            // A catalog with more languages than the limit is rejected later, when it is read.
            if levels.last == .localizations, text.count <= CatalogLimits.tagBytes,
              languages.count < CatalogLimits.languages
            {
              languages.insert(String(decoding: bytes[text], as: UTF8.self))
            }
          } else if levels.last == .top, source == nil, let key, bytes[key].elementsEqual("sourceLanguage".utf8) {
            source = String(decoding: bytes[text], as: UTF8.self)
          }
          continue
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"): return false
        case 0x20, 0x0A:
          position = ByteScan.endOfSpace(bytes.span, from: position)
          continue
        default: break
        }
        position += 1
      }
      return levels.isEmpty
    }

    private func level(below outer: Level?, key: Range<Int>?) -> Level {
      switch outer {
      case nil: .top
      case .top: key.map { bytes[$0].elementsEqual("strings".utf8) } == true ? .strings : .other
      case .strings: .entry
      case .entry: key.map { bytes[$0].elementsEqual("localizations".utf8) } == true ? .localizations : .other
      default: .other
      }
    }

    /// Returns the range between two quotes, and moves the position after the second quote; `nil` if the second quote is missing.
    private mutating func string() -> Range<Int>? {
      let start = position + 1
      var end = start
      while end < bytes.count {
        end = ByteScan.endOfPlainString(bytes.span, from: end)
        guard end < bytes.count else { break }
        if bytes[end] == UInt8(ascii: "\\") {
          end += 2
        } else if bytes[end] == UInt8(ascii: "\"") {
          position = end + 1
          return start..<end
        } else {
          end += 1
        }
      }
      position = bytes.count
      return nil
    }
  }
}
