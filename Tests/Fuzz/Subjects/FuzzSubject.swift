import CatalogFormats
import Foundation
import Localization
import ProjectLayout
import SwiftParsing
import ZipArchive

@testable import StringExtraction
@testable import SwiftFacts

/// A reader of external bytes, with the invariants that must hold for any bytes.
///
/// `make fuzz` runs each reader on libFuzzer's inputs, and `FuzzTests` runs it on the seeds and earlier findings.
package enum FuzzSubject: String, CaseIterable, Sendable {
  /// Compiles Swift source into facts, then encodes and decodes the facts.
  case swift
  /// The cases from `swiftApp` to `manifest` lay out, compile and link an app. The input is the app's only source (Swift, Objective-C, an Interface
  /// Builder file, a property list or an intent definition), or the project file or manifest of an app with one Swift source.
  case swiftApp = "swift-app"
  case objectiveC = "objective-c"
  case storyboard
  case infoPlist = "info-plist"
  case intents = "intent-definition"
  case projectFile = "project-file"
  case manifest
  case zip
  /// The formats, which `FormatSubject` describes.
  case catalog, xliff, strings
  case stringsDict = "stringsdict"
  case merge
  case formatString = "format-string"
  case markup
  case propertyList = "property-list"
  /// Reads, reviews and writes a returned bundle, which is a zip or an XLIFF file.
  case bundle

  /// Runs the reader on the input.
  /// - Throws: `FuzzFinding` if an invariant is violated. Refusing the input is not a finding.
  package func examine(_ bytes: [UInt8]) throws {
    switch self {
    case .swift: try examineFacts(bytes)
    case .swiftApp: try examineProject(["App/A.swift": bytes])
    case .objectiveC: try examineProject(["App/A.m": bytes])
    case .storyboard: try examineProject(["App/Base.lproj/Main.storyboard": bytes])
    case .infoPlist: try examineProject(["App/Info.plist": bytes])
    case .intents: try examineProject(["App/Base.lproj/Intents.intentdefinition": bytes])
    case .projectFile:
      try examineProject(["App.xcodeproj/project.pbxproj": bytes, "App/A.swift": Array("let a = Text(\"a\")".utf8)])
    case .manifest:
      try examineProject(["Package.swift": bytes, "Sources/App/A.swift": Array("let a = Text(\"a\")".utf8)])
    case .zip: examineZip(bytes)
    case .catalog, .xliff, .strings, .stringsDict, .merge, .formatString, .markup, .propertyList:
      try FormatSubject(rawValue: rawValue)?.examine(bytes)
    case .bundle: try BundleSubject().examine(bytes)
    }
  }

  private func examineFacts(_ bytes: [UInt8]) throws {
    try ParsingThreads.run {
      guard case .success(let source) = SourceGuard.stripped(bytes) else { return }
      let encoded = FactsEncoding.encode(FactCompiler.compile(SourceParsing.parse(source)))
      guard let decoded = FactsEncoding.decode(encoded) else { throw FuzzFinding("facts cannot be read back") }
      guard FactsEncoding.encode(decoded) == encoded else { throw FuzzFinding("facts change when they are read back") }
    }
  }

  /// A catalog with a translated key.
  private static let translated = Array(
    #"""
    { "sourceLanguage" : "en", "strings" : { "kept" : { "localizations" : {
      "de" : { "stringUnit" : { "state" : "translated", "value" : "behalten" } } } } }, "version" : "1.0" }
    """#.utf8)

  /// Extracts the strings of a project with these files and three catalogs. Checks that each string has a valid location, and that no translation is
  /// lost when the catalogs are updated from the strings.
  private func examineProject(_ files: [TreePath: [UInt8]]) throws {
    var files = files
    var catalogs: [TreePath: Catalog] = [:]
    for name in ["Localizable", "InfoPlist", "AppShortcuts"] {
      let path = TreePath(trusted: "App/\(name).xcstrings")
      files[path] = Self.translated
      catalogs[path] = try StringCatalogFormat().read(Self.translated, at: path)
    }
    let tree = InMemoryTree(files)
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let extraction = try SourceStringExtractor().extract(
      project, from: tree, existing: catalogs, options: ExtractionOptions(threads: 1), cache: nil)
    for string in extraction.strings {
      for site in string.sites where site.line < 1 || site.column < 1 {
        throw FuzzFinding("\(site.path) has a string at line \(site.line), column \(site.column)")
      }
    }
    for (path, catalog) in catalogs {
      let strings = extraction.strings.filter { $0.catalog == path }
      let synced = CatalogSync.sync(catalog, with: strings, mayRemove: true).catalog
      guard synced.entries["kept"]?.translations["de"] == Translation("behalten") else {
        throw FuzzFinding("an update of \(path) from the strings loses a translation")
      }
    }
  }

  private func examineZip(_ bytes: [UInt8]) {
    _ = try? ZipArchive.read(bytes, limits: ArchiveLimits(entries: 100, totalBytes: 1 << 20))
  }
}
