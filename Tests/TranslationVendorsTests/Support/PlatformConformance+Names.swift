import Localization
import Testing
import TranslationVendors

extension PlatformConformance {
  /// Checks keys as they occur in repositories, including equal keys in several catalogs: each translation is returned with its own source text,
  /// and no string is sent twice.
  func keepsNames() async throws {
    let keys = [
      "settings.title", "a/b/c", "say “hi” and \"bye\"", "line\nbreak\r\nand\ttab", "🐦‍⬛ 🏳️‍🌈", "@one", "~@two", "{count}",
      "[x](y)",
      "a::b", "a,b;c", "100%", "it's", "C:\\dir\\n", " spaced ", "#hash", "<b>", "&amp;", "e\u{301}", "\u{e9}",
      "\u{212b}", "\u{c5}", "A\u{30a}", "मराठी", "*", "--",
      String(repeating: "long key, ", count: 30), String(repeating: "longer 🐦 ", count: 80),
    ]
    let catalogs: [TreePath] = [
      "App/Localizable.xcstrings", "Packages/Kit/Sources/Kit/Resources/Localizable.xcstrings",
      "Sources/Birds/Resources, extra/Localizable.xcstrings",
    ]
    var shipment = Self.shipment(language: "uk")
    shipment.files = catalogs.enumerated().map { place, catalog in
      var units = keys.enumerated().map { number, key in
        ExchangeUnit(key: UnitKey(key), source: .text("Text \(number) of \(place)"))
      }
      for device in ["mac", "other"] {
        let path: VariationPath = [.device(Device(rawValue: device))]
        units.append(ExchangeUnit(key: "tap.it", path: path, source: .text("Tap \(device) of \(place)")))
      }
      return ExchangeFile(original: catalog.text, sourceLanguage: "en", targetLanguage: "uk", units: units)
    }
    shipment.sourceContents = [:]
    let sent = shipment
    let scene = try scene()
    let receipt = try await scene.make().push(sent)
    #expect(!receipt.wasThere && receipt.units == (keys.count + 1) * catalogs.count)
    #expect(try await scene.make().push(sent).wasThere)
    scene.translate("uk")
    let work = OutstandingWork { [OutstandingWork.Part(shipment: sent, receipt: receipt)] }
    let files = try await scene.make().pull(work).bundles.flatMap(\.files)
    for (place, catalog) in catalogs.enumerated() {
      let units = files.filter { $0.original == catalog.text }.flatMap(\.units)
      let taps = units.filter { $0.key == "tap.it" }.map { "\($0.path.text) \($0.target?.text ?? .text("-"))" }
      #expect(
        taps.count == 2 && taps.allSatisfy { $0.contains("mac") == $0.contains("Tap mac of \(place)") }, "\(taps)")
      for (number, key) in keys.enumerated() {
        let unit = units.first { $0.key == UnitKey(key) }
        let text: String? = if case .text(let words)? = unit?.target?.text { words } else { nil }
        #expect(
          text?.hasSuffix("Text \(number) of \(place)") == true, "\(key.debugDescription) in \(catalog): \(text ?? "-")"
        )
      }
    }
  }
}
