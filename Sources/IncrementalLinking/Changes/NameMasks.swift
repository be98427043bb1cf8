/// A bit mask for each name. Most names have no mask, and a bitmap that fits into the L1 cache shows this quickly.
struct NameMasks {
  private var masks: [UInt32: UInt64] = [:]
  private var present = [UInt64](repeating: 0, count: 1024)

  var isEmpty: Bool { masks.isEmpty }

  subscript(name: UInt32) -> UInt64 {
    let place = Int(name & 0xFFFF)
    guard present[place >> 6] & 1 << UInt64(place & 63) != 0 else { return 0 }
    return masks[name] ?? 0
  }

  func mask(of names: Slice<UnsafeBufferPointer<UInt32>>) -> UInt64 {
    var mask: UInt64 = 0
    for name in names { mask |= self[name] }
    return mask
  }

  /// Adds the bits of `mask` to the mask of a name.
  /// - Returns: whether any of the bits is new.
  @discardableResult
  mutating func add(_ mask: UInt64, to name: UInt32) -> Bool {
    let known = masks[name] ?? 0
    guard known | mask != known else { return false }
    masks[name] = known | mask
    present[Int(name & 0xFFFF) >> 6] |= 1 << UInt64(name & 63)
    return true
  }
}
