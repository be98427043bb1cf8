import Localization
import SwiftParsing
import Testing

@testable import StringExtraction
@testable import SwiftFacts

/// Code under `#if`, mostly with `os(…)`. A target's catalog gets the strings of code that is compiled for a platform of the target.
@Suite struct PlatformConditionTests {
  private static let source = #"""
    import SwiftUI
    struct A: View {
      var body: some View {
        Text("everywhere")
        #if os(macOS)
          Text("mac")
        #elseif os(iOS) || os(tvOS)
          Text("phone or box")
        #else
          Text("others")
        #endif
        #if !os(macOS) && DEBUG
          Text("not mac")
        #endif
        Text("modified")
          #if os(macOS)
            .help("mac help")
          #endif
        #if canImport(AppKit)
          Text("AppKit")
        #endif
        #if FLAG
          Text("flag")
        #endif
      }
    }
    """#

  @Test(
    "keys are extracted only from code that is compiled for a platform of the target",
    arguments: [
      ("macosx", ["AppKit", "everywhere", "flag", "mac", "mac help", "modified"]),
      ("iphoneos iphonesimulator", ["everywhere", "flag", "modified", "not mac", "phone or box"]),
      ("xros xrsimulator", ["everywhere", "flag", "modified", "not mac", "others"]),
      (
        "iphoneos iphonesimulator macosx",
        ["AppKit", "everywhere", "flag", "mac", "mac help", "modified", "not mac", "phone or box"]
      ),
      (
        nil,
        ["AppKit", "everywhere", "flag", "mac", "mac help", "modified", "not mac", "others", "phone or box"]
      ),
    ] as [(String?, [String])])
  func platforms(_ supported: String?, _ keys: [String]) throws {
    var fixture = ExtractionFixture(["A.swift": Self.source])
    if let supported {
      let setting = BuildSetting(value: supported, path: "A.xcodeproj/project.pbxproj", line: 1, column: 1)
      fixture.project.targets[0].configurations = [
        BuildConfiguration(
          name: "Debug",
          settings: [
            "SUPPORTED_PLATFORMS": setting,
            "SWIFT_EMIT_LOC_STRINGS": BuildSetting(value: "YES", path: setting.path, line: 1, column: 1),
          ])
      ]
    }
    #expect(try fixture.extract().strings.map(\.key.text) == keys)
  }

  @Test(
    "an export omits code for simulators, because Xcode builds it for devices (Schokolado/FitTrackPro, 26.5)",
    arguments: [
      ("iphoneos", false, ["device", "flag", "no simulator of tv", "scan"]), ("iphoneos", true, ["device"]),
      ("macosx", false, ["device"]), (nil, true, ["device", "no simulator of tv"]),
    ] as [(String?, Bool, [String])])
  func simulators(_ supported: String?, _ isForDevices: Bool, _ keys: [String]) throws {
    var fixture = ExtractionFixture([
      "A.swift": #"""
      import SwiftUI
      struct A: View {
        var body: some View {
          #if targetEnvironment(simulator)
            Text("scan")
          #else
            Text("device")
          #endif
          #if FLAG && targetEnvironment(simulator)
            Text("flag")
          #endif
          #if os(tvOS) && !targetEnvironment(simulator) || os(iOS) && targetEnvironment(simulator)
            Text("no simulator of tv")
          #endif
        }
      }
      """#
    ])
    if let supported {
      let setting = BuildSetting(value: supported, path: "A.xcodeproj/project.pbxproj", line: 1, column: 1)
      fixture.project.targets[0].configurations = [
        BuildConfiguration(name: "Debug", settings: ["SUPPORTED_PLATFORMS": setting])
      ]
    }
    fixture.project.targets[0].isForDevices = isForDevices
    #expect(try fixture.extract().strings.map(\.key.text) == keys)
  }

  @Test("strings of code that only Debug builds compile are marked, also if they are read from the cache (R21)")
  func debugging() throws {
    let fixture = ExtractionFixture([
      "A.swift": #"""
      import SwiftUI
      struct A: View {
        var body: some View {
          #if DEBUG
            Text("debug")
            Text("both")
            #if os(iOS)
              Text("debug on iOS")
            #endif
          #endif
          #if os(macOS) && DEBUG
            Text("debug on macOS")
          #else
            Text("else")
          #endif
          #if !DEBUG
            Text("never")
          #else
            Text("not release")
          #endif
          #if DEBUG || FLAG
            Text("or")
          #endif
          #if os(iOS)
            Text("iOS")
          #elseif os(macOS) || targetEnvironment(simulator)
            Text("macOS")
          #endif
          Text("both")
        }
      }
      """#
    ])
    let cache = MemoryFactCache()
    for _ in 0..<3 {
      let strings = try fixture.extract(cache: cache).strings
      #expect(
        strings.filter(\.isOnlyForDebugging).map(\.key.text)
          == ["debug", "debug on iOS", "debug on macOS", "not release"])
      #expect(strings.filter { !$0.isOnlyForDebugging }.map(\.key.text) == ["both", "else", "iOS", "macOS", "or"])
    }
  }

  @Test("facts read back from the cache keep the platforms of a literal")
  func cached() throws {
    let compiled = FactsEncoding.encode(FactCompiler.compile(SourceParsing.parseUnchecked(Array(Self.source.utf8))))
    let decoded = try #require(FactsEncoding.decode(compiled))
    #expect(FactsEncoding.encode(decoded) == compiled)
    let unconditional = Self.source.replacing("os(macOS)", with: "os(tvOS)")
    #expect(
      FactsEncoding.encode(FactCompiler.compile(SourceParsing.parseUnchecked(Array(unconditional.utf8)))) != compiled)
  }
}
