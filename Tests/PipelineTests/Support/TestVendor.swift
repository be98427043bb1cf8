import Localization
import Pipeline
import Synchronization

/// A vendor in memory that stores shipments, and returns the translations that a test gives it.
final class TestVendor: TranslationVendor {
  private struct State {
    var shipments: [Shipment] = []
    var withdrawn: [UnitID] = []
    var waiting: [ReturnedBundle] = []
    var returned = 0
    var refused: [String: String] = [:]
    /// The returned texts that people have changed at the vendor.
    var corrected: [String: String] = [:]
    /// The keys whose source texts were changed at the vendor.
    var edited: Set<String> = []
    /// The keys that are hidden at the vendor.
    var hidden: Set<String> = []
    var asked: [[String]] = []
    var fault: PipelineError?
    var settled: [StandingTexts] = []
    var retired: [UnitID: Set<VariationPath>] = [:]
  }

  let kind = "memory"
  let name: String
  private let state = Mutex(State())
  private let hooks = Mutex((push: noHook, pull: noHook, find: noHook))
  private let acknowledging = Mutex<@Sendable (String) async throws -> Void>({ _ in })
  private static let noHook: @Sendable () async throws -> Void = {}

  /// A function that is called before each push.
  var willPush: @Sendable () async throws -> Void {
    get { hooks.withLock { $0.push } }
    set { hooks.withLock { $0.push = newValue } }
  }
  var willPull: @Sendable () async throws -> Void {
    get { hooks.withLock { $0.pull } }
    set { hooks.withLock { $0.pull = newValue } }
  }

  /// A function that is called before an upload without a response is looked up.
  var willFind: @Sendable () async throws -> Void {
    get { hooks.withLock { $0.find } }
    set { hooks.withLock { $0.find = newValue } }
  }

  /// A function that is called with the reference of a bundle before the bundle is acknowledged.
  var willAcknowledge: @Sendable (String) async throws -> Void {
    get { acknowledging.withLock { $0 } }
    set { acknowledging.withLock { $0 = newValue } }
  }

  let takesUses: Bool
  let keepsStrings: Bool
  let isAskedAgain = true

  init(name: String, takesUses: Bool = false, keepsStrings: Bool = false) {
    self.keepsStrings = keepsStrings
    self.name = name
    self.takesUses = takesUses
  }

  var retiresUnits: Bool { keepsStrings }
  func settle(_ texts: StandingTexts) async throws { state.withLock { $0.settled.append(texts) } }
  func retire(_ units: [UnitID: Set<VariationPath>]) async throws {
    state.withLock { $0.retired.merge(units) { $1 } }
  }

  var settled: [StandingTexts] { state.withLock { $0.settled } }
  var retired: [UnitID: Set<VariationPath>] { state.withLock { $0.retired } }

  var shipments: [Shipment] { state.withLock { $0.shipments } }
  var withdrawn: [UnitID] { state.withLock { $0.withdrawn } }
  /// The keys of all sent units, in the order of sending.
  var sentKeys: [String] { shipments.flatMap(\.files).flatMap(\.units).map(\.key.text) }

  /// Makes the vendor return units with these translations from now on, whether or not they were sent.
  /// - Parameter sources: the source texts that differ from their keys.
  func give(
    _ texts: [String: String], of sources: [String: String] = [:], language: LocaleIdentifier = "de",
    original: String = "Sources/App/Resources/Localizable.xcstrings"
  ) {
    give(
      texts.sorted { $0.key < $1.key }.map { key, text in
        ExchangeUnit(key: UnitKey(key), source: .text(sources[key] ?? key), target: ExchangeTarget(.text(text)))
      }, language: language, original: original)
  }

