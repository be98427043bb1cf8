extension PipelineSchema {
  /// The member `submodules`.
  static let submodules = #"""
        "submodules": {
          "description": "The submodules that are read with the repository. Nothing is written to them.",
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["path"],
            "properties": {
              "path": { "description": "The path of the submodule in the repository, as in .gitmodules.", "$ref": "#/$defs/text" },
              "url": {
                "description": "The URL of the submodule's repository. Default: the URL in .gitmodules, if it is on the repository's server.",
                "$ref": "#/$defs/text"
              },
              "credentials": {
                "description": "The credentials for `url`. Default: those of the repository if both are on the same server.",
                "$ref": "#/$defs/credential"
              }
            }
          }
        }
    """#

  /// The kinds of values that several members use.
  static let values = #"""
      "$defs": {
        "text": { "type": "string", "pattern": "\\S" },
        "names": {
          "oneOf": [
            { "$ref": "#/$defs/text" },
            { "type": "array", "items": { "$ref": "#/$defs/text" }, "uniqueItems": true }
          ]
        },
        "language": {
          "description": "A language as Xcode writes it: de, pt-BR, zh-Hans.",
          "type": "string",
          "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
          "maxLength": 35
        },
        "percent": { "type": "number", "minimum": 0, "maximum": 100 },
        "languages": {
          "type": "array",
          "minItems": 1,
          "items": { "$ref": "#/$defs/language" },
          "uniqueItems": true
        },
        "branchPattern": {
          "description": "* matches any characters except slashes, ** any characters, ? one character except a slash.",
          "type": "string",
          "pattern": "^[^\\s~^:\\\\\\[]+$"
        },
        "duration": {
          "description": "500ms, 10s, 2m, 1h30m or 0.",
          "oneOf": [
            { "const": 0 },
            { "type": "string", "pattern": "^(0|(?=[0-9])([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?)$" }
          ]
        },
        "credential": {
          "description": "A reference to a secret, never the secret itself. `credential:` refers to a credential of the systemd service, `agent` to the ssh agent or the account's default keys.",
          "type": "string",
          "pattern": "^(none|agent|env:[A-Za-z_][A-Za-z0-9_]*|file:.+|credential:[A-Za-z0-9._-]+)$",
          "default": "none"
        }
      }
    """#
}
