// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Birds", defaultLocalization: "en",
  targets: [.target(name: "Birds", resources: [.process("Resources")])])