  /// Makes the vendor return these units in a bundle, whether or not they were sent.
  func give(
    _ units: [ExchangeUnit], language: LocaleIdentifier = "de",
    original: String = "Sources/App/Resources/Localizable.xcstrings"
  ) {
    let file = ExchangeFile(original: original, sourceLanguage: "en", targetLanguage: language, units: units)
    state.withLock { state in
      state.returned += 1
      state.waiting.append(
        ReturnedBundle(reference: "\(state.returned).xliff", digest: "digest \(state.returned)", files: [file]))
    }
  }

  /// Makes the vendor refuse units with these keys from now on, each with a reason.
  func refuse(_ keys: [String: String]) { state.withLock { $0.refused.merge(keys) { $1 } } }

  func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    try await willPush()
    let units = shipment.files.flatMap(\.units)
    return state.withLock { state in
      state.shipments.append(shipment)
      let refused = units.count { state.refused[$0.key.text] != nil }
      return ShipmentReceipt(
        reference: String(state.shipments.count), units: units.count - refused, wasThere: false, refused: refused)
    }
  }

  func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    try await willFind()
    return nil
  }

  func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    state.withLock { $0.withdrawn += units }
  }

  func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    try await willPull()
    let parts = try await outstanding.parts()
    return state.withLock { state in
      PullResult(
        bundles: state.waiting,
        refusals: parts.compactMap { part in
          var units: [UnitID: String] = [:]
          for file in part.shipment.files {
            for unit in file.units {
              guard let reason = state.refused[unit.key.text] else { continue }
              units[UnitID(catalog: TreePath(trusted: file.original), key: unit.key)] = reason
            }
          }
          return units.isEmpty ? nil : VendorRefusal(reference: part.receipt.reference, units: units)
        })
    }
  }

  /// Changes a text that was returned.
  func correct(_ key: String, to text: String) { state.withLock { $0.corrected[key] = text } }

  /// Changes a source text that was sent.
  func edit(_ key: String) { state.withLock { _ = $0.edited.insert(key) } }

  /// Hides a string that was sent.
  func hide(_ key: String) { state.withLock { _ = $0.hidden.insert(key) } }

  func stock(of part: OutstandingWork.Part) async throws -> VendorStock? {
    let hidden = state.withLock { $0.hidden }
    guard !hidden.isEmpty else { return nil }
    let units = part.shipment.files.flatMap { file in
      file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) }
    }
    let missing = Set(units.filter { hidden.contains($0.key.text) })
    return VendorStock(missing: missing, hidden: missing)
  }

  /// The keys of each request for corrections.
  var asked: [[String]] { state.withLock { $0.asked } }

  /// Makes requests for corrections fail with an error, or succeed again with `nil`.
  func failCorrections(_ fault: PipelineError?) { state.withLock { $0.fault = fault } }

  func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult {
    try state.withLock { state in
      state.asked.append(parts.flatMap(\.shipment.files).flatMap(\.units).map(\.key.text))
      if let fault = state.fault { throw fault }
      var others: [LocaleIdentifier: Set<UnitID>] = [:]
      var result = PullResult(
        bundles: parts.compactMap { part in
          let files = part.shipment.files.compactMap { file in
            var file = file
            file.units = file.units.compactMap { unit in
              guard let text = state.corrected[unit.key.text], unit.target?.text != .text(text) else { return nil }
              guard !state.edited.contains(unit.key.text) else {
                let id = UnitID(catalog: TreePath(trusted: file.original), key: unit.key)
                others[part.shipment.language, default: []].insert(id)
                return nil
              }
              var unit = unit
              unit.target = ExchangeTarget(.text(text))
              return unit
            }
            return file.units.isEmpty ? nil : file
          }
          let digest = ContentDigest.hexadecimal(of: Array("\(files)".utf8))
          return files.isEmpty
            ? nil : ReturnedBundle(reference: part.receipt.reference, digest: digest, files: files)
        })
      result.otherSources = others
      return result
    }
  }

  func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    try await willAcknowledge(bundle.reference)
    state.withLock { $0.waiting.removeAll { $0.reference == bundle.reference } }
  }
}
