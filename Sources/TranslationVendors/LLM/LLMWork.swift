internal import Localization

/// The texts of one call, with their requests, answers and corrections. This type does not use the network.
///
/// The texts are sent in groups. A group is halved if its request is too long or refused, or if its answer is cut off or renumbers the texts. This is
/// repeated until the text that causes the fault is alone. If it is alone and too long, or its answer is cut off, it is refused at once. A text with
/// a wrong or unreadable answer, and a single text that the model refuses, is requested again with the fault, as often as the pipeline file allows,
/// and then refused.
struct LLMWork {
  struct Item: Sendable {
    /// The text's id in the prompt, unique in the call.
    var id: String
    var request: EngineRequest
    /// The number of times that the text may still be requested again.
    var corrections: Int
    var earlier: String?
    var fault: String?
    fileprivate var index: Int
  }

  private typealias Wrong = (item: Item, earlier: String?, fault: String)

  private var groups: [[Item]] = []
  /// The answers since the last call of ``takeAnswers()``, by the index of their request.
  private var answers: [Int: EngineAnswer] = [:]
  private(set) var hasAnswers = false
  private let check: LLMAnswerCheck
  private let tokens: Int

  /// - Parameter tokens: the token limit of one answer.
  init(_ requests: [EngineRequest], check: LLMAnswerCheck, corrections: Int, tokens: Int) {
    self.check = check
    self.tokens = tokens
    let items = requests.enumerated().map { index, request in
      Item(id: String(index + 1), request: request, corrections: corrections, index: index)
    }
    groups = fitting(items)
  }

  /// Returns the expected number of tokens in the translation of a text. Many languages need more tokens than English.
  static func expectedTokens(of text: String) -> Int { text.utf8.count / 2 + 24 }

  /// Removes and returns the texts of the next request; `nil` if no request is left.
  mutating func next() -> [Item]? { groups.isEmpty ? nil : groups.removeFirst() }

  /// Processes the result of a request.
  mutating func take(_ end: LLMReply.End, for group: [Item]) {
    switch end {
    case .translations(let translations): take(translations, for: group)
    case .cut(let limit):
      guard !halve(group) else { return }
      for item in group { answers[item.index] = .refused(words(limit)) }
    case .tooLong:
      guard !halve(group) else { return }
      for item in group { answers[item.index] = .refused("the text is too long for the model") }
    case .refused(let words):
      guard !halve(group) else { return }
      retry(group.map { ($0, nil, words.isEmpty ? "the model refused" : "the model refused: \(words.cut(200))") })
    case .unreadable(let fault): retry(group.map { ($0, nil, fault) })
    }
  }

  private func words(_ limit: LLMReply.Limit) -> String {
    switch limit {
    case .tokens: "the answer was cut off at \(tokens) tokens. Raise `tokens`, or shorten the text"
    case .window:
      "the answer was cut off because the model's context window is full. Use a model with a larger context window, or "
        + "shorten the text"
    case .unknown:
      "the answer was cut off at \(tokens) tokens, or because the model's context window is full. Raise `tokens` if the "
        + "context window is larger; otherwise use another model, or shorten the text"
    }
  }

  /// Ends the work early. All texts that have no answer yet are postponed.
  /// - Parameter group: the texts of the last request, which have no answers.
  mutating func postpone(_ group: [Item], _ reason: String) {
    for item in group + groups.joined() { answers[item.index] = .postponed(reason) }
    groups = []
  }

  /// Returns the answers since the last call, by the index of their request. When ``next()`` returns `nil`, every request has an answer.
  mutating func takeAnswers() -> [Int: EngineAnswer] {
    defer { answers = [:] }
    hasAnswers = hasAnswers || !answers.isEmpty
    return answers
  }

  private mutating func take(_ translations: LLMTranslations, for group: [Item]) {
    let ids = Set(group.map(\.id))
    if let unknown = translations.texts.keys.filter({ !ids.contains($0) }).min(),
      group.contains(where: { translations.texts[$0.id] == nil })
    {
      // If a model renumbers some texts, the ids of the other texts may be wrong too.
      guard !halve(group) else { return }
      return retry(group.map { ($0, nil, "the answer has the unknown id \(unknown.cut(40).debugDescription)") })
    }
    var wrong: [Wrong] = []
    for item in group {
      let texts = translations.texts[item.id] ?? []
      guard let text = texts.first else {
        wrong.append((item, nil, "the answer has no text for the id \(item.id)"))
        continue
      }
      guard Set(texts).count == 1 else {
        wrong.append((item, nil, "the answer has several texts for the id \(item.id)"))
        continue
      }
      let repaired = text.withOuterSpace(of: item.request.source)
      if let fault = check.fault(of: repaired, for: item.request) {
        wrong.append((item, text, fault))
      } else {
        answers[item.index] = .text(repaired)
      }
    }
    retry(wrong)
  }

  /// Moves the texts that may be requested again into a new group, and refuses the other texts.
  private mutating func retry(_ wrong: [Wrong]) {
    var again: [Item] = []
    for (item, earlier, fault) in wrong {
      guard item.corrections > 0 else {
        answers[item.index] = .refused(fault)
        continue
      }
      var item = item
      item.corrections -= 1
      item.earlier = earlier
      item.fault = fault
      again.append(item)
    }
    if !again.isEmpty { groups.insert(again, at: 0) }
  }

  /// Replaces a group with its two halves.
  /// - Returns: `false` for a single text, which cannot be halved.
  private mutating func halve(_ group: [Item]) -> Bool {
    guard group.count > 1 else { return false }
    groups.insert(contentsOf: [Array(group[..<(group.count / 2)]), Array(group[(group.count / 2)...])], at: 0)
    return true
  }

  /// Divides the items into groups. The expected answer of a group with several texts fits into three quarters of the token limit.
  private func fitting(_ items: [Item]) -> [[Item]] {
    var groups: [[Item]] = []
    var room = 0
    for item in items {
      let size = Self.expectedTokens(of: item.request.source)
      if groups.isEmpty || size > room {
        groups.append([])
        room = tokens * 3 / 4
      }
      groups[groups.count - 1].append(item)
      room -= size
    }
    return groups
  }
}
