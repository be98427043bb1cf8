import Localization

/// The languages that a `project.pbxproj` declares, found by its two names, until the file is read in earnest.
struct ProjectFileRegions {
  var developmentRegion: LocaleIdentifier?
  var knownRegions: [LocaleIdentifier] = []

  init(_ bytes: [UInt8]) {
    developmentRegion = Self.word(after: "developmentRegion = ", in: bytes).flatMap(Self.language)
    guard let start = Self.end(of: "knownRegions = (", in: bytes),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ")"))
    else { return }
    let list = String(decoding: bytes[start..<end], as: UTF8.self)
    knownRegions = list.split(separator: ",").compactMap { Self.language(String($0)) }
  }

  private static func language(_ text: String) -> LocaleIdentifier? {
    LocaleIdentifier(regionName: String(text.drop(while: \.isWhitespace).filter { $0 != "\"" && !$0.isWhitespace }))
  }

  private static func word(after name: String, in bytes: [UInt8]) -> String? {
    guard let start = end(of: name, in: bytes), let stop = bytes[start...].firstIndex(of: UInt8(ascii: ";")) else {
      return nil
    }
    return String(decoding: bytes[start..<stop], as: UTF8.self)
  }

  private static func end(of text: String, in bytes: [UInt8]) -> Int? {
    let text = Array(text.utf8)
    guard let first = text.first, bytes.count >= text.count else { return nil }
    // From the end: the project object stands near the end of the file.
    return (0...(bytes.count - text.count)).last { start in
      bytes[start] == first && bytes[start..<(start + text.count)].elementsEqual(text)
    }.map { $0 + text.count }
  }
}

extension LocaleIdentifier {
  /// A language as `.lproj` folders and `knownRegions` name it; `nil` for `Base` and `mul`, which are no languages (formats.md I), and
  /// for what is not formed like one.
  init?(regionName name: String) {
    let legacy = [
      "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja", "Spanish": "es",
      "Dutch": "nl",
      "Portuguese": "pt",
    ]
    let spelled = legacy[name] ?? name.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
    let identifier = LocaleIdentifier(spelled)
    guard identifier.isWellFormed, name != "Base", name != "mul", identifier.language.utf8.count <= 3 else {
      return nil
    }
    self = identifier
  }
}
