internal import Localization

/// A translation engine over any ``MachineTranslationService``: placeholders, plural forms, sizes of requests.
struct MachineEngine<Service: MachineTranslationService>: TranslationEngine {
  static var kind: String { Service.kind }
  let service: Service
  var batchSize: Int { service.batchSize }

  init(_ service: Service) { self.service = service }

  func languages() async throws -> [String] { try await service.languages() }

  func probe() async throws -> VendorProbe? { try await service.probe() }

  func translate(
    _ requests: [EngineRequest], from source: LocaleIdentifier, to code: String,
    keep: ([Int: EngineAnswer]) throws -> Void
  ) async throws {
    // The requests without an answer.
    var unanswered = Set(requests.indices)
    func give(_ answers: [Int: EngineAnswer]) throws {
      unanswered.subtract(answers.keys)
      if !answers.isEmpty { try keep(answers) }
    }
    func postpone(_ reason: String) throws {
      try give(Dictionary(uniqueKeysWithValues: unanswered.map { ($0, .postponed(reason)) }))
    }
    // First with example numbers, then again without them for texts that lost a number.
    for usesSamples in [true, false] {
      var open: [(index: Int, text: MachineText)] = []
      var tooLong: [Int: EngineAnswer] = [:]
      for (index, request) in requests.enumerated() where unanswered.contains(index) {
        let text = MachineText(request, Service.marking, usesSample: usesSamples)
        if text.sent.count > service.batchCharacters {
          tooLong[index] = .refused("it is longer than the \(service.batchCharacters) characters of a request")
        } else {
          open.append((index, text))
        }
      }
      try give(tooLong)
      for group in groups(open, requests) {
        try Task.checkCancellation()
        let found: [String]
        do {
          found = try await service.translate(
            group.members.map(\.text.sent), comment: group.comment, from: source, to: code)
        } catch let error as VendorError where error.kind == .limitReached && unanswered.count < requests.count {
          return try postpone(error.detail)
        }
        guard found.count == group.members.count else {
          throw VendorError(
            kind: .protocolFault, at: "\(Self.kind): translate",
            detail: "\(group.members.count) texts were sent and \(found.count) came back")
        }
        var answers: [Int: EngineAnswer] = [:]
        for (member, translation) in zip(group.members, found) {
          if translation.allSatisfy(\.isWhitespace), !member.text.sent.allSatisfy(\.isWhitespace) {
            answers[member.index] = .refused("the answer is empty")
          } else if let restored = member.text.restored(translation) {
            answers[member.index] = .text(restored)
          } else if !member.text.hasSample {
            answers[member.index] = .refused("placeholders or markup changed in “\(translation.prefix(200))”")
          }
        }
        try give(answers)
      }
    }
    try postpone("it was not translated")
  }

  private struct Group {
    var comment: String?
    var members: [(index: Int, text: MachineText)]
  }

  /// Texts that go into one request, in their order.
  private func groups(_ texts: [(index: Int, text: MachineText)], _ requests: [EngineRequest]) -> [Group] {
    var groups: [Group] = []
    for (comment, texts) in texts.groupedInOrder(by: { service.takesComments ? requests[$0.index].comment : nil }) {
      var size = 0
      var members: [(index: Int, text: MachineText)] = []
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
