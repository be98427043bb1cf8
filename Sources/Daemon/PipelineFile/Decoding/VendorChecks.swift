internal import Localization
internal import Pipeline

/// Checks all vendors of a pipeline together.
struct VendorChecks {
  let vendors: [VendorDraft]
  /// The pipeline's languages; `nil` if it lists none or if they could not be read.
  let languages: [LocaleIdentifier]?

  func report() {
    reportLanguages()
    reportNames()
    reportPlaces()
  }

  /// Each language must go to only one vendor, and must be one of the pipeline's.
  private func reportLanguages() {
    var taken: [String: String] = [:]
    var rest: VendorDraft?
    for vendor in vendors {
      guard let own = vendor.languages else {
        // A vendor of an unknown kind gets no languages.
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

  /// Names and former names identify vendors in the ledger, so they must be unique.
  private func reportNames() {
    var taken: [String: VendorDraft] = [:]
    for vendor in vendors {
      guard let name = vendor.name else { continue }
      let identity = name.value.lowercased()
      if let other = taken[identity] {
        name.field.report(
          "\(name.field.shown) is the name of \(other.field.keyPath) too", hint: "give each vendor a name of its own")
      }
      taken[identity] = taken[identity] ?? vendor
    }
    var former: [String: VendorDraft] = [:]
    for vendor in vendors {
      for old in vendor.formerly {
        let identity = old.value.lowercased()
        if let other = taken[identity], other.field.keyPath != vendor.field.keyPath {
          old.field.report(
            "the former name \(old.field.shown) is in use: \(other.field.keyPath) has it now", hint: "take it out")
        }
        if let other = former[identity] {
          old.field.report(
            "\(old.field.shown) is a former name of \(other.field.keyPath) too", hint: "only one vendor had that name")
        }
        former[identity] = former[identity] ?? vendor
      }
    }
  }

  /// Two vendors in one folder would take each other's bundles.
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
      let place = CanonicalPlace.address(path.value)
      if let other = paths[place] {
        path.field.report(
          "\(path.field.shown) is the folder of \(other) too", hint: "give each vendor a folder of its own")
      }
      paths[place] = paths[place] ?? vendor.field.keyPath
    }
  }
}
