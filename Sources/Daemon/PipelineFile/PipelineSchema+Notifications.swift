extension PipelineSchema {
  /// The member `notify`.
  static let notify = #"""
        "notify": {
          "description": "The receivers of notifications.",
          "type": "array",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "oneOf": [
              { "required": ["webhook"], "not": { "required": ["mail"] } },
              { "required": ["mail", "server", "from"] }
            ],
            "properties": {
              "on": {
                "description": "The events. Default: all.",
                "type": "array",
                "minItems": 1,
                "items": {
                  "enum": ["round-delivered", "units-held", "round-overdue", "vendor-failing", "repository-failing"]
                },
                "uniqueItems": true
              },
              "webhook": { "description": "A reference to the URL of the webhook.", "$ref": "#/$defs/credential" },
              "format": {
                "description": "standard: JSON with the headers of Standard Webhooks.",
                "enum": ["standard", "slack", "teams"],
                "default": "standard"
              },
              "secret": {
                "description": "The secret for signatures of Standard Webhooks.",
                "$ref": "#/$defs/credential"
              },
              "mail": {
                "description": "The addresses that receive mail, instead of a webhook.",
                "oneOf": [
                  { "type": "string", "pattern": "^[^@\\s<>]+@[^@\\s<>]+$" },
                  {
                    "type": "array",
                    "minItems": 1,
                    "items": { "type": "string", "pattern": "^[^@\\s<>]+@[^@\\s<>]+$" },
                    "uniqueItems": true
                  }
                ]
              },
              "server": {
                "description": "The mail server: smtps://host, or smtp://host:587, which requires STARTTLS except on this machine.",
                "type": "string",
                "pattern": "^smtps?://[^@\\s/]+/?$"
              },
              "from": {
                "description": "Name <mail>.",
                "type": "string",
                "pattern": "^[^<>]*[^<> ][^<>]*<[^<>@ ]+@[^<>@ ]+>$"
              },
              "credentials": {
                "description": "A reference to the password for the mail server, or to `user:password`.",
                "$ref": "#/$defs/credential"
              },
              "quiet": {
                "description": "Hours without messages: 22:00-07:00.",
                "type": "string",
                "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"
              },
              "zone": {
                "description": "The time zone of `quiet`.",
                "$ref": "#/$defs/text",
                "default": "UTC"
              },
              "digest": {
                "description": "The time for which events are collected before a message is sent.",
                "$ref": "#/$defs/duration",
                "default": "0"
              }
            }
          }
        }
    """#
}
