/// Finds evidence that a text is in the wrong language. Only strong evidence counts, because a correct text must not be refused.
package enum LanguageEvidence {
  /// Returns a message that says why a text seems to be in another language; `nil` if there is no evidence.
  package static func fault(of text: String, source: String, in language: LocaleIdentifier) -> String? {
    let known = Set(words(of: source))
    // Names and terms may stay as they are in the source text.
    let own = words(of: text).filter { !known.contains($0) }
    return script(of: own, language) ?? letters(of: own, language) ?? functionWords(of: text, language)
  }

  private static func words(of text: String) -> [Substring] { text.split { !$0.isLetter } }

  // MARK: Scripts

  private static func script(of words: [Substring], _ language: LocaleIdentifier) -> String? {
    guard let script = language.script, let wanted = scripts[script] else { return nil }
    var counts: [String: Int] = [:]
    for scalar in String(words.joined()).unicodeScalars {
      if let block = block(of: scalar) { counts[block, default: 0] += 1 }
    }
    let right = wanted.reduce(0) { $0 + counts[$1, default: 0] }
    let foreign = counts.filter { !wanted.contains($0.key) }
    // Latin letters in a text of another script are abbreviations and names, unless the text has no letters of its own script.
    let wrong = foreign.filter { $0.key != "Latn" || right == 0 }
    guard let worst = wrong.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
      worst.value >= (worst.key == "Latn" ? 4 : 2)
    else { return nil }
    return "the text is not written in the script of \(language)"
  }

  /// The names of the `blocks` that each script uses.
  private static let scripts: [String: [String]] = {
    var scripts: [String: [String]] = [
      "Jpan": ["Hani", "Kana"], "Kore": ["Hang", "Hani"], "Hans": ["Hani"], "Hant": ["Hani"],
    ]
    for (name, _) in blocks { scripts[name] = [name] }
    return scripts
  }()

  private static let blocks: [(String, [ClosedRange<UInt32>])] = [
    ("Latn", [0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF]), ("Grek", [0x370...0x3FF, 0x1F00...0x1FFF]),
    ("Cyrl", [0x400...0x52F]), ("Armn", [0x531...0x587]), ("Hebr", [0x590...0x5FF]),
    ("Arab", [0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC]),
    ("Deva", [0x900...0x97F]),
    ("Beng", [0x980...0x9FF]), ("Guru", [0xA00...0xA7F]), ("Gujr", [0xA80...0xAFF]), ("Orya", [0xB00...0xB7F]),
    ("Taml", [0xB80...0xBFF]), ("Telu", [0xC00...0xC7F]), ("Knda", [0xC80...0xCFF]), ("Mlym", [0xD00...0xD7F]),
    ("Sinh", [0xD80...0xDFF]), ("Thai", [0xE00...0xE7F]), ("Laoo", [0xE80...0xEFF]), ("Tibt", [0xF00...0xFFF]),
    ("Mymr", [0x1000...0x109F]), ("Geor", [0x10A0...0x10FF]), ("Hang", [0x1100...0x11FF, 0xAC00...0xD7AF]),
    ("Ethi", [0x1200...0x139F]), ("Khmr", [0x1780...0x17FF]), ("Kana", [0x3041...0x30FA]),
    ("Hani", [0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x2FA1F]),
  ]

  private static func block(of scalar: Unicode.Scalar) -> String? {
    blocks.first { $0.1.contains { $0.contains(scalar.value) } }?.0
  }

  // MARK: Letters

  private static func letters(of words: [Substring], _ language: LocaleIdentifier) -> String? {
    guard language.script == "Cyrl", let foreign = foreignLetters[language.language] else { return nil }
    guard let letter = String(words.joined()).lowercased().first(where: { foreign.contains($0) }) else { return nil }
    return "the text has the letter “\(letter)”, which \(language) does not have"
  }

  /// For each language, letters of other Cyrillic alphabets that the language does not use.
  private static let foreignLetters: [String: String] = [
    "uk": "ыэёъўјљњћђџ", "ru": "іїєґўјљњћђџ", "be": "ищъїєґјљњћђџ", "bg": "ыэёіїєґўјљњћђџ", "sr": "ыэёъщйьюяіїєґў",
    "mk": "ыэёъщйьюяіїєґўћђ",
  ]

  // MARK: Function words

  private static func functionWords(of text: String, _ language: LocaleIdentifier) -> String? {
    let words = text.lowercased().split { !$0.isLetter && $0 != "'" && $0 != "’" }.map(String.init)
    let main = Self.main[language.language] ?? language.language
    let own = frequent[main]
    if let own, words.contains(where: { own.contains($0) }) { return nil }
    for (other, list) in frequent.sorted(by: { $0.key < $1.key }) where other != main && (own != nil || other == "en") {
      let hits = Set(words.filter { list.contains($0) }).count
      if hits >= (other == "en" ? 2 : 3) { return "the text is not in \(language) (it looks like \(other))" }
    }
    return nil
  }

  /// The languages without their own list of frequent words, each with the language whose list it uses.
  private static let main = ["nb": "da", "nn": "da", "no": "da"]
  private static let frequent: [String: Set<String>] = [
    "en": [
      "the", "and", "of", "your", "you", "this", "that", "is", "are", "not", "with", "can't", "i'm", "sorry", "cannot",
    ],
    "de": [
      "der", "die", "das", "und", "nicht", "mit", "für", "ist", "ein", "eine", "den", "zu", "sie", "werden", "wird",
      "auf",
    ],
    "fr": ["le", "les", "des", "et", "une", "pour", "avec", "dans", "est", "pas", "vous", "votre", "sur", "ne"],
    "es": ["el", "los", "las", "y", "una", "para", "con", "por", "su", "del", "la", "que", "no", "se"],
    "it": ["il", "gli", "di", "e", "per", "con", "una", "non", "è", "della", "nel", "che", "la", "i"],
    "pt": ["o", "os", "as", "e", "para", "com", "uma", "não", "do", "da", "em", "que", "se"],
    "nl": ["de", "het", "een", "en", "van", "niet", "voor", "met", "is", "je", "op", "te", "zijn"],
    "sv": ["och", "att", "det", "för", "inte", "med", "är", "som", "på", "en", "ett", "av"],
    "da": ["og", "at", "ikke", "det", "er", "med", "for", "på", "en", "et", "til", "av", "af"],
    "pl": ["i", "nie", "się", "na", "do", "jest", "z", "w", "aby", "to"],
    "cs": ["a", "se", "na", "je", "není", "pro", "v", "s", "do", "to"],
    "tr": ["ve", "bir", "için", "ile", "bu", "da", "de"],
  ]
}
