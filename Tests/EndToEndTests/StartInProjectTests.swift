import Foundation
import TestSupport
import Testing

/// `init` in Xcode projects that list their files one by one.
@Suite("The command init in an Xcode project")
struct StartInProjectTests {
  /// A project with an app and an extension without tables, in Xcode's layout.
  private static let project = """
    // !$*UTF8*$!
    {
    	archiveVersion = 1;
    	objectVersion = 56;
    	objects = {

    /* Begin PBXBuildFile section */
    		A1 /* App.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* App.swift */; };
    		A2 /* Ext.swift in Sources */ = {isa = PBXBuildFile; fileRef = F2 /* Ext.swift */; };
    /* End PBXBuildFile section */

    /* Begin PBXFileReference section */
    		F1 /* App.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = App.swift; sourceTree = "<group>"; };
    		F2 /* Ext.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = Ext.swift; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    		G0 = {
    			isa = PBXGroup;
    			children = (
    				G1 /* App */,
    				G2 /* Ext */,
    			);
    			sourceTree = "<group>";
    		};
    		G1 /* App */ = {
    			isa = PBXGroup;
    			children = (
    				F1 /* App.swift */,
    			);
    			path = App;
    			sourceTree = "<group>";
    		};
    		G2 /* Ext */ = {
    			isa = PBXGroup;
    			children = (
    				F2 /* Ext.swift */,
    			);
    			path = Ext;
    			sourceTree = "<group>";
    		};
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    		T1 /* App */ = {isa = PBXNativeTarget; buildConfigurationList = L1; buildPhases = (S1, R1, ); name = App; productType = "com.apple.product-type.application"; };
    		T2 /* Ext */ = {isa = PBXNativeTarget; buildConfigurationList = L2; buildPhases = (S2, R2, ); name = Ext; productType = "com.apple.product-type.app-extension"; };
    /* End PBXNativeTarget section */

    		P = {isa = PBXProject; developmentRegion = en; knownRegions = (en, Base, ); mainGroup = G0; targets = (T1, T2, ); };

    /* Begin PBXResourcesBuildPhase section */
    		R1 /* Resources */ = {
    			isa = PBXResourcesBuildPhase;
    			files = (
    			);
    		};
    		R2 /* Resources */ = {
    			isa = PBXResourcesBuildPhase;
    			files = (
    			);
    		};
    /* End PBXResourcesBuildPhase section */

    		S1 = {isa = PBXSourcesBuildPhase; files = (A1, ); };
    		S2 = {isa = PBXSourcesBuildPhase; files = (A2, ); };
    		C1 = {isa = XCBuildConfiguration; buildSettings = {INFOPLIST_FILE = App/Info.plist; SWIFT_EMIT_LOC_STRINGS = YES; }; name = Debug; };
    		C2 = {isa = XCBuildConfiguration; buildSettings = {INFOPLIST_FILE = Ext/Info.plist; SWIFT_EMIT_LOC_STRINGS = YES; }; name = Debug; };
    		L1 = {isa = XCConfigurationList; buildConfigurations = (C1, ); };
    		L2 = {isa = XCConfigurationList; buildConfigurations = (C2, ); };
    	};
    	rootObject = P;
    }

    """
  private static let file = "App.xcodeproj/project.pbxproj"
  private static let camera =
    "<plist><dict><key>NSCameraUsageDescription</key><string>To scan</string></dict></plist>"

  private func app(_ project: String = Self.project, _ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(project, to: Self.file)
    try folder.write("import SwiftUI\nlet hello = Text(\"Hello\")\n", to: "App/App.swift")
    try folder.write("import SwiftUI\nlet bye = Text(\"Bye\")\n", to: "Ext/Ext.swift")
    for (name, text) in files { try folder.write(text, to: name) }
    return folder
  }

  private func text(_ folder: TemporaryFolder) throws -> String {
    String(decoding: try folder.read(Self.file), as: UTF8.self)
  }

