import CatalogFormats
import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors
import ZipArchive

private func vendor(
  _ folder: TemporaryFolder, settle: Duration = .zero, now: @escaping @Sendable () -> Date = { Date() }
) -> FolderVendor {
  FolderVendor(storage: DirectoryStorage(root: folder.path), settle: settle, now: now)
}

/// Returns the files of a translated bundle, with their paths: `uk.xcloc/contents.json`.
private func bundle(_ language: LocaleIdentifier = "uk") throws -> [TreePath: [UInt8]] {
  let shipment = VendorConformance.shipment(language: language)
  let files = XCLoc.files(
    of: XCLocBundle(
      targetLanguage: language, developmentRegion: "en", project: "birds", files: shipment.files,
      sourceContents: shipment.sourceContents))
  return Dictionary(
    uniqueKeysWithValues: try files.map { path, bytes in
      (XCLoc.name(of: language).appending(path), path.ending == "xliff" ? try Translator.answerXLIFF(bytes) : bytes)
    })
}

private func zip(_ files: [TreePath: [UInt8]]) throws -> [UInt8] {
  try ZipArchive.write(files.map { ($0.key, $0.value) }, modified: Date(timeIntervalSince1970: 1_770_091_506))
}

@Suite struct FolderVendorTests {
  @Test("a shipment is one zip with one top folder, and always has the same bytes")
  func shape() async throws {
    let one = try TemporaryFolder()
    let two = try TemporaryFolder()
    _ = try await vendor(one).push(VendorConformance.shipment())
    _ = try await vendor(two).push(VendorConformance.shipment())
    let bytes = try one.read("to-translate/birds-7-uk.xcloc.zip")
    #expect(try two.read("to-translate/birds-7-uk.xcloc.zip") == bytes)
    #expect(
      try ZipArchive.read(bytes).keys.sorted() == [
        "uk.xcloc/Localized Contents/uk.xliff", "uk.xcloc/Source Contents/App/Localizable.xcstrings",
        "uk.xcloc/contents.json",
      ])
    #expect(one.names(in: "to-translate") == ["birds-7-uk.xcloc.zip"])
  }

  @Test("a temporary file of an interrupted push does not block the next push")
  func leftover() async throws {
    let folder = try TemporaryFolder()
    try folder.write("half", to: "to-translate/.birds-7-uk.xcloc.zip.part")
    #expect(try await vendor(folder).push(VendorConformance.shipment()).wasThere == false)
    #expect(folder.names(in: "to-translate") == ["birds-7-uk.xcloc.zip"])
  }

  @Test("another program's file with the same name is neither used nor overwritten")
  func inTheWay() async throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "to-translate/birds-7-uk.xcloc.zip")
    let receipt = try await vendor(folder).push(VendorConformance.shipment())
    #expect(receipt.reference == "birds-7-uk-2.xcloc.zip" && !receipt.wasThere)
    #expect(try folder.read("to-translate/birds-7-uk.xcloc.zip") == Array("mine".utf8))
    // A second push finds the bundle under its name.
    #expect(try await vendor(folder).push(VendorConformance.shipment()).reference == receipt.reference)
    #expect(folder.names(in: "to-translate") == ["birds-7-uk-2.xcloc.zip", "birds-7-uk.xcloc.zip"])
  }

  @Test("units that are already in bundles of a lost ledger are not sent again")
  func lostLedger() async throws {
    let folder = try TemporaryFolder()
    let whole = VendorConformance.shipment()
    var few = whole
    let last = few.files[0].units.removeLast()
    _ = try await vendor(folder).push(few)
    func holds(_ unit: ExchangeUnit, _ name: String) throws -> Bool {
      let files = try ZipArchive.read(folder.read("to-translate/\(name)"))
      let text = try #require(
        files.first { $0.key.ending == "xliff" }.map { String(decoding: $0.value, as: UTF8.self) })
      return text.contains("id=\"\(unit.key.text)\"")
    }
    let second = "birds-7-uk-2.xcloc.zip"
    let receipt = try await vendor(folder).push(whole)
    #expect(receipt == ShipmentReceipt(reference: second, units: whole.unitIDs.count, wasThere: false))
    #expect(try holds(last, second) && !holds(few.files[0].units[0], second))
    // The shipment is pushed again after an interruption, and after the ledger is lost again, with and without markers.
    #expect(try await vendor(folder).push(whole).reference == second)
    for isMarked in [true, false] {
      if !isMarked { try FileManager.default.removeItem(atPath: folder.file(".dragoman")) }
      var again = whole
      again.round = "1"
      let there = ShipmentReceipt(reference: second, units: whole.unitIDs.count, wasThere: true)
      #expect(try await vendor(folder).push(again) == there)
      #expect(try await vendor(folder).find(again) == there)
    }
    #expect(folder.names(in: "to-translate") == [second, "birds-7-uk.xcloc.zip"])
    // Bundles that a translator has removed cannot be found.
    try FileManager.default.removeItem(atPath: folder.file("to-translate/\(second)"))
    #expect(try await !vendor(folder).push(whole).wasThere)
    #expect(try holds(last, second) && !holds(few.files[0].units[0], second))
  }

  @Test("units in a later bundle of a lost ledger are not sent again, unless some of the bundle's units were withdrawn")
  func lostLaterRound() async throws {
    let folder = try TemporaryFolder()
    let sent = try await vendor(folder).push(VendorConformance.shipment())
    var again = VendorConformance.shipment()
    again.round = "1"
    let vendor = vendor(folder)
    let there = ShipmentReceipt(reference: sent.reference, units: sent.units, wasThere: true)
    #expect(try await vendor.push(again) == there)
    #expect(try await vendor.find(again) == there)
    // One shipment is in another language, and another shipment has a text that the bundle lacks.
    var other = again
    other.language = "de"
    #expect(try await vendor.push(other).reference == "birds-1-de.xcloc.zip")
    var changed = again
    changed.files[0].units[0].source = .text("another text")
    #expect(try await vendor.push(changed).reference == "birds-1-uk.xcloc.zip")

    try await vendor.withdraw([again.unitIDs.sorted()[0]], of: sent, language: "uk")
    #expect(try await !vendor.push(again).wasThere)
  }

  @Test("withdrawn units are listed once in a file next to the bundle, whatever their keys contain")
  func withdraw() async throws {
    let folder = try TemporaryFolder()
    let receipt = try await vendor(folder).push(VendorConformance.shipment())
    let units = ["b\n\"x\"", "a"].map { UnitID(catalog: "App/Localizable.xcstrings", key: UnitKey($0)) }
    for _ in 0..<2 { for unit in units { try await vendor(folder).withdraw([unit], of: receipt, language: "uk") } }
    #expect(
      String(decoding: try folder.read("to-translate/birds-7-uk.xcloc.zip.withdrawn.txt"), as: UTF8.self) == """
        No longer wanted in uk, of birds-7-uk.xcloc.zip:
        App/Localizable.xcstrings: "a"
        App/Localizable.xcstrings: "b\\n\\"x\\""

        """)
    await #expect(throws: VendorError.self) {
      try await vendor(folder).withdraw(
        units, of: ShipmentReceipt(reference: "../x", units: 1, wasThere: false), language: "uk")
    }
  }

  @Test("the first poll creates the four folders")
  func folders() async throws {
    let folder = try TemporaryFolder()
    #expect(try await vendor(folder).pull().bundles.isEmpty)
    #expect(folder.names() == ["done", "held", "to-translate", "translated"])
  }

  @Test("a bundle is accepted in every form and under any name, and its content determines the language")
  func forms() async throws {
    let folder = try TemporaryFolder()
    let uk = try bundle("uk")
    let de = try bundle("de")
    try folder.write(try zip(uk.merging(de) { $1 }), to: "translated/both of them.ZIP")
    for (path, bytes) in uk {
      try folder.write(bytes, to: "translated/\(path.text.replacing("uk.xcloc", with: "unpacked"))")
    }
    try folder.write(try #require(de["de.xcloc/Localized Contents/de.xliff"]), to: "translated/fr.xliff")
    try folder.write(
      try zip([
        "x/y/uk.xcloc/Localized Contents/uk.xliff": uk["uk.xcloc/Localized Contents/uk.xliff"] ?? [],
        "__MACOSX/x/._uk.xliff": [0],
      ]), to: "translated/deep")
    try folder.write("half", to: "translated/.hidden.zip")
    try folder.write("half", to: "translated/uk.zip.part")
    let found = try await vendor(folder).pull()
    #expect(found.settlesIn == nil)
    #expect(
      found.bundles.map { "\($0.reference) \($0.files.map(\.targetLanguage.rawValue).sorted())" } == [
        #"translated/both of them.ZIP ["de", "uk"]"#, #"translated/deep ["uk"]"#, #"translated/fr.xliff ["de"]"#,
        #"translated/unpacked ["uk"]"#,
      ])
    #expect(found.bundles.allSatisfy { $0.diagnostics.allSatisfy { $0.severity == .note } })
    for bundle in found.bundles { try await vendor(folder).acknowledge(bundle, verdict: .taken) }
    #expect(folder.names(in: "done") == ["both of them.ZIP", "deep", "fr.xliff", "unpacked"])
    #expect(folder.names(in: "translated") == [".hidden.zip", "uk.zip.part"])
    #expect(try folder.read("done/unpacked/Localized Contents/uk.xliff") == uk["uk.xcloc/Localized Contents/uk.xliff"])
  }

  @Test("if done has a file with the same name, a number is added before the extension")
  func numbers() async throws {
    let folder = try TemporaryFolder()
    for round in 0..<3 {
      try folder.write(try zip(try bundle(round == 0 ? "uk" : "de")), to: "translated/a.xcloc.zip")
      let found = try #require(try await vendor(folder).pull().bundles.first)
      try await vendor(folder).acknowledge(found, verdict: .held(review: "\(round)"))
    }
    #expect(folder.names(in: "done") == ["a-2.xcloc.zip", "a-3.xcloc.zip", "a.xcloc.zip"])
    // The second and the third file are the same bundle, so there is one copy with the later review.
    #expect(
      folder.names(in: "held") == [
        "a-2.xcloc.zip", "a-2.xcloc.zip.review.txt", "a.xcloc.zip", "a.xcloc.zip.review.txt",
      ])
    #expect(try folder.read("held/a-2.xcloc.zip.review.txt") == Array("2".utf8))
  }

  @Test("a held bundle that is moved back is read again")
  func again() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try zip(try bundle()), to: "translated/a.zip")
    let first = try #require(try await vendor(folder).pull().bundles.first)
    try await vendor(folder).acknowledge(first, verdict: .held(review: "no"))
    try FileManager.default.moveItem(atPath: folder.file("held/a.zip"), toPath: folder.file("translated/a.zip"))
    let second = try #require(try await vendor(folder).pull().bundles.first)
    #expect(second.digest == first.digest)
    try await vendor(folder).acknowledge(second, verdict: .taken)
    #expect(folder.names(in: "done") == ["a-2.zip", "a.zip"])
  }

  @Test("an unpacked bundle that is held is copied completely")
  func heldFolder() async throws {
    let folder = try TemporaryFolder()
    for (path, bytes) in try bundle() { try folder.write(bytes, to: "translated/\(path)") }
    let found = try #require(try await vendor(folder).pull().bundles.first)
    for _ in 0..<2 { try await vendor(folder).acknowledge(found, verdict: .held(review: "why")) }
    #expect(folder.names(in: "held") == ["uk.xcloc", "uk.xcloc.review.txt"])
    #expect(folder.names(in: "held/uk.xcloc") == folder.names(in: "done/uk.xcloc"))
    #expect(folder.names(in: "translated").isEmpty)
  }

  @Test("a bundle that changed since it was pulled is not moved")
  func changed() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try zip(try bundle("uk")), to: "translated/a.zip")
    let found = try #require(try await vendor(folder).pull().bundles.first)
    try folder.write(try zip(try bundle("de")), to: "translated/a.zip")
    try await vendor(folder).acknowledge(found, verdict: .taken)
    #expect(try await vendor(folder).pull().bundles.first?.files.first?.targetLanguage == "de")
  }
}

