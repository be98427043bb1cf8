import CatalogFormats
import Foundation
import Localization
import TranslationVendors
import ZipArchive

/// A complete import of a returned bundle into a catalog with a text of every form.
struct BundleSubject {
  private static let path: TreePath = "App/Localizable.xcstrings"

  private static let bytes = Array(
    #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "%lld birds" : { "localizations" : { "en" : { "variations" : { "plural" : {
          "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld bird" } },
          "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld birds" } } } } } } },
        "tap" : { "localizations" : { "de" : { "variations" : { "device" : {
          "mac" : { "stringUnit" : { "state" : "translated", "value" : "Klicken" } },
          "other" : { "stringUnit" : { "state" : "translated", "value" : "Tippen" } } } } } } },
        "sub" : { "localizations" : { "en" : {
          "stringUnit" : { "state" : "translated", "value" : "%#@N@ in %@" },
          "substitutions" : { "N" : { "argNum" : 1, "formatSpecifier" : "lld", "variations" : { "plural" : {
            "one" : { "stringUnit" : { "state" : "translated", "value" : "%arg item" } },
            "other" : { "stringUnit" : { "state" : "translated", "value" : "%arg items" } } } } } } } } },
        "both" : { "localizations" : { "de" : {
          "stringUnit" : { "state" : "translated", "value" : "a" },
          "variations" : { "plural" : { "other" : { "stringUnit" : { "state" : "translated", "value" : "b" } } } } } } },
        "x" : { "localizations" : { "de" : { "stringUnit" : { "state" : "needs_review", "value" : "alt" } } } }
      },
      "version" : "1.0"
    }
    """#.utf8)

  func examine(_ input: [UInt8]) throws {
    var reader = BundleReader(place: "back.zip")
    if input.starts(with: Array("PK".utf8)) {
      reader.readFile(input)
    } else {
      // Random bytes are rarely a valid zip, so the input is put into a zip.
      let files: [(TreePath, [UInt8])] = [("de.xcloc/Localized Contents/de.xliff", input)]
      reader.readFile(try ZipArchive.write(files, modified: Date(timeIntervalSince1970: 0)))
    }
    let format = StringCatalogFormat()
    let before = try format.read(Self.bytes, at: Self.path)
    let (first, written) = try take(reader.files, into: before, over: Self.bytes)
    guard first.outcomes.count == reader.files.reduce(0, { $0 + $1.units.count }) else {
      throw FuzzFinding("a unit does not have exactly one outcome")
    }
    let after = try format.read(written, at: Self.path)
    guard after == (first.catalogs[Self.path] ?? before) else {
      throw FuzzFinding("the written catalog differs from the reviewed one")
    }
    let languages = Set(first.outcomes.filter { $0.verdict == .taken }.map(\.language))
    for (key, entry) in before.entries {
      let others = entry.translations.filter { !languages.contains($0.key) }
      guard others.allSatisfy({ after.entries[key]?.translations[$0.key] == $0.value }) else {
        throw FuzzFinding("a language changed although none of its units was taken")
      }
    }
    let (second, again) = try take(reader.files, into: after, over: written)
    guard again == written else { throw FuzzFinding("a second import changes the catalog") }
    guard !second.outcomes.contains(where: { $0.verdict == .taken }) else {
      throw FuzzFinding("a second import takes units")
    }
  }

  private func take(
    _ files: [ExchangeFile], into catalog: Catalog, over bytes: [UInt8]
  ) throws -> (ReviewedImport, [UInt8]) {
    let format = StringCatalogFormat()
    var result = ImportReview(catalogs: [Self.path: catalog], policy: .asXcode).review(files)
    result.holdRefused(in: Self.path, original: catalog) { (catalog) throws(InputFault) in
      _ = try format.write(catalog, over: bytes)
    }
    return (result, try format.write(result.catalogs[Self.path] ?? catalog, over: bytes))
  }
}
