/// Returns a number with its noun: `1 file`, `2 files`. The plural of the noun must end in "s".
package func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
