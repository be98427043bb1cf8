// swift-tools-version: 6.0
import PackageDescription

let names = ["A", "B"]
let package = Package(
  name: "Kit", defaultLocalization: "en", platforms: [.iOS(.v17)], products: [.library(name: "Kit", targets: names)],
  targets: names.map {
    .target(
      name: $0, dependencies: $0 == "B" ? ["A"] : [], path: "Sources/\($0)", exclude: ["x"], resources: [.process("R")])
  } + [
    .testTarget(name: "T", dependencies: ["A"]), .target(name: "App"),
  ])
for target in package.targets {
  var settings = target.swiftSettings ?? []; settings.append(.define("X", .when(configuration: .debug)));
  target.swiftSettings = settings
}
