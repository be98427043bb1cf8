internal import Localization
internal import Pipeline

/// What holds of all vendors of a pipeline together.
struct VendorChecks {
  let vendors: [VendorDraft]
  /// The pipeline's; `nil` where it names none, or they could not be read.
  let languages: [LocaleIdentifier]?

  func report() {
    reportLanguages()
    reportNames()
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

  /// Names, given and former ones, tell vendors apart in the ledger.
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

  /// Two vendors in one place would take each other's work.
  private func reportPlaces() {
    var places: [String: VendorDraft] = [:]
    for vendor in vendors {
      guard let place = vendor.place else { continue }
      if let other = places[place.value] {
        place.field.report(
          "\(other.field.keyPath) has the same place",
          hint: "give each vendor a place of its own, or give its languages to \(other.field.keyPath)")
      }
      places[place.value] = places[place.value] ?? vendor
    }
  }
}
