internal import Localization
internal import Pipeline
internal import TranslationVendors

/// The result of reading a pipeline file. The name is set even if other parts have faults, so a duplicate name is reported together with the other
/// faults.
struct PipelineDraft {
  var name: Located<String>?
  var formerly: [Located<String>] = []
  /// The field at which a conflict of delivery branches is reported: the field of `deliver.branch`; if this key is missing, the field of `deliver` or
  /// of the pipeline's name.
  var target: Field?
  /// The field of `deliver.statuses`; `nil` if no status is listed.
  var statuses: Field?
  var vendors: [VendorDraft] = []
  /// The definition; `nil` if the file has a fault.
  var definition: PipelineDefinition?
}

extension Section<RootKey> {
  func pipeline() -> PipelineDraft {
    let name = self[.pipeline].flatMap { field in field.pipelineName().map { Located(value: $0, field: field) } }
    let formerly = self[.formerly]?.oneOrMore { $0.pipelineName() } ?? []
    for old in formerly where old.value == name?.value {
      old.field.report("\(old.field.shown) is the pipeline's current name", hint: "remove it")
    }
    let repository = self[.repository].flatMap(Section<RepositoryKey>.init)?.settings()
    let submodules = self[.submodules]?.submodules() ?? []
    let extract = self[.extract].flatMap(Section<ExtractKey>.init)?.settings() ?? ExtractSettings()
    let catalogs: CatalogPolicy = self[.catalogs].flatMap { $0.choice() } ?? .leave
    let languages = self[.languages].flatMap { $0.languages() }
    let vendors = self[.vendors]?.vendors() ?? []
    // If some languages could not be read, a vendor's language may be one of these, so it is not reported as missing from `languages`.
    let areAllRead = self[.languages].map { $0.count == languages?.count } ?? true
    VendorChecks(vendors: vendors, languages: areAllRead ? languages?.map(\.value) : nil).report()
    let memory = self[.memory].flatMap(Section<MemoryKey>.init)?.settings()
    let glossary = self[.glossary].flatMap(Section<GlossaryKey>.init)?.settings()
    let screenshots = self[.screenshots].flatMap(Section<ScreenshotsKey>.init)?.settings()
    for vendor in vendors where memory != nil && vendor.name?.value == MemoryVendor.reservedName {
      vendor.name?.field.report(
        "this name is reserved for the translation memory", hint: "give the vendor another name")
    }
    let rounds = self[.rounds].flatMap(Section<RoundsKey>.init)?.settings() ?? RoundSettings()
    let delivery = self[.deliver].flatMap(Section<DeliverKey>.init)
    let deliver = delivery?.settings(watched: repository?.branches ?? []) ?? DeliverSettings()
    if let url = repository?.url {
      delivery?[.credentials]?.reportClearText(to: url.value, deliver.credentials)
      delivery?[.credentials]?.reportAgent(for: url.value, deliver.credentials)
      if let settings = repository?.settings { delivery?.reportForge(deliver, settings, at: url.field) }
    }
    let require =
      self[.require]?.requirements(among: areAllRead ? languages?.map(\.value) : nil) ?? Requirements()
    let fallbacks = self[.fallbacks]?.fallbacks() ?? LanguageFallbacks()
    let notify = self[.notify]?.notifications() ?? []
    var draft = PipelineDraft(
      name: name, formerly: formerly, target: delivery?[.branch] ?? self[.deliver] ?? name?.field, vendors: vendors)
    if !deliver.statuses.isEmpty {
      draft.statuses = delivery?[.statuses]
      if deliver.statuses.contains(.completeness), require.all.isEmpty, require.byBranch.isEmpty {
        delivery?[.statuses]?.report(
          "the status `completeness` has no effect without `require`", hint: "add `require: 100` to the file")
      }
      if deliver.statuses.contains(.freeze), rounds.freeze.isEmpty {
        delivery?[.statuses]?.report(
          "the status `freeze` has no effect without `rounds.freeze`", hint: "add `freeze` to `rounds`")
      }
    }
    guard field.faults.isEmpty, let name, let repository else { return draft }
    draft.definition = PipelineDefinition(
      name: name.value, repository: repository.settings, extract: extract, catalogs: catalogs,
      languages: languages?.map(\.value), vendors: vendors.map(\.definition), rounds: rounds, deliver: deliver,
      require: require.all, requireOnBranches: require.byBranch, notify: notify, formerly: formerly.map(\.value),
      fallbacks: fallbacks, memory: memory, glossary: glossary, screenshots: screenshots, submodules: submodules)
    return draft
  }
}

extension Field {
  /// Reads the name of a pipeline or a vendor. It becomes part of file names, such as the names of bundles, so only some characters are allowed.
  func pipelineName() -> String? {
    guard let text = text("a name") else { return nil }
    let isAlphanumeric = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    let bytes = Array(text.utf8)
    guard bytes.count <= 64, bytes.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) }),
      let first = bytes.first, let last = bytes.last, isAlphanumeric(first), isAlphanumeric(last)
    else {
      report(
        "\(shown) is not valid in file names",
        hint: "use 1 to 64 letters, digits, dots, dashes and underscores, with a letter or digit at both ends")
      return nil
    }
    return text
  }

  /// Reads a single value, or a list of values.
  func oneOrMore(_ read: (Field) -> String?) -> [Located<String>] {
    guard case .list = value.content else {
      return read(self).map { [Located(value: $0, field: self)] } ?? []
    }
    return items()?.distinct(read, sameAs: { $0 }) ?? []
  }

  fileprivate func vendors() -> [VendorDraft] {
    guard let items = items("a list of vendors") else { return [] }
    if items.isEmpty { report("is an empty list", hint: "add a vendor, such as pseudo or folder") }
    return items.compactMap { Section<VendorKey>($0, otherNames: VendorRegistry.optionNames)?.vendor() }
  }

  fileprivate var count: Int? { if case .list(let list) = value.content { list.count } else { nil } }
}
