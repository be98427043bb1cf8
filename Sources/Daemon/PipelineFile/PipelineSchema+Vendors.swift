extension PipelineSchema {
  /// The member `vendors`.
  static let vendors = #"""
        "vendors": {
          "description": "The vendors. A text is sent to the first vendor that lists its language and takes its catalog, otherwise to the first vendor that lists no languages and takes its catalog.",
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["vendor"],
            "allOf": [
    \#(VendorSchema.rules)
            ],
            "properties": {
              "vendor": { "description": "The kind of vendor.", "enum": [\#(VendorSchema.kinds)] },
              "name": {
                "description": "The name that identifies the vendor within the pipeline and in the ledger. Default: its kind with its project, folder or URL, or, if it has none of these, its kind, with a number from the second vendor of this kind on.",
                "type": "string",
                "pattern": "^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$"
              },
              "formerly": {
                "description": "One former name of the vendor, or a list: names that were set with `name`, or default names such as folder:/srv/drop.",
                "$ref": "#/$defs/names"
              },
              "languages": {
                "description": "The languages of the vendor. Default: all languages that no other vendor of the pipeline lists for all catalogs.",
                "$ref": "#/$defs/languages"
              },
              "catalogs": {
                "description": "Patterns of the paths of catalogs that are sent to this vendor. Default: all.",
                "type": "array",
                "items": { "$ref": "#/$defs/text" },
                "minItems": 1,
                "uniqueItems": true
              },
              "tables": {
                "description": "Names of the tables that are sent to this vendor, such as Localizable. Default: all.",
                "type": "array",
                "items": { "$ref": "#/$defs/text" },
                "minItems": 1,
                "uniqueItems": true
              },
              "units": {
                "description": "Whether bundles contain only the round's units, or all units, as Xcode exports them.",
                "enum": ["round", "all"],
                "default": "round"
              },
              "unchanged": {
                "description": "What to do with a returned bundle if most of its targets equal their source: accept and report it, or hold those units.",
                "enum": ["report", "hold"],
                "default": "report"
              },
              "other_language": {
                "description": "What to do with a returned bundle if most of its translations are in another language: hold those units, accept and report it, or accept it. Default: hold, or take for the vendor pseudo.",
                "enum": ["hold", "report", "take"]
              },
              "repair": {
                "description": "The faults that are repaired in returned texts, so the texts are not held because of them.",
                "type": "array",
                "items": { "enum": ["spaces", "escapes", "quotes", "marks"] },
                "uniqueItems": true
              },
              "fallback": {
                "description": "The name of the vendor that gets the units that this vendor refuses, and all units after this vendor has failed for `patience`.",
                "$ref": "#/$defs/text"
              },
              "patience": {
                "description": "The time for which this vendor must have failed before its `fallback` gets its units.",
                "$ref": "#/$defs/duration",
                "default": "6h"
              },
              "then": {
                "description": "The name of the vendor that gets each unit after this vendor has translated it. The translations of this vendor are delivered as needs_review.",
                "$ref": "#/$defs/text"
              },
              "word_price": {
                "description": "The price for a word of the source text, such as `0.12 EUR`. It is used for estimates in comments on pull requests.",
                "$ref": "#/$defs/text"
              },
    \#(VendorSchema.options)
            }
          }
        }
    """#

  /// The members `memory`, `glossary`, `screenshots` and `rounds`.
  static let rounds = #"""
        "memory": {
          "description": "A translation memory: texts that were translated before are filled in instead of sent.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "files": {
              "description": "TMX files, in addition to the catalogs of the watched branches and delivered translations.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "state": {
              "description": "The state of filled texts.",
              "enum": ["needs_review", "translated"],
              "default": "needs_review"
            }
          }
        },
        "glossary": {
          "description": "Terms with their translations: vendors that support a glossary get it, and returned texts are compared with it.",
          "type": "object",
          "additionalProperties": false,
          "required": ["file"],
          "properties": {
            "file": { "description": "A TBX or CSV file.", "$ref": "#/$defs/text" },
            "missing": {
              "description": "What to do if a returned text lacks the translation of a term: report it, or hold the unit.",
              "enum": ["report", "hold"],
              "default": "report"
            }
          }
        },
        "screenshots": {
          "description": "Folders of screenshots for translators.",
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "properties": {
            "repository": {
              "description": "A folder of the repository, read at the commit whose strings are sent.",
              "$ref": "#/$defs/text"
            },
            "folder": { "description": "A folder on this machine, such as one with artifacts from CI.", "$ref": "#/$defs/text" }
          }
        },
        "rounds": {
          "description": "Settings of rounds. `run --once` ignores `quiet` and `latest`.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "quiet": {
              "description": "A round is sent when no commit has arrived for this long.",
              "$ref": "#/$defs/duration",
              "default": "10m"
            },
            "latest": {
              "description": "The longest time that a round waits after the first change.",
              "$ref": "#/$defs/duration",
              "default": "2h"
            },
            "freeze": {
              "description": "The branches on which new strings are reported.",
              "type": "array",
              "items": { "$ref": "#/$defs/branchPattern" },
              "uniqueItems": true
            },
            "overdue": {
              "description": "The time after which units of a round at a vendor count as overdue.",
              "$ref": "#/$defs/duration",
              "default": "168h"
            }
          }
        }
    """#
}
