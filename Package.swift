// swift-tools-version: 6.2
import PackageDescription

let strictSettings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// For targets that handle raw bytes: the C wrappers and the parsers.
let memorySafeSettings = strictSettings + [.strictMemorySafety()]

/// Reduces the resident memory of the release program (docs/decisions/0033-linking.md).
let smallProgram: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(configuration: .release))
]

let swiftSyntax: [Target.Dependency] = [
  .product(name: "SwiftSyntax", package: "swift-syntax"),
  .product(name: "SwiftParser", package: "swift-syntax"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "dragoman",
  defaultLocalization: "en",
  products: [.executable(name: "dragoman", targets: ["dragoman"])],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
  ],
  targets: [
    // The domain, and lossless syntax.
    .target(name: "Localization", dependencies: ["CLibCrypto"], swiftSettings: strictSettings),
    .target(name: "StructuredText", swiftSettings: memorySafeSettings),
    .target(
      name: "CatalogFormats", dependencies: ["Localization", "StructuredText"], swiftSettings: memorySafeSettings),

    // From sources to text units.
    .target(
      name: "SwiftParsing", dependencies: ["Localization", "CMalloc"] + swiftSyntax, swiftSettings: strictSettings),
    .target(
      name: "ProjectLayout",
      dependencies: ["Localization", "StructuredText", "SwiftParsing", yams] + swiftSyntax,
      swiftSettings: strictSettings),
    .target(
      name: "SwiftFacts", dependencies: ["Localization", "StructuredText", "SwiftParsing"] + swiftSyntax,
      swiftSettings: strictSettings),
    .target(
      name: "SDKDeclarations", dependencies: ["Localization", "SwiftParsing", "SwiftFacts"] + swiftSyntax,
      exclude: ["Stubs"], swiftSettings: strictSettings),
    .target(
      name: "SwiftLinking", dependencies: ["Localization", "SwiftFacts", "SDKDeclarations"],
      swiftSettings: strictSettings),
    .target(
      name: "IncrementalLinking",
      dependencies: [
        "Localization", "StructuredText", "SwiftParsing", "SwiftFacts", "SDKDeclarations", "SwiftLinking",
      ],
      swiftSettings: strictSettings),
    .target(
      name: "StringExtraction",
      dependencies: [
        "Localization", "StructuredText", "SwiftParsing", "SwiftFacts", "SDKDeclarations", "SwiftLinking",
        "IncrementalLinking",
      ], swiftSettings: strictSettings),
    .target(
      name: "SwiftAdvice", dependencies: ["Localization", "SwiftParsing"] + swiftSyntax, swiftSettings: strictSettings),
    .executableTarget(
      name: "sdk-facts", dependencies: ["Localization", "SDKDeclarations"], swiftSettings: strictSettings),

    // Writes CLDR's plural rules as a table in Localization.
    .executableTarget(name: "plural-rules", swiftSettings: strictSettings),

    // The exchange with vendors.
    .target(
      name: "TranslationVendors",
      dependencies: [
        "Localization", "StructuredText", "CatalogFormats", "ChildPrograms", "HTTPTransport", "ZipArchive", logging,
      ],
      swiftSettings: strictSettings),
    .target(name: "ChildPrograms", dependencies: ["Localization", "CSpawn"], swiftSettings: memorySafeSettings),
    .target(
      name: "HTTPTransport", dependencies: ["Localization", "CLibCurl", tracing], swiftSettings: memorySafeSettings),
    .target(name: "ZipArchive", dependencies: ["Localization", "CLibArchive"], swiftSettings: memorySafeSettings),

    // The operations on a tree that the command line and the daemon share.
    .target(name: "Workspace", dependencies: ["Localization", "CatalogFormats"], swiftSettings: strictSettings),

    // The stages that a commit passes through, and the repositories that they read.
    .target(
      name: "Pipeline", dependencies: ["Localization", "CatalogFormats", "Workspace", logging, lifecycle, tracing],
      swiftSettings: strictSettings),
    .target(
      name: "GitSource",
      dependencies: ["Localization", "Pipeline", "ChildPrograms", "HTTPTransport", "CLibGit2", "CLibZ", tracing],
      swiftSettings: memorySafeSettings),
    // The store port in SQL, shared by both databases, and the databases.
    .target(name: "LedgerStore", dependencies: ["Localization", "Pipeline"], swiftSettings: strictSettings),
    .target(
      name: "SQLiteStore",
      dependencies: ["Localization", "Pipeline", "LedgerStore", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strictSettings),
    .target(name: "PostgreSQLClient", dependencies: ["Localization", "CLibPQ"], swiftSettings: memorySafeSettings),
    .target(
      name: "PostgreSQLStore", dependencies: ["Localization", "Pipeline", "LedgerStore", "PostgreSQLClient"],
      swiftSettings: strictSettings),

    // What people read and decide.
    .target(name: "ReadModel", dependencies: ["Localization", "Pipeline"], swiftSettings: strictSettings),

    // Pull requests on the servers that host repositories.
    .target(
      name: "GitHosting",
      dependencies: ["CLibCryptoRSA", "Localization", "Pipeline", "HTTPTransport", "TranslationVendors"],
      swiftSettings: strictSettings),

    // The composition root, and the command line.
    .target(
      name: "Daemon",
      dependencies: [
        "Localization", "StructuredText", "CatalogFormats", "SwiftParsing", "ProjectLayout", "StringExtraction",
        "SwiftAdvice",
        "TranslationVendors", "HTTPTransport", "ZipArchive", "Workspace", "Pipeline", "ReadModel", "ChildPrograms",
        "GitSource", "GitHosting", "LedgerStore", "SQLiteStore", "PostgreSQLClient", "PostgreSQLStore",
        logging, lifecycle, tracing, yams,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strictSettings),
    // The pages of the dashboard.
    .target(
      name: "Dashboard",
      dependencies: [
        "Localization", "CatalogFormats", "Pipeline", "ReadModel",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Resources/Localizable.xcstrings")], swiftSettings: strictSettings),
    // The daemon's HTTP server: probes, metrics, webhooks, the API and the dashboard.
    .target(
      name: "DaemonServer",
      dependencies: [
        "Localization", "HTTPTransport", "Pipeline", "ReadModel", "TranslationVendors", "Dashboard", "Daemon", logging,
        lifecycle,
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ],
      swiftSettings: strictSettings),
    .executableTarget(
      name: "dragoman",
      dependencies: [
        "Localization", "CatalogFormats", "SwiftParsing", "ProjectLayout", "StringExtraction", "Workspace", "Pipeline",
        "GitSource", "LedgerStore", "SQLiteStore", "ReadModel", "ZipArchive", "TranslationVendors", "Daemon",
        "DaemonServer", logging, tracing, argumentParser,
      ],
      resources: [.process("Resources")], swiftSettings: strictSettings, linkerSettings: smallProgram),

    // Tests.
    .target(
      name: "TextEvaluation", dependencies: ["Localization"], path: "Tests/TextEvaluation",
      swiftSettings: strictSettings),
    .target(
      name: "TestSupport", dependencies: ["Localization", "Pipeline", "HTTPTransport", "CSpawn"],
      swiftSettings: strictSettings),
    // Stateful stand-ins for the vendors' APIs, on loopback.
    .target(
      name: "VendorServers",
      dependencies: ["Localization", "HTTPTransport", "TestSupport", "TranslationVendors", "ZipArchive", yams],
      swiftSettings: strictSettings),
    .testTarget(
      name: "LocalizationTests", dependencies: ["Localization", "TextEvaluation", "TestSupport", "plural-rules"],
      swiftSettings: strictSettings),
    .testTarget(name: "StructuredTextTests", dependencies: ["StructuredText"], swiftSettings: memorySafeSettings),
    .testTarget(
      name: "CatalogFormatsTests",
      dependencies: ["CatalogFormats", "StructuredText", "Localization", "TextEvaluation", "TestSupport"],
      swiftSettings: memorySafeSettings),
    .testTarget(
      name: "SwiftParsingTests", dependencies: ["SwiftParsing", "Localization"], swiftSettings: strictSettings),
    .testTarget(
      name: "ProjectLayoutTests", dependencies: ["ProjectLayout", "Localization", "TestSupport"],
      swiftSettings: strictSettings),
    .testTarget(
      name: "StringExtractionTests",
      dependencies: [
        "StringExtraction", "IncrementalLinking", "SwiftLinking", "SDKDeclarations", "SwiftFacts", "SwiftParsing",
        "Localization", "TestSupport",
      ] + swiftSyntax, swiftSettings: strictSettings),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["HTTPTransport", "Localization", "TestSupport"],
      swiftSettings: strictSettings),
    .testTarget(
      name: "ZipArchiveTests", dependencies: ["ZipArchive", "Localization", "TestSupport"],
      swiftSettings: strictSettings),
    .testTarget(
      name: "TranslationVendorsTests",
      dependencies: [
        "TranslationVendors", "CatalogFormats", "ChildPrograms", "HTTPTransport", "ZipArchive", "Localization",
        "TestSupport", "VendorServers", logging,
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "WorkspaceTests", dependencies: ["Workspace", "CatalogFormats", "Localization"],
      swiftSettings: strictSettings),
    .testTarget(
      name: "GitSourceTests",
      dependencies: [
        "GitSource", "CLibGit2", "ChildPrograms", "HTTPTransport", "Pipeline", "Localization", "TestSupport",
        "dragoman",
      ],
      swiftSettings: strictSettings),
    .testTarget(
      name: "GitHostingTests",
      dependencies: [
        "GitHosting", "Pipeline", "HTTPTransport", "TranslationVendors", "Localization", "TestSupport", "dragoman",
        logging,
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "Pipeline", "CatalogFormats", "LedgerStore", "SQLiteStore", "Simulation", "Workspace", "Localization",
        "TestSupport", logging,
      ],
      swiftSettings: strictSettings),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "SQLiteStore", "LedgerStore", "Pipeline", "Localization", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "PostgreSQLStoreTests",
      dependencies: [
        "PostgreSQLStore", "PostgreSQLClient", "LedgerStore", "SQLiteStore", "Pipeline", "Localization", "TestSupport",
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Daemon", "TranslationVendors", "HTTPTransport", "LedgerStore", "SQLiteStore", "Pipeline", "Localization",
        "TestSupport", tracing,
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "DaemonServerTests",
      dependencies: [
        "DaemonServer", "Dashboard", "Daemon", "ReadModel", "Pipeline", "TranslationVendors", "HTTPTransport",
        "Localization",
        "TestSupport", "VendorServers", logging,
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ], swiftSettings: strictSettings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Daemon", "Workspace", "Pipeline", "ReadModel", "GitSource", "LedgerStore", "SQLiteStore", "CatalogFormats",
        "ProjectLayout", "StringExtraction", "HTTPTransport", "ZipArchive", "Localization", "TestSupport",
        "VendorServers", "dragoman", logging, lifecycle, argumentParser, yams,
      ], exclude: ["Scenarios", "Upgrade"], swiftSettings: strictSettings),

    // Deterministic simulation: the pipeline on simulated time, disk, git, people and vendors; `make simulate` runs it.
    .target(
      name: "CSimulatedMachine", path: "Sources/CSimulatedMachine", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "Simulation",
      dependencies: [
        "Localization", "CatalogFormats", "Workspace", "Pipeline", "LedgerStore", "SQLiteStore", "CSimulatedMachine",
        logging,
      ],
      swiftSettings: strictSettings),
    .executableTarget(
      name: "dragoman-simulation", dependencies: ["Simulation"], path: "Tests/Simulate",
      exclude: ["mistakes.patch", "mutate.sh"], swiftSettings: strictSettings),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Simulation", "Localization", "CatalogFormats", "Pipeline", "LedgerStore", "SQLiteStore", "TestSupport",
        "dragoman-simulation",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strictSettings),

    // What `make bench` runs; built with the tests, so that it keeps compiling.
    .executableTarget(
      name: "dragoman-benchmarks",
      dependencies: [
        "Localization", "StructuredText", "CatalogFormats", "GitSource", "Pipeline", "ProjectLayout",
        "StringExtraction", "SwiftParsing", "TranslationVendors", "HTTPTransport", "SQLiteStore", "PostgreSQLClient",
        "PostgreSQLStore", "dragoman", logging,
      ] + swiftSyntax, path: "Tests/Benchmarks", exclude: ["Peers", "operations.py", "weblate.py"],
      swiftSettings: strictSettings),

    // The properties that readers must have for any bytes, replayed by a test; `make fuzz` adds libFuzzer's
    // driver, which only a build with `--sanitize fuzzer` can link.
    .target(
      name: "FuzzSubjects",
      dependencies: [
        "Localization", "CatalogFormats", "ProjectLayout", "StringExtraction", "StructuredText", "SwiftFacts",
        "SwiftParsing", "TextEvaluation", "TranslationVendors", "ZipArchive",
      ], path: "Tests/Fuzz/Subjects", swiftSettings: strictSettings),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzSubjects"], swiftSettings: strictSettings),

    // What `make layers` runs.
    .executableTarget(name: "layers", dependencies: swiftSyntax, path: "Tests/Layers", swiftSettings: strictSettings),

    // C.
    .systemLibrary(name: "CLibGit2", pkgConfig: "libgit2", providers: [.apt(["libgit2-dev"])]),
    .systemLibrary(name: "CLibZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CLibCryptoRSA", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // The settings of the C library's allocator.
    .systemLibrary(name: "CMalloc"),
    // What the importer leaves out of <spawn.h>.
    .systemLibrary(name: "CSpawn"),
  ],
  swiftLanguageModes: [.v6]
)
