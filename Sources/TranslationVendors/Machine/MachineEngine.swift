internal import Localization

/// A translation engine that uses a ``MachineTranslationService``. The engine protects placeholders, adds example numbers to plural forms and limits
/// the sizes of requests.
struct MachineEngine<Service: MachineTranslationService>: TranslationEngine {
  static var kind: String { Service.kind }
  let service: Service
  var batchSize: Int { service.batchSize }
  var fingerprint: String { service.fingerprint }

  init(_ service: Service) { self.service = service }

  func languages() async throws -> [String] { try await service.languages() }

  func probe() async throws -> VendorProbe? { try await service.probe() }

  func translate(
    _ requests: [EngineRequest], from source: LocaleIdentifier, to code: String,
    keep: ([Int: EngineAnswer]) throws -> Void
  ) async throws {
    // The indices of the requests without an answer.
    var unanswered = Set(requests.indices)
    func give(_ answers: [Int: EngineAnswer]) throws {
      unanswered.subtract(answers.keys)
      if !answers.isEmpty { try keep(answers) }
    }
    func postpone(_ reason: String) throws {
      try give(Dictionary(uniqueKeysWithValues: unanswered.map { ($0, .postponed(reason)) }))
    }
    var silent: Set<Int> = []
    var (isAnswering, isReadable) = (false, true)
    // The first pass sends example numbers. If the placeholders of a translation with an example number cannot be restored, the second pass sends the
    // text again without the number.
    for usesSamples in [true, false] {
      var open: [(index: Int, text: MachineText)] = []
      var known: [Int: EngineAnswer] = [:]
      for (index, request) in requests.enumerated() where unanswered.contains(index) && !silent.contains(index) {
        let text = MachineText(request, Service.marking, usesSample: usesSamples)
        if request.source.allSatisfy(\.isWhitespace) {
          known[index] = .text(request.source)
        } else if text.sent.count > service.batchCharacters {
          known[index] = .refused(
            "the text is longer than \(service.batchCharacters) characters, the limit of a request")
        } else {
          open.append((index, text))
        }
      }
      try give(known)
      for group in groups(open, requests) {
        do {
          let reply = try await ask(group, from: source, to: code, give)
          silent.formUnion(reply.silent)
          isAnswering = isAnswering || reply.isAnswering
          isReadable = isReadable && reply.isReadable
        } catch let error as VendorError where error.kind == .limitReached && unanswered.count < requests.count {
          return try postpone(error.detail)
        }
      }
    }
    if isAnswering {
      // The service translated other texts, so the cause is in these texts and not in the service.
      try give(Dictionary(uniqueKeysWithValues: silent.map { ($0, Self.withoutTranslation) }))
    } else if !isReadable {
      throw VendorError(
        kind: .protocolFault, at: "\(Self.kind): translate",
        detail: "the response does not have one translation for each text. The texts are sent again later")
    }
    try give(
      Dictionary(uniqueKeysWithValues: unanswered.map { ($0, .silent("\(Self.kind) answered without a translation")) }))
  }

  private static var withoutTranslation: EngineAnswer { .refused("\(kind) answered twice without a translation") }

  private struct Reply {
    /// The indices of the group's texts if the service translated none of these texts; otherwise empty.
    var silent: [Int] = []
    /// Whether any text of the group has a translation.
    var isAnswering = true
    /// Whether the service's last response had one element for each text, with or without a translation.
    var isReadable = true
  }

  /// Sends a group. Texts without a translation are sent once more, each in its own request, to find the texts that cause the fault. If the service
  /// has translated no text of the group, and does not translate the first text alone either, the other texts are not sent again.
  private func ask(
    _ group: Group, from source: LocaleIdentifier, to code: String, _ give: ([Int: EngineAnswer]) throws -> Void
  ) async throws -> Reply {
    func translations(of members: [Group.Member]) async throws -> [String?]? {
      try Task.checkCancellation()
      let found = try await service.translate(members.map(\.text.sent), comment: group.comment, from: source, to: code)
      return found.count == members.count ? found : nil
    }
    var answers: [Int: EngineAnswer] = [:]
    var missing = group.members
    if let found = try await translations(of: group.members) {
      missing = []
      for (member, translation) in zip(group.members, found) {
        if let translation { answers[member.index] = answer(translation, to: member) } else { missing.append(member) }
      }
      try give(answers)
    }
    var isAnswering = missing.count < group.members.count
    for member in missing {
      let found = try await translations(of: [member])
      if let translation = found?.first ?? nil {
        isAnswering = true
        if let answer = answer(translation, to: member) { try give([member.index: answer]) }
      } else if isAnswering {
        try give([member.index: Self.withoutTranslation])
      } else {
        return Reply(silent: missing.map(\.index), isAnswering: false, isReadable: found != nil)
      }
    }
    return Reply()
  }

  /// Returns the answer for a translation; `nil` if the text must be sent again without an example number.
  private func answer(_ translation: String, to member: Group.Member) -> EngineAnswer? {
    if translation.allSatisfy(\.isWhitespace) { return .refused("the answer is empty") }
    if let restored = member.text.restored(translation) {
      if let fault = TagCheck.fault(of: restored, against: member.text.source) { return .refused(fault) }
      return .text(restored)
    }
    if member.text.hasSample { return nil }
    return .refused("placeholders or markup changed in “\(translation.prefix(200))”")
  }

  private struct Group {
    typealias Member = (index: Int, text: MachineText)
    var comment: String?
    var members: [Member]
  }

  /// Returns the texts in groups, one group for each request. The texts of a group fit into the service's limits and have the same comment, if the
  /// service takes comments.
  private func groups(_ texts: [Group.Member], _ requests: [EngineRequest]) -> [Group] {
    var groups: [Group] = []
    for (comment, texts) in texts.groupedInOrder(by: { service.takesComments ? requests[$0.index].comment : nil }) {
      var size = 0
      var members: [Group.Member] = []
      for text in texts {
        let count = text.text.sent.count
        if !members.isEmpty, size + count > service.batchCharacters || members.count == service.batchSize {
          groups.append(Group(comment: comment, members: members))
          (size, members) = (0, [])
        }
        size += count
        members.append(text)
      }
      if !members.isEmpty { groups.append(Group(comment: comment, members: members)) }
    }
    return groups
  }
}
