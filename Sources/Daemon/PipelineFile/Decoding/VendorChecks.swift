internal import Localization
internal import Pipeline
internal import TranslationVendors

/// Checks that compare all vendors of a pipeline with each other.
struct VendorChecks {
  let vendors: [VendorDraft]
  /// The pipeline's languages; `nil` if the pipeline lists no languages, or if they could not be read.
  let languages: [LocaleIdentifier]?

  func report() {
    VendorOrderChecks(vendors: vendors).report()
    reportLanguages()
    reportCodes()
    reportNames()
    reportDefaultNames()
    reportPlaces()
  }

  /// Reports languages that the pipeline does not have. Also reports a vendor to which nothing would be sent for a language, because an earlier
  /// vendor that takes all catalogs lists the same language, or because both vendors lack `languages`. Vendors without `languages` are not compared
  /// if their kind is unknown or they only get units from other vendors.
  private func reportLanguages() {
    var taken: [String: String] = [:]
    var rest: VendorDraft?
    let followers = Set(vendors.flatMap { [$0.fallback?.value, $0.then?.value].compactMap(\.self) })
    for vendor in vendors {
      // A fallback or `then` vendor without languages only gets units from other vendors.
      if vendor.languages == nil, let name = vendor.name?.value, followers.contains(name) { continue }
      guard let own = vendor.languages else {
        // A vendor of an unknown kind gets no languages, so this vendor does not conflict with other vendors.
        guard !vendor.definition.kind.isEmpty else { continue }
        if let rest {
          vendor.field.report(
            "`languages` is missing, but \(rest.field.keyPath) already receives all remaining languages",
            hint: "set `languages` on one of them, or `catalogs` or `tables` on \(rest.field.keyPath)")
        }
        if vendor.definition.scope.isEverything { rest = rest ?? vendor }
        continue
      }
      for language in own {
        let identity = language.value.rawValue.lowercased()
        if let other = taken[identity] {
          language.field.report(
            "\(other) already has \(language.value)",
            hint: "give each language to only one vendor, or set `catalogs` or `tables` on \(other)")
        }
        if vendor.definition.scope.isEverything { taken[identity] = taken[identity] ?? vendor.field.keyPath }
        if let languages, !languages.contains(language.value) {
          let names = languages.map(\.rawValue)
          language.field.report(
            "\(language.value) is not one of the pipeline's `languages`"
              + LanguageMatch([Set(languages)]).suffix(language.value.rawValue),
            hint: "the pipeline has \(names.joined(separator: ", "))")
        }
      }
    }
  }

  /// Reports languages that have the same code at their vendor. A vendor without `languages` gets the languages that no vendor for all catalogs
  /// lists. A vendor without `languages` that only gets units from other vendors is checked later, by `vendors test`, when its languages are known.
  private func reportCodes() {
    let followers = Set(vendors.flatMap { [$0.fallback?.value, $0.then?.value].compactMap(\.self) })
    let listed = Set(
      vendors.filter(\.definition.scope.isEverything).flatMap { ($0.languages ?? []).map(\.value) })
    for vendor in vendors {
      guard let locales = vendor.locales else { continue }
      let isFollower = vendor.name.map { followers.contains($0.value) } ?? false
      let rest = isFollower ? [] : (languages ?? []).filter { !listed.contains($0) }
      for (code, shared) in locales.shared(by: vendor.languages?.map(\.value) ?? rest) {
        let words = VendorLocales.sharing(code, shared, at: vendor.definition.kind)
        vendor.field.report(words.fault, hint: words.step)
      }
    }
  }

  /// Reports names and former names that are not unique, because these names identify vendors in the ledger. Also reports names that would give two
  /// vendors the same state files.
  private func reportNames() {
    var taken: [String: VendorDraft] = [:]
    var files: [String: VendorDraft] = [:]
    for vendor in vendors {
      guard let name = vendor.name else { continue }
      let identity = name.value.lowercased()
      let stateName = VendorStateName.of(identity)
      if let other = taken[identity] {
        name.field.report(
          "\(other.field.keyPath) has the name \(name.field.shown) too", hint: "give each vendor its own name")
      } else if let other = files[stateName] {
        name.field.report(
          "\(name.field.shown) and the name of \(other.field.keyPath) differ only in punctuation, so both vendors would use the "
            + "same state files", hint: "give each vendor a name with other letters or digits")
      }
      files[stateName] = files[stateName] ?? vendor
      taken[identity] = taken[identity] ?? vendor
    }
    var former: [String: VendorDraft] = [:]
    for vendor in vendors {
      for old in vendor.formerly {
        let identity = old.value.lowercased()
        if let other = taken[identity], other.field.keyPath != vendor.field.keyPath {
          old.field.report(
            "the former name \(old.field.shown) is in use: it is the name of \(other.field.keyPath)", hint: "remove it")
        }
        if let other = former[identity] {
          old.field.report(
            "\(old.field.shown) is also a former name of \(other.field.keyPath)",
            hint: "only one vendor can have had this name")
        }
        former[identity] = former[identity] ?? vendor
      }
    }
  }

  /// Reports vendors without a name whose default names are not unique, for example for two branches of one project. Vendors with the same location
  /// are reported by `reportPlaces`.
  private func reportDefaultNames() {
    var taken: [String: VendorDraft] = [:]
    for (index, vendor) in vendors.enumerated() {
      let kind = vendor.definition.kind
      let settings = VendorSettings(
        givenName: vendor.name?.value, options: vendor.definition.options,
        number: vendors[..<index].count { $0.definition.kind == kind } + 1)
      guard let name = VendorRegistry.kind(named: kind)?.vendorName(of: settings) else { continue }
      guard let other = taken[name] else {
        taken[name] = vendor
        continue
      }
      let isReported =
        vendor.name != nil && other.name != nil || vendor.place != nil && vendor.place?.value == other.place?.value
      guard !isReported else { continue }
      vendor.field.report(
        "this vendor and \(other.field.keyPath) would both have the name \(name)", hint: "give each vendor a `name`")
    }
  }

  /// Reports two vendors with the same location, because each vendor would take the other vendor's bundles.
  private func reportPlaces() {
    var places: [String: VendorDraft] = [:]
    for vendor in vendors {
      guard let place = vendor.place else { continue }
      if let other = places[place.value] {
        place.field.report(
          "\(other.field.keyPath) has the same location",
          hint: "give each vendor its own location, or give its languages to \(other.field.keyPath)")
      }
      places[place.value] = places[place.value] ?? vendor
    }
  }
}
