// swift-tools-version: 6.0
import PackageDescription

// A separate package, so that users of the plugin do not get Dragoman's dependencies.
let package = Package(
  name: "Localize",
  products: [.plugin(name: "Localize", targets: ["Localize"])],
  targets: [
    .plugin(
      name: "Localize",
      capability: .command(
        intent: .custom(
          verb: "localize",
          description: "Run dragoman on this package: status, check or sync. Uses the program that is installed.")))
  ]
)
