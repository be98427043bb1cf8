package import Localization

extension SourceStringExtractor {
  /// Reads usage descriptions, and the titles and subtitles of quick actions, in the Info.plists of the targets that an export includes. Blank texts
  /// and texts in catalogs that a build syncs are omitted. If an Info.plist cannot be read, the reason is returned, with the texts in the build
  /// settings.
  package func usageDescriptions(of project: ProjectDescription, in tree: any SourceTree) -> FoundUsageDescriptions {
    // A build syncs these catalogs with the Info.plist.
    let inStep = Set(project.catalogs.map(\.path).filter(\.isKeptInStep))
    var all = FoundUsageDescriptions()
    var found: [UnitID: ExtractedString] = [:]
    for target in project.forExport().targets where target.isTranslated && target.feedsCatalogs {
      for place in InfoPlistReader.catalogs(of: target, isForExport: true) where !inStep.contains(place.catalog) {
        let reading = InfoPlistReader.reading(of: target, from: tree, into: place, existing: nil)
        // A note is about a text that refers to an unknown setting, which is a problem only for a build.
        let unread = reading.gaps.map(\.reason).filter { $0.severity != .note }
        if !unread.isEmpty { all.unread[target.id, default: []] += unread }
        for string in reading.strings {
          // The title or subtitle of a quick action is the key itself.
          let isTitle = InfoPlistKeys.quickActions.contains(string.site.api)
          guard isTitle || string.key.hasSuffix(InfoPlistKeys.usageDescription),
            let value = string.value ?? (isTitle ? string.key : nil), !value.allSatisfy(\.isWhitespace)
          else { continue }
          let unit = UnitID(catalog: place.catalog, key: UnitKey(string.key))
          var known =
            found[unit]
            ?? ExtractedString(
              catalog: place.catalog, table: place.table, key: unit.key, value: value, comment: string.comment,
              origin: .infoPlist, targets: [])
          known.targets.append(target.id)
          if !known.sites.contains(string.site) { known.sites.append(string.site) }
          found[unit] = known
        }
      }
    }
    all.strings = found.sorted { $0.key < $1.key }.map { _, string in
      var string = string
      string.targets.sort()
      string.sites.sort()
      return string
    }
    return all
  }
}
