import CatalogFormats
import Localization
import Pipeline

extension ProjectSnapshot {
  /// Adds what code, interface files and Info.plists hold to the catalogs, as an export does: none is removed, none becomes stale, and
  /// tables that are not there are made.
  /// - Returns: what could not be added, and why.
  mutating func addKeysFromCode() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for (path, found) in Dictionary(grouping: extraction.strings, by: \.catalog) where unreadable[path] == nil {
      if path.isInterface {
        guard let known = project.catalogs.first(where: { $0.path == path }) else { continue }
        catalogs[path] = interface(known, strings: found, &diagnostics)
      } else if CatalogFormatRegistry.project.format(for: path) != nil {
        let language = sourceLanguage(of: path, fedBy: found)
        if path.ending != "xcstrings" {
          let before = catalogs[path] ?? Catalog(path: path, sourceLanguage: language)
          catalogs[path] = ClassicExport.adding(found, to: before)
        } else if let before = catalogs[path] {
          catalogs[path] = CatalogSync.sync(before, with: found, mayRemove: false).catalog
        } else {
          var made = ClassicExport.newCatalog(at: path, in: language, of: found)
          if isUntranslatable(found) {
            // Names of document types in an Info.plist, which are keys without a value, stay.
            for string in found where !TablePlaces.isInfoPlist(made.table) || string.value != nil {
              made.entries[string.key]?.shouldTranslate = false
            }
          }
          catalogs[path] = made
        }
      }
    }
    diagnostics += unreadable.keys.sorted().map {
      Diagnostic(path: $0.text, severity: .warning, message: "is not exported, because it could not be read")
    }
    return diagnostics
  }

  /// The source language of a table that is made: the development language of a target that feeds it.
  private func sourceLanguage(of path: TreePath, fedBy strings: [ExtractedString]) -> LocaleIdentifier {
    let feeding = Set(strings.flatMap(\.targets))
    return project.targets.first { feeding.contains($0.id) }?.newTables?.language ?? extraction.sourceLanguage
  }

  /// Whether no target that feeds a table can hold translations.
  private func isUntranslatable(_ strings: [ExtractedString]) -> Bool {
    let feeding = Set(strings.flatMap(\.targets))
    return project.targets.allSatisfy { !feeding.contains($0.id) || $0.newTables?.isUntranslatable == true }
  }

  /// A storyboard, xib or intent definition as a catalog: its own texts, and the translations of its `.strings` files.
  private func interface(
    _ catalog: ProjectCatalog, strings: [ExtractedString], _ diagnostics: inout [Diagnostic]
  ) -> Catalog {
    var result = ClassicExport.adding(
      strings, to: Catalog(path: catalog.path, sourceLanguage: catalog.sourceLanguage))
    for (language, path) in catalog.localizations where path.ending == "strings" {
      do {
        let values = try StringsFile.read(try tree.read(path), at: path).values
        for (key, entry) in values where result.entries[key] != nil {
          result.entries[key]?.translations[language] = Translation(entry.value)
        }
      } catch let error as TreeError {
        diagnostics.append(error.diagnostic)
      } catch let fault as InputFault {
        diagnostics += fault.diagnostics
      } catch {
        diagnostics.append(Diagnostic(path: path.text, severity: .error, message: "\(error)"))
      }
    }
    return result
  }

  /// Marks the keys that a `.strings` table and the `.stringsdict` beside it both have, and gives the latter the comments of the former, as
  /// exports of Xcode 15 do (formats.md B3).
  mutating func marksTwins() {
    for (path, rules) in catalogs where path.ending == "stringsdict" {
      let twin = path.parent.appending(path.stem + ".strings")
      guard var strings = catalogs[twin] else { continue }
      for key in rules.entries.keys where strings.entries[key] != nil { strings.entries[key]?.shouldTranslate = false }
      catalogs[twin] = strings
      catalogs[path] = ClassicExport.sharing(commentsOf: strings, with: rules)
    }
  }
}
