import SDKDeclarations
import SwiftFacts
import SwiftParsing

extension CCallScanner {
  mutating func directive() {
    let start = lexer.start
    let name = text(lexer.directiveName())
    switch name {
    case "if":
      lexer.skipBlanks()
      conditionals.open(isOff: isZero(), depth: frames.depth)
    case "ifdef", "ifndef": conditionals.open(isOff: false, depth: frames.depth)
    case "elif", "else", "elifdef", "elifndef":
      lexer.skipBlanks()
      let depth = conditionals.turn(isOff: name == "elif" && isZero())
      // Each branch begins with the brackets that were open before the first branch.
      if let depth { for frame in frames.trim(to: depth) { record(frame, isWhole: false) } }
    case "endif": conditionals.close()
    case "define":
      if !conditionals.isSkipping {
        define()
        return
      }
    default: break
    }
    if let opened = offStart, !conditionals.isSkipping {
      offRanges.append(opened..<start)
      offStart = nil
    } else if offStart == nil, conditionals.isSkipping {
      offStart = lexer.index
    }
    lexer.skipDirective()
  }

  /// Returns whether the following condition is only the number 0.
  func isZero() -> Bool {
    var index = lexer.index
    guard index < bytes.count, bytes[index] == UInt8(ascii: "0") else { return false }
    index += 1
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") { index += 1 }
    guard index < bytes.count else { return true }
    return bytes[index] < UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "/")
  }

  mutating func define() {
    let name = lexer.directiveName()
    guard !name.isEmpty else {
      lexer.skipDirective()
      return
    }
    var parameters: Set<String>?
    if lexer.index < bytes.count, bytes[lexer.index] == UInt8(ascii: "(") {
      lexer.index += 1
      var found: Set<String> = []
      while true {
        let parameter = lexer.directiveName()
        if !parameter.isEmpty { found.insert(text(parameter)) }
        lexer.skipBlanks()
        guard lexer.index < bytes.count, ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[lexer.index]) else {
          break
        }
        lexer.index += 1
        if bytes[lexer.index - 1] == UInt8(ascii: ")") { break }
      }
      parameters = found
    }
    definition = Definition(name: text(name), parameters: parameters, outside: frames)
    frames = CCallFrames()
    lexer.isInDirective = true
  }

  mutating func endDefinition() {
    guard let definition else { return }
    _ = frames.trim(to: 1)
    if definition.parameters == nil, case .literal(let bytes, _, true) = frames.current {
      facts.constants.append(CConstant(name: definition.name, value: String(decoding: bytes, as: UTF8.self)))
    }
    frames = definition.outside
    self.definition = nil
  }
}
