internal import Localization
internal import Pipeline

/// What holds of all vendors of a pipeline together.
struct VendorChecks {
  let vendors: [VendorDraft]
  /// The pipeline's; `nil` where it names none, or they could not be read.
  let languages: [LocaleIdentifier]?

  func report() {
    reportLanguages()
    reportPlaces()
  }

  /// A language goes to one vendor, and is one of the pipeline's.
  private func reportLanguages() {
    var taken: [String: String] = [:]
    var rest: VendorDraft?
    for vendor in vendors {
      guard let own = vendor.languages else {
        // One that is no vendor at all gets nothing.
        guard !vendor.definition.kind.isEmpty else { continue }
        if let rest {
          vendor.field.report(
            "has no `languages`, like \(rest.field.keyPath): both would get every language that is left",
            hint: "say for one of them which it gets")
        }
        rest = rest ?? vendor
        continue
      }
      for language in own {
        let identity = language.value.rawValue.lowercased()
        if let other = taken[identity] {
          language.field.report("\(language.value) goes to \(other) already", hint: "a language goes to one vendor")
        }
        taken[identity] = taken[identity] ?? vendor.field.keyPath
        if let languages, !languages.contains(language.value) {
          let names = languages.map(\.rawValue)
          language.field.report(
            "the pipeline's `languages` do not have \(language.value)"
              + NearestName.suffix(language.value.rawValue, names),
            hint: "they are \(names.joined(separator: ", "))")
        }
      }
    }
  }

  /// Vendors are told apart by where they are: two in one place would take each other's bundles.
  private func reportPlaces() {
    var paths: [String: String] = [:]
    var pseudo: VendorDraft?
    for vendor in vendors {
      if vendor.definition.kind == "pseudo" {
        if let pseudo {
          vendor.field.report(
            "is a second vendor pseudo, beside \(pseudo.field.keyPath)", hint: "give its languages to that one")
        }
        pseudo = pseudo ?? vendor
      }
      guard vendor.definition.kind == "folder", let path = vendor.path else { continue }
      let place = Self.folded(path.value)
      if let other = paths[place] {
        path.field.report(
          "\(path.field.shown) is the folder of \(other) too", hint: "give each vendor a folder of its own")
      }
      paths[place] = paths[place] ?? vendor.field.keyPath
    }
  }

  /// Without `./` and without doubled and closing slashes.
  private static func folded(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + parts : parts
  }
}