@Suite struct SettleTests {
  private final class Clock: Sendable {
    let offset = Mutex(0.0)
    var now: Date { Date().addingTimeInterval(offset.withLock { $0 }) }
    func advance(_ seconds: Double) { offset.withLock { $0 += seconds } }
  }

  @Test("a new file is read once it stops changing, and an older file at the first poll")
  func byTime() async throws {
    let folder = try TemporaryFolder()
    let clock = Clock()
    try folder.write(try zip(try bundle()), to: "translated/a.zip")
    // The file's own time is ignored, because copying tools set the original time while they are still writing.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.file("translated/a.zip"))
    let first = try await vendor(folder, settle: .seconds(60), now: { clock.now }).pull()
    #expect(first.bundles.isEmpty)
    let left = try #require(first.settlesIn)
    #expect(left > .seconds(50) && left <= .seconds(60))
    clock.advance(61)
    // A new vendor has not observed the file yet, like the vendor of another process. It uses the time of the move or write on disk.
    #expect(try await vendor(folder, settle: .seconds(60), now: { clock.now }).pull().bundles.count == 1)
  }

  @Test("the wait restarts for a bundle that grows between polls, packed or unpacked")
  func grows() async throws {
    let folder = try TemporaryFolder()
    let clock = Clock()
    // By this clock, the times on disk are in the future, so only the observations of earlier polls count.
    let vendor = vendor(folder, settle: .seconds(60), now: { clock.now.addingTimeInterval(-10_000) })
    let files = try bundle()
    let xliff = try #require(files["uk.xcloc/Localized Contents/uk.xliff"])
    try folder.write(Array(xliff.prefix(100)), to: "translated/uk.xcloc/Localized Contents/uk.xliff")
    #expect(try await vendor.pull().settlesIn == .seconds(60))
    clock.advance(50)
    try folder.write(xliff, to: "translated/uk.xcloc/Localized Contents/uk.xliff")
    #expect(try await vendor.pull().settlesIn == .seconds(60))
    clock.advance(61)
    let taken = try await vendor.pull()
    #expect(taken.bundles.count == 1 && taken.settlesIn == nil)
  }
}
