/// Reads texts in the metadata of a PNG file, from its `tEXt` and `iTXt` chunks before and after the image data.
///
/// Only uncompressed texts are read. The file is untrusted, so every length is checked and the numbers of chunks and texts are limited.
enum PNGTexts {
  /// The keywords of texts that describe a picture.
  static let keywords: Set = ["Title", "Description", "Comment", "Keys"]
  static let mostChunks = 10_000
  /// The maximum size of a text in bytes. Longer texts are skipped.
  static let mostBytes = 1 << 16

  /// Returns the texts whose keyword is in ``keywords``, in file order. If the file is damaged, returns only the texts before the damage.
  static func read(_ bytes: [UInt8]) -> [String] {
    var texts: [String] = []
    // A chunk has a length of four bytes, a type of four, its data, and a checksum of four.
    var place = 8
    for _ in 0..<mostChunks {
      guard bytes.count - place >= 12 else { break }
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - place - 12 else { break }
      let type = bytes[place + 4..<place + 8]
      let data = bytes[place + 8..<place + 8 + length]
      if length <= mostBytes {
        if type.elementsEqual("tEXt".utf8), let text = latin(data) { texts.append(text) }
        if type.elementsEqual("iTXt".utf8), let text = international(data) { texts.append(text) }
      }
      if type.elementsEqual("IEND".utf8) { break }
      place += 12 + length
    }
    return texts
  }

  /// Reads a `tEXt` chunk: the keyword, a zero byte, and the text in Latin-1.
  private static func latin(_ data: ArraySlice<UInt8>) -> String? {
    guard let end = data.firstIndex(of: 0), isWanted(data[..<end]) else { return nil }
    return String(String.UnicodeScalarView(data[(end + 1)...].map { Unicode.Scalar($0) }))
  }

  /// Reads an `iTXt` chunk: the keyword, a zero byte, two bytes about compression, a language and a translated keyword, each followed by a zero byte,
  /// and the text in UTF-8.
  private static func international(_ data: ArraySlice<UInt8>) -> String? {
    guard let end = data.firstIndex(of: 0), isWanted(data[..<end]), data.endIndex - end > 3, data[end + 1] == 0,
      let language = data[(end + 3)...].firstIndex(of: 0), let keyword = data[(language + 1)...].firstIndex(of: 0)
    else { return nil }
    return String(validating: data[(keyword + 1)...], as: UTF8.self)
  }

  private static func isWanted(_ keyword: ArraySlice<UInt8>) -> Bool {
    keywords.contains(String(decoding: keyword, as: UTF8.self))
  }
}
