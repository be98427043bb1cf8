// swift-tools-version: 6.2
import PackageDescription

let package = Package(name: "dragoman", defaultLocalization: "en", targets: [.target(name: "Localization", swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")])], swiftLanguageModes: [.v6])
