internal import Foundation
package import Localization
internal import TestSupport
import Testing

/// The files and folders of a Crowdin project, and the actions of people in the project.
extension CrowdinServer {
  func places(_ places: [Int: (name: String, folder: Int?, branch: Int?)]) -> [[String: Any]] {
    places.sorted { $0.key < $1.key }.map { id, place in
      [
        "id": id, "projectId": 2, "name": place.name, "directoryId": place.folder.map { $0 as Any } ?? NSNull(),
        "branchId": place.branch.map { $0 as Any } ?? NSNull(), "status": "active",
      ]
    }
  }

  func addFolder(_ request: RecordedRequest) -> LoopbackReply {
    guard let place = newPlace(request.object, ["name", "directoryId", "branchId"]) else { return unknown(request) }
    guard !state.folders.values.contains(where: { $0 == place }) else {
      return Self.refusal(400, "name must be unique")
    }
    state.next += 1
    state.folders[state.next] = place
    return .json(["data": ["id": state.next, "name": place.name]], status: 201)
  }

  func addFile(_ request: RecordedRequest) -> LoopbackReply {
    if let refusal = busy() { return refusal }
    guard let place = newPlace(request.object, ["name", "storageId", "directoryId", "branchId"]) else {
      return unknown(request)
    }
    guard !state.files.values.contains(where: { $0 == place }) else {
      Issue.record("the file \(place.name) was added twice")
      return Self.refusal(400, "name must be unique")
    }
    state.next += 1
    let id = state.next
    state.files[id] = place
    return upload(request, id, keeps: false) ?? .json(["data": ["id": id, "name": place.name]], status: 201)
  }

  func replaceFile(_ request: RecordedRequest, _ id: Int) -> LoopbackReply {
    if let refusal = busy() { return refusal }
    let option = request.object["updateOption"] as? String
    guard state.files[id] != nil, Set(request.object.keys) == ["storageId", "updateOption"],
      option == "keep_translations" || option == "clear_translations_and_approvals"
    else { return unknown(request) }
    return upload(request, id, keeps: option == "keep_translations") ?? .json(["data": ["id": id]])
  }

  private func newPlace(_ object: [String: Any], _ names: Set<String>) -> (name: String, folder: Int?, branch: Int?)? {
    guard Set(object.keys).isSubset(of: names), let name = object["name"] as? String, !name.contains("/") else {
      return nil
    }
    let (folder, branch) = (object["directoryId"] as? Int, object["branchId"] as? Int)
    // A request must not name both a folder and a branch.
    guard folder == nil || branch == nil else { return nil }
    if let folder, state.folders[folder] == nil { return nil }
    return (name, folder, branch ?? folder.flatMap { state.folders[$0]?.branch })
  }

  private func busy() -> LoopbackReply? {
    guard state.busy > 0 else { return nil }
    state.busy -= 1
    return Self.refusal(409, "File is being updated")
  }

  /// Reads an uploaded String Catalog.
  /// - Returns: a refusal; `nil` if the upload is accepted.
  private func upload(_ request: RecordedRequest, _ file: Int, keeps: Bool) -> LoopbackReply? {
    guard let storage = request.object["storageId"] as? Int, let bytes = state.storages.removeValue(forKey: storage),
      let document = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
      document["sourceLanguage"] as? String == "en", document["version"] as? String == "1.0",
      let strings = document["strings"] as? [String: [String: Any]], !strings.isEmpty
    else { return unknown(request) }
    var there: [String: Int] = [:]
    for (id, entry) in state.entries where entry.place == file { there[entry.identifier] = id }
    for (name, string) in strings.sorted(by: { $0.key < $1.key }) where name != state.leftOut {
      guard let text = (string["localizations"] as? [String: [String: Any]])?["en"] else { return unknown(request) }
      let unit = (text["stringUnit"] as? [String: String])?["value"]
      let plural = (text["variations"] as? [String: [String: [String: [String: String]]]])?["plural"]
      guard (unit == nil) != (plural == nil) else { return unknown(request) }
      let forms = unit.map { ["": $0] } ?? plural?.compactMapValues { $0["stringUnit"]?["value"] } ?? [:]
      if let id = there.removeValue(forKey: name) {
        setText(id, forms, keeps: keeps)
      } else {
        state.next += 1
        // Crowdin generates the context of a new string from the file, in an undocumented format.
        state.entries[state.next] = Entry(
          identifier: name, forms: forms, context: "\(name): \(string["comment"] as? String ?? "")", place: file)
      }
    }
    for id in there.values { state.entries[id] = nil }
    return nil
  }

