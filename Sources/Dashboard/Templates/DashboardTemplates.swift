/// The templates of all pages. `{{…}}` is escaped. `{{{…}}}` is used only for the output of other templates and of charts.
enum DashboardTemplates {
  static let all: [String: String] = [
    "layout": layout, "notice": notice, "ended": ended, "signin": signIn, "time": time, "portfolio": portfolio,
    "pipeline": pipeline, "problemList": problemList, "heat": heat, "rounds": rounds, "roundTable": roundTable,
    "round": round, "held": held, "heldUnit": heldUnit,
    "search": search, "string": string, "returned": returned, "release": release, "preview": preview, "audit": audit,
    "commits": commits, "commit": commit,
  ]

  private static let layout = """
    <!DOCTYPE html>
    <html lang="{{lang}}" dir="{{dir}}"{{#events}} data-events="{{events}}"{{/events}}>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{{title}}</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/style.css">
    <script src="/assets/script.js" defer></script>
    </head>
    <body>
    <a class="skip" href="#content">{{skip}}</a>
    <header class="site"><div>
    <a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path fill="currentColor" d="M4 6h14a4 4 0 0 1 4 4v5a4 4 0 0 1-4 4h-6l-5 5v-5H4zM24 11h1a3 3 0 0 1 3 3v8h-2v4l-4-4h-6a3 3 0 0 1-3-1.500h5.500A5.500 5.500 0 0 0 24 15z"/></svg>{{brand}}</a>
    {{#signedIn}}
    <nav class="site" aria-label="{{navigation}}"><ul>
    {{#links}}<li><a href="{{target}}"{{#here}} aria-current="page"{{/here}}>{{text}}</a></li>
    {{/links}}</ul></nav>
    <form class="search" role="search" action="/search" method="get"><label class="visually-hidden" for="q">{{search}}</label><input id="q" type="search" name="text" placeholder="{{search}}" maxlength="1000" required><button class="visually-hidden" type="submit">{{searchButton}}</button></form>
    <div class="who"><span><bdi>{{viewer}}</bdi> ({{role}})</span>{{#mayLeave}}<form method="post" action="/signout"><input type="hidden" name="form" value="{{formToken}}"><button type="submit">{{signOut}}</button></form>{{/mayLeave}}</div>
    {{/signedIn}}
    </div></header>
    <main id="content" tabindex="-1">
    {{{content}}}
    </main>
    <footer class="site"><span id="live" class="live" role="status" hidden>{{live}}</span></footer>
    </body>
    </html>

    """

  private static let notice = """
    <div class="card narrow"><h1>{{title}}</h1><p class="text">{{text}}</p>{{#target}}<p><a class="button" href="{{target}}">{{link}}</a></p>{{/target}}</div>
    """

  private static let ended = """
    <div class="card narrow"><h1>{{title}}</h1><p class="note bad" role="alert">{{text}}</p>
    {{#texts}}<div class="field"><label for="typed{{index}}">{{label}}</label><textarea id="typed{{index}}" readonly dir="auto" rows="4">
    {{text}}</textarea></div>{{/texts}}
    <p><a class="button" href="{{target}}">{{link}}</a></p></div>
    """

  private static let signIn = """
    <div class="card narrow"><h1>{{title}}</h1>
    {{#refused}}<p class="note bad" role="alert">{{refusal}}</p>{{/refused}}
    <form method="post" action="/signin">
    <input type="hidden" name="next" value="{{next}}">
    <div class="field"><label for="token">{{label}}</label><input id="token" name="token" type="password" autocomplete="current-password" required size="40" maxlength="200" aria-describedby="hint"></div>
    <p id="hint" class="muted small">{{hint}}</p>
    <button class="main" type="submit">{{button}}</button>
    </form></div>
    """

  private static let time = """
    <time datetime="{{iso}}">{{text}}</time>
    """
}