  @Test("init creates catalogs and adds them to the group and the target, as Xcode does")
  func listed() throws {
    let folder = try app()
    let gate = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(gate.output.contains("`dragoman init` creates the catalog"), "\(gate)")
    let start = try dragoman(["init"], in: folder.path)
    #expect(
      start.output == """
        App/Localizable.xcstrings: created, with 1 string
        Ext/Localizable.xcstrings: created, with 1 string
        App.xcodeproj/project.pbxproj: changed

        """, "\(start)")
    // The only changes are new lines, each at the position that Xcode would choose.
    let lines = try text(folder).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let added = lines.filter { $0.contains("xcstrings") }
    let ids = added.compactMap { $0.firstMatch(of: /^\t\t([0-9A-F]{24}) .*fileRef = ([0-9A-F]{24})/) }
      .map { (file: String($0.1), reference: String($0.2)) }
    #expect(lines.filter { !$0.contains("xcstrings") }.joined(separator: "\n") == Self.project)
    #expect(added.count == 8 && ids.count == 2, "\(added)")
    for (file, reference) in ids {
      #expect(
        added.contains(
          "\t\t\(reference) /* Localizable.xcstrings */ = {isa = PBXFileReference; lastKnownFileType = text.json.xcstrings; "
            + "path = Localizable.xcstrings; sourceTree = \"<group>\"; };"), "\(added)")
      #expect(added.contains("\t\t\t\t\(reference) /* Localizable.xcstrings */,"), "\(added)")
      #expect(added.contains("\t\t\t\t\(file) /* Localizable.xcstrings in Resources */,"), "\(added)")
    }
    #expect(try dragoman(["sync", "--check"], in: folder.path).status == 0)
    #expect(try dragoman(["init"], in: folder.path).output.isEmpty)
  }

  @Test("a catalog next to an Info.plist is added to all targets that use the Info.plist")
  func sharedInfoPlist() throws {
    let shared = Self.project.replacing("Ext/Info.plist", with: "App/Info.plist")
    let folder = try app(shared, ["App/Info.plist": Self.camera])
    let start = try dragoman(["init"], in: folder.path)
    #expect(start.output.contains("App/InfoPlist.xcstrings: created, with 1 string\n"), "\(start)")
    #expect(try text(folder).components(separatedBy: "InfoPlist.xcstrings in Resources */,").count == 3)
    #expect(try dragoman(["init"], in: folder.path).output.isEmpty)
    #expect(try dragoman(["sync", "--check"], in: folder.path).status == 0)
  }

  @Test("init explains the steps in Xcode if the project has no place for a catalog or is written by a generator")
  func refused() throws {
    let hint =
      "add an empty String Catalog named Localizable to the target in Xcode, or in the file that generates the "
      + "project, then run `dragoman sync`"
    let without = Self.project.replacing("S2, R2, ", with: "S2, ")
    let folder = try app(without)
    let start = try dragoman(["init"], in: folder.path)
    #expect(start.output.hasPrefix("App/Localizable.xcstrings: created") && !start.output.contains("Ext/"), "\(start)")
    #expect(start.errors.contains("1 string of target Ext has no Localizable.xcstrings, and it cannot be added"))
    #expect(start.errors.contains(hint), "\(start)")
    let generated = try app(
      Self.project,
      ["project.yml": "name: App\ntargets:\n  App:\n    type: application\n    platform: iOS\n    sources: [App]\n"])
    let other = try dragoman(["init"], in: generated.path)
    #expect(other.output.isEmpty && other.errors.contains(hint), "\(other)")
    #expect(try text(generated) == Self.project)
  }

  @Test("init creates no catalog if the target already gets one with the same name from a folder")
  func rivals() throws {
    // Both targets contain the folder Shared, whose catalog has the texts of both Info.plist files.
    let project = Self.project.replacing(
      "P = {isa",
      with: "Y = {isa = PBXFileSystemSynchronizedRootGroup; path = Shared; sourceTree = \"<group>\"; };\n\t\tP = {isa"
    ).replacing("G2 /* Ext */,\n", with: "G2 /* Ext */,\n\t\t\t\tY,\n").replacing(
      "name = App; product", with: "fileSystemSynchronizedGroups = (Y, ); name = App; product"
    ).replacing("name = Ext; product", with: "fileSystemSynchronizedGroups = (Y, ); name = Ext; product")
      .replacing("App/Info.plist", with: "Shared/App-Info.plist").replacing("Ext/Info.plist", with: "Shared/Info.plist")
    let folder = try app(project, ["Shared/Info.plist": Self.camera, "Shared/App-Info.plist": Self.camera])
    let start = try dragoman(["init"], in: folder.path)
    #expect(start.status == 0, "\(start)")
    let gate = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(!gate.output.contains("twice"), "\(start) \(gate)")
    #expect(try dragoman(["init"], in: folder.path).output.isEmpty)
  }
}
