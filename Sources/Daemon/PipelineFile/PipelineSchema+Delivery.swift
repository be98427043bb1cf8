extension PipelineSchema {
  /// The member `deliver`.
  static let deliver = #"""
        "deliver": {
          "description": "Settings for delivering translations.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "mode": {
              "description": "push: to the watched branch itself; branch: to a separate branch; pull-request: to a separate branch with a pull request.",
              "enum": ["push", "branch", "pull-request"],
              "default": "branch"
            },
            "branch": {
              "description": "The delivery branch of the modes `branch` and `pull-request`; {branch} is replaced with the name of the watched branch.",
              "$ref": "#/$defs/text",
              "default": "l10n/{branch}"
            },
            "forge": {
              "description": "The kind of server that hosts the repository. Default: derived from the repository's host.",
              "enum": ["github", "gitlab", "gitea", "forgejo", "bitbucket", "bitbucket-server", "azure"]
            },
            "api": {
              "description": "The address of the server's API. Default: the usual one of its kind on the repository's host.",
              "$ref": "#/$defs/text"
            },
            "token": { "$ref": "#/$defs/credential" },
            "app": {
              "description": "The id or client id of a GitHub app, whose tokens are used for the API and for git over https.",
              "oneOf": [{ "type": "integer", "minimum": 1 }, { "type": "string", "pattern": "^[A-Za-z0-9.]{1,40}$" }]
            },
            "app_key": { "$ref": "#/$defs/credential" },
            "oauth_client": {
              "description": "The id of an OAuth application on GitLab, whose tokens are used for the API and for git over https.",
              "type": "string",
              "pattern": "^[A-Za-z0-9_-]{1,200}$"
            },
            "oauth_secret": {
              "description": "A reference to the application's secret. Default: none, for an application that is not confidential.",
              "$ref": "#/$defs/credential"
            },
            "oauth_refresh_token": {
              "description": "A reference to the first refresh token. Dragoman stores the later tokens itself.",
              "$ref": "#/$defs/credential"
            },
            "draft": {
              "description": "Whether pull requests are opened as drafts.",
              "type": "boolean",
              "default": false
            },
            "credentials": { "$ref": "#/$defs/credential" },
            "author": {
              "description": "Name <mail>.",
              "type": "string",
              "pattern": "^[^<>]*[^<> ][^<>]*<[^<>@ ]+@[^<>@ ]+>$",
              "default": "Dragoman <dragoman@localhost>"
            },
            "when": {
              "description": "any: deliver every translation; complete: deliver a language when all of its outstanding units have been returned.",
              "enum": ["any", "complete"],
              "default": "any"
            },
            "sign": {
              "description": "A reference to the private SSH or OpenPGP key for signing commits.",
              "$ref": "#/$defs/credential"
            },
            "statuses": {
              "description": "The commit statuses to set at the forge.",
              "type": "array",
              "items": { "enum": ["completeness", "freeze"] },
              "uniqueItems": true
            },
            "annotations": {
              "description": "Whether to use check runs, with annotations at the lines of strings, instead of statuses. Only on GitHub, and only with the token of an app.",
              "type": "boolean",
              "default": false
            },
            "comments": {
              "description": "Whether to comment on people's pull requests with the changes that concern translators.",
              "type": "boolean",
              "default": false
            },
            "labels": {
              "description": "Labels of new pull requests.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "reviewers": {
              "description": "The reviewers of new pull requests: account names of the server; team:NAME on GitHub, Gitea and Forgejo.",
              "type": "array",
              "items": { "$ref": "#/$defs/text" },
              "uniqueItems": true
            },
            "auto_merge": {
              "description": "The way in which the server merges pull requests as soon as its rules allow it. Default: no automatic merge.",
              "enum": ["merge", "squash", "rebase"]
            },
            "sign_off": {
              "description": "Whether commits end with a Signed-off-by trailer of the author.",
              "type": "boolean",
              "default": false
            },
            "co_authors": {
              "description": "Whether commits have a Co-authored-by trailer for each translator, and pull requests a table of them, if vendors report them.",
              "type": "boolean",
              "default": false
            },
            "addresses": {
              "description": "Mail addresses of translators for `co_authors`, by the account, the address or the name that the vendor reports.",
              "type": "object",
              "additionalProperties": { "type": "string", "pattern": "^[^@\\s<>]+@[^@\\s<>]+$" }
            },
            "subject": {
              "description": "The first line of commit messages. It must contain {summary} and can contain {pipeline}.",
              "type": "string",
              "pattern": "\\{summary\\}",
              "maxLength": 200,
              "default": "{summary}"
            }
          }
        }
    """#

  /// The members `require` and `fallbacks`.
  static let gates = #"""
        "require": {
          "description": "Completion in percent that `dragoman status --pipeline` requires and `run` reports: one number, or by language with `default` for all others; additional requirements by branch pattern; for individual catalogs, by path pattern under `catalogs`.",
          "oneOf": [
            { "$ref": "#/$defs/percent" },
            {
              "type": "object",
              "properties": {
                "catalogs": {
                  "type": "object",
                  "minProperties": 1,
                  "additionalProperties": {
                    "oneOf": [
                      { "$ref": "#/$defs/percent" },
                      {
                        "type": "object",
                        "minProperties": 1,
                        "propertyNames": { "$ref": "#/$defs/language" },
                        "additionalProperties": { "$ref": "#/$defs/percent" }
                      }
                    ]
                  }
                }
              },
              "additionalProperties": {
                "oneOf": [
                  { "$ref": "#/$defs/percent" },
                  {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": { "$ref": "#/$defs/language" },
                    "additionalProperties": { "$ref": "#/$defs/percent" }
                  }
                ]
              }
            }
          ]
        },
        "fallbacks": {
          "description": "For each language, the languages whose translations count at gates if it has no translation of its own, in order of preference.",
          "type": "object",
          "propertyNames": { "$ref": "#/$defs/language" },
          "additionalProperties": { "$ref": "#/$defs/languages" }
        }
    """#
}
