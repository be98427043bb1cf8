internal import Localization
internal import Pipeline

/// What was read of a pipeline file. The name is there even where the rest is at fault, so that two pipelines of one name are told in the
/// same go.
struct PipelineDraft {
  var name: Located<String>?
  /// `nil` where there is a fault.
  var definition: PipelineDefinition?
}

extension Section<RootKey> {
  func pipeline() -> PipelineDraft {
    let name = self[.pipeline].flatMap { field in field.pipelineName().map { Located(value: $0, field: field) } }
    let repository = self[.repository].flatMap(Section<RepositoryKey>.init)?.settings()
    let extract = self[.extract].flatMap(Section<ExtractKey>.init)?.settings() ?? ExtractSettings()
    let catalogs: CatalogPolicy = self[.catalogs].flatMap { $0.choice() } ?? .leave
    let languages = self[.languages].flatMap { $0.languages() }
    let vendors = self[.vendors]?.vendors() ?? []
    // Where not all languages could be read, a vendor's may be among the others.
    let areAllRead = self[.languages].map { $0.count == languages?.count } ?? true
    VendorChecks(vendors: vendors, languages: areAllRead ? languages?.map(\.value) : nil).report()
    let rounds = self[.rounds].flatMap(Section<RoundsKey>.init)?.settings() ?? RoundSettings()
    let deliver =
      self[.deliver].flatMap(Section<DeliverKey>.init)?.settings(watched: repository?.branches ?? [])
      ?? DeliverSettings()
    let require = self[.require]?.requirements() ?? [:]
    let notify = self[.notify]?.notifications() ?? []
    guard field.faults.isEmpty, let name, let repository else { return PipelineDraft(name: name, definition: nil) }
    let definition = PipelineDefinition(
      name: name.value, repository: repository.settings, extract: extract, catalogs: catalogs,
      languages: languages?.map(\.value), vendors: vendors.map(\.definition), rounds: rounds, deliver: deliver,
      require: require, notify: notify)
    return PipelineDraft(name: name, definition: definition)
  }
}

extension Field {
  /// A name that becomes part of file names, of bundles among others.

  fileprivate func pipelineName() -> String? {
    guard let text = text("a name") else { return nil }
    let isAlphanumeric = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    let bytes = Array(text.utf8)
    guard bytes.count <= 64, bytes.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) }),
      let first = bytes.first, let last = bytes.last, isAlphanumeric(first), isAlphanumeric(last)
    else {
      report(
        "\(shown) cannot be part of a file name",
        hint: "write 1 to 64 letters, digits, dots, dashes and underscores, with a letter or digit at both ends")
      return nil
    }
    return text
  }

  fileprivate func vendors() -> [VendorDraft] {
    guard let items = items("a list of vendors") else { return [] }
    if items.isEmpty { report("is an empty list", hint: "name a vendor: pseudo or folder") }
    return items.compactMap { Section<VendorKey>($0)?.vendor() }
  }

  fileprivate var count: Int? { if case .list(let list) = value.content { list.count } else { nil } }
}