  /// Configures the server to skip a string in uploaded files.
  func leaveOut(_ key: String?) { lock.withLock { state.leftOut = key } }

  /// Configures the server to refuse this number of requests to add or replace a file, as if Crowdin were busy with the file.
  package func beBusy(_ requests: Int) { lock.withLock { state.busy = requests } }

  /// Translates all strings into a language, and approves the translations if `isApproved` is set.
  package func translate(_ language: LocaleIdentifier, isApproved: Bool = true) {
    lock.withLock {
      state.clock += 1
      for (id, entry) in state.entries {
        let forms = entry.forms[""] != nil ? [""] : PluralRules.categories(of: language).map(\.rawValue)
        state.entries[id]?.texts[language.rawValue] = [:]
        for form in forms {
          state.next += 1
          let text = "\(language) \(form): \(entry.forms[form] ?? entry.forms["other"] ?? "")"
          state.entries[id]?.texts[language.rawValue]?[form] = Text(id: state.next, text: text, created: state.clock)
          if isApproved { state.approvals.insert(state.next) }
        }
      }
    }
  }

  /// Keeps only one form of each translated plural text, as if a person had saved only this form. Unless `isReviewed` is set, the form that is kept
  /// loses its approval.
  package func leaveOnly(_ form: String, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for (id, entry) in state.entries where entry.forms[""] == nil {
        guard let left = entry.texts[language.rawValue]?[form] else { continue }
        state.entries[id]?.texts[language.rawValue] = [form: left]
        if !isReviewed { state.approvals.remove(left.id) }
      }
    }
  }

  /// The length limits of strings by identifier; 0 for no limit.
  package var limits: [String: Int] {
    lock.withLock { Dictionary(state.entries.values.map { ($0.identifier, $0.maxLength) }) { first, _ in first } }
  }

  /// Replaces the strings that other people have added with this number of new ones. Lists contain them before all other strings.
  package func set(foreign count: Int) {
    lock.withLock {
      let place = state.entries.values.first { !$0.identifier.hasPrefix("foreign") }?.place
      state.entries = state.entries.filter { !$0.value.identifier.hasPrefix("foreign") }
      guard let place else { return }
      for number in 0..<count {
        state.entries[10 - number] = Entry(
          identifier: "foreign \(number)", forms: ["": "Foreign"], context: "", place: place)
      }
    }
  }

  package var content: String {
    lock.withLock {
      state.entries.values.sorted { $0.identifier < $1.identifier }.map { entry in
        let texts = entry.texts.sorted { $0.key < $1.key }.map { language, texts in
          let forms = texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: ", ")
          return "\(language): \(forms)"
        }
        let place = isStrings ? state.branches[entry.place] ?? "" : path(of: entry.place)
        return "\(place) \(entry.identifier) [\(entry.context)] \(entry.isHidden ? "hidden " : "")"
          + "\(entry.forms.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) \(texts)"
      }.joined(separator: "\n")
    }
  }

  private func path(of file: Int) -> String {
    guard let place = state.files[file] else { return "?" }
    var (names, next) = ([place.name], place.folder)
    while let id = next, let folder = state.folders[id] {
      names.append(folder.name)
      next = folder.folder
    }
    if let branch = place.branch.flatMap({ state.branches[$0] }) { names.append(branch + ":") }
    return names.reversed().joined(separator: "/")
  }
}
