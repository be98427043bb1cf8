import Foundation
import Localization
import TestSupport
import Testing

@testable import TranslationVendors

/// Comparisons of the adapter's JSON with the requests and responses in the tests of the official Java client.
@Suite("Messages of Crowdin", .enabled(if: SharedFolder.specs.isThere))
struct CrowdinMessagesTests {
  private func recorded(_ name: String) throws -> Data { try SharedFolder.specs.data("crowdin/fixtures/\(name).json") }

  private func decoded<Object: Decodable & Sendable>(_ name: String, as type: Object.Type) throws -> Object {
    try JSONDecoder().decode(CrowdinMessages.Envelope<Object>.self, from: try recorded(name)).data
  }

  private func page<Object: Decodable & Sendable>(_ name: String, of type: Object.Type) throws -> [Object] {
    let page = try JSONDecoder().decode(CrowdinMessages.Page<Object>.self, from: try recorded(name))
    #expect(page.pagination?.limit == 25)
    return page.data.map(\.data)
  }

  private func json(_ value: some Encodable) throws -> NSObject {
    try #require(try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? NSObject)
  }

  private func members(_ name: String) throws -> Set<String> {
    Set(try #require(try JSONSerialization.jsonObject(with: try recorded(name)) as? [String: Any]).keys)
  }

  @Test("recorded responses are decoded")
  func responses() throws {
    let project = try decoded("projectsgroups/project", as: CrowdinMessages.Project.self)
    #expect(project.sourceLanguageId == "es" && project.targetLanguageIds == ["uk"])
    #expect(try page("sourcefiles/listBranches", of: CrowdinMessages.Branch.self).first?.name == "develop-master")
    let folders = try page("sourcefiles/listDirectories", of: CrowdinMessages.Directory.self)
    #expect(folders.first?.name == "main" && folders.first?.directoryId == 0 && folders.first?.branchId == 34)
    #expect(try page("sourcefiles/listFiles", of: CrowdinMessages.File.self).map(\.id).prefix(2) == [44, 45])
    #expect(try decoded("storage/storage", as: CrowdinMessages.Storage.self).id == 1)
    let string = try #require(try page("strings/listStrings", of: CrowdinMessages.SourceString.self).first)
    #expect(string.content == .plain("Not all videos are shown to users. See more") && string.isHidden == false)
    #expect(string.identifier == "6a1821e6499ebae94de4b880fd93b985" && string.context == "shown on main page")
    let plural = try decoded("strings/pluralString", as: CrowdinMessages.SourceString.self)
    #expect(plural.isPlural && plural.content == .plural([.one: "string", .other: "strings"]))
    let plain = try page("stringtranslations/listLanguageTranslations_plain", of: CrowdinMessages.Translation.self)
    #expect(plain.first?.content == .plain("Цю стрічку перекладено") && plain.first?.translationIDs == [190694])
    let forms = try page("stringtranslations/listLanguageTranslations_plural", of: CrowdinMessages.Translation.self)
    #expect(forms.first?.content == .plural([.one: "Цю стрічку перекладено"]) && forms.first?.times.count == 1)
    let terms = try page("glossaries/listTerms", of: CrowdinMessages.Term.self)
    #expect(terms.first?.text == "Voir" && terms.first?.languageId == "fr" && terms.first?.conceptId == 6)
    let approvals = try page("stringtranslations/listApprovals", of: CrowdinMessages.Approval.self)
    #expect(approvals.first?.translationId == 200)
  }

  @Test("requests have the same members as the recorded requests")
  func requests() throws {
    let changes: [CrowdinMessages.Operation] = [
      .replace(2814, "isHidden", .flag(true)), .replace(2814, "context", .text(.text("some context"))),
    ]
    let batch = try #require(
      try JSONSerialization.jsonObject(with: try recorded("strings/stringBatchOperationsRequest")) as? [NSObject])
    #expect(try json(changes) == Array(batch.prefix(2)) as NSObject)
    #expect(try json([CrowdinMessages.Operation.remove(2815)]) == [batch[3]] as NSObject)
    let new = CrowdinMessages.NewString(
      text: .forms(["one": "a", "other": "b"]), identifier: "a", context: "", branchId: 667)
    let members = try #require(try json(new) as? [String: Any])
    #expect(Set(members.keys).isSubset(of: try self.members("strings/addStringPluralStringsBasedRequest")))
    let texts = try #require(
      try JSONSerialization.jsonObject(with: try recorded("stringtranslations/translationBatchOperationsRequest"))
        as? [[String: Any]])
    let translation = CrowdinMessages.NewTranslation(
      stringId: 35434, languageId: "fr", text: "Цю стрічку перекладено", pluralCategoryName: "few")
    var wanted = try #require(texts[0]["value"] as? [String: Any])
    wanted["addToTm"] = nil
    #expect(try json(translation) == wanted as NSObject)
    #expect(try json(CrowdinMessages.NewDirectory(name: "main")) == ["name": "main"] as NSObject)
    let term = CrowdinMessages.NewTerm(languageId: "fr", text: "Voir", description: "a", conceptId: 6)
    let entered = try #require(try json(term) as? [String: Any])
    #expect(Set(entered.keys).isSubset(of: try self.members("glossaries/addTermRequest")))
    let edit = try #require(try JSONSerialization.jsonObject(with: try recorded("glossaries/editTerm")) as? NSObject)
    #expect(try json([CrowdinMessages.TermChange(value: "Voir")]) == edit)
    let file = try #require(try json(CrowdinMessages.NewFile(storageId: 61, name: "a")) as? [String: Any])
    #expect(Set(file.keys).isSubset(of: try self.members("sourcefiles/addFileRequest")))
    let change = CrowdinMessages.FileChange(storageId: 61, updateOption: "clear_translations_and_approvals")
    let replaced = try #require(try json(change) as? [String: Any])
    #expect(Set(replaced.keys).isSubset(of: try self.members("sourcefiles/updateOrRestoreFileRequest")))
  }

  @Test("recorded errors are reported with Crowdin's message")
  func errors() throws {
    #expect(ErrorWords.text(in: Array(try recorded("core/error"))) == "“Http exception! ”")
    let batch = ErrorWords.text(in: Array(try recorded("core/batchErrorsResponse")))
    #expect(batch == "“notUnique; Invalid identifier given. Identifier must be unique”")
  }
}
