extension DashboardTemplates {
  static let roundTable = """
    {{^rounds}}<p class="muted">{{none}}</p>{{/rounds}}
    {{#hasRounds}}<table class="stack"><thead><tr><th scope="col">{{roundLabel}}</th><th scope="col">{{createdLabel}}</th><th scope="col" class="n">{{sentLabel}}</th><th scope="col" class="n">{{returnedLabel}}</th><th scope="col" class="n">{{outLabel}}</th></tr></thead><tbody>
    {{#rounds}}<tr><th scope="row"><a class="name" href="/rounds/{{id}}"><bdi>{{name}}</bdi></a> {{#cancelled}}<span class="tag warn">{{cancelledLabel}}</span>{{/cancelled}}</th><td data-label="{{createdLabel}}">{{#created}}{{> time}}{{/created}}</td><td class="n" data-label="{{sentLabel}}">{{sent}}</td><td class="n" data-label="{{returnedLabel}}">{{returned}}</td><td class="n" data-label="{{outLabel}}">{{out}}</td></tr>
    {{/rounds}}</tbody></table>{{/hasRounds}}
    """

  static let rounds = """
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <section class="card" aria-labelledby="list" data-live="rounds"><h2 id="list" class="visually-hidden">{{title}}</h2>{{{table}}}</section>
    {{#older}}<p><a class="button" href="{{older}}">{{olderLabel}}</a></p>{{/older}}
    """

  static let round = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/rounds">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a></nav>
    <h1><bdi>{{title}}</bdi> {{#cancelled}}<span class="tag warn">{{cancelledLabel}}</span>{{/cancelled}}</h1>
    <p class="lead">{{#created}}{{> time}}{{/created}}</p>
    {{#isOperator}}<div class="actions">
    <form method="post" action="/rounds/{{id}}/retry"><input type="hidden" name="form" value="{{form}}"><button type="submit">{{retry}}</button></form>
    {{#hasOut}}<form method="post" action="/rounds/{{id}}/cancel"><input type="hidden" name="form" value="{{form}}"><button class="danger" type="submit">{{cancel}}</button></form>{{/hasOut}}
    </div>{{/isOperator}}
    <section class="card" aria-labelledby="books" data-live="books"><h2 id="books">{{booksTitle}}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="{{booksCaption}}"><table><caption>{{booksCaption}}</caption><thead><tr><th scope="col">{{vendorLabel}}</th><th scope="col">{{languageLabel}}</th>{{#accounts}}<th scope="col" class="n">{{.}}</th>{{/accounts}}</tr></thead><tbody>
    {{#books}}<tr><th scope="row"><bdi>{{vendor}}</bdi></th><td><bdi>{{language}}</bdi></td>{{#counts}}<td class="n">{{.}}</td>{{/counts}}</tr>{{/books}}
    </tbody></table></div></section>
    {{#hasHeld}}<section class="card" aria-labelledby="held"><h2 id="held">{{heldTitle}}</h2><ul class="plain">{{#held}}<li><a href="{{target}}"><bdi class="key">{{key}}</bdi></a> <span class="muted">{{language}}</span><br><span class="small">{{reason}}</span></li>{{/held}}</ul></section>{{/hasHeld}}
    <div class="columns">
    <section class="card" aria-labelledby="units"><h2 id="units">{{unitsTitle}}</h2><ul class="plain">{{#units}}<li><a class="key" href="{{target}}"><bdi>{{key}}</bdi></a><div class="muted small key">{{catalog}}</div></li>{{/units}}</ul>{{#rest}}<p><a class="button" href="{{next}}">{{rest}}</a></p>{{/rest}}</section>
    <section class="card" aria-labelledby="commits"><h2 id="commits">{{commitsTitle}}</h2><ul class="plain">{{#commits}}<li><code>{{commit}}</code> <bdi>{{author}}</bdi><br><span class="muted small">{{date}} {{strings}}</span></li>{{/commits}}</ul></section>
    </div>
    """

  static let held = """
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <section class="card" aria-labelledby="list" data-live="held"><h2 id="list" class="visually-hidden">{{title}}</h2>
    {{^units}}<p class="muted">{{none}}</p>{{/units}}
    <ul class="plain">{{#units}}<li><a href="{{target}}"><bdi class="key">{{key}}</bdi></a> <span class="tag">{{language}}</span> <span class="muted small"><bdi>{{place}}</bdi></span><div class="quote" dir="auto" lang="{{language}}">{{text}}</div><span class="small">{{reason}}</span></li>
    {{/units}}</ul>{{#rest}}<p class="muted">{{rest}}</p>{{/rest}}</section>
    """

  static let heldUnit = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/held">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a></nav>
    <h1><bdi class="key">{{title}}</bdi></h1>
    <p class="lead"><span class="tag">{{language}}</span> <bdi class="key">{{catalog}}</bdi> · <bdi class="key">{{branch}}</bdi> · <a href="{{life}}">{{lifeLabel}}</a></p>
    <p class="note warn"><strong>{{reasonLabel}}</strong> <span class="text">{{reason}}</span></p>
    <section class="card" aria-labelledby="edit"><h2 id="edit">{{formsTitle}}</h2>
    <form method="post" action="/held/{{id}}/edit"><input type="hidden" name="form" value="{{form}}"><input type="hidden" name="branch" value="{{rawBranch}}">
    {{#forms}}<div class="field">{{#name}}<h3 class="key">{{name}}</h3>{{/name}}<p class="quote" dir="auto"><span class="visually-hidden">{{sourceLabel}} </span>{{source}}</p><label for="text{{index}}">{{targetLabel}}</label><textarea id="text{{index}}" name="text" dir="{{direction}}" lang="{{language}}" rows="3"{{#locked}} readonly{{/locked}}>
    {{target}}</textarea>{{#marked}}<p class="muted small">{{marksLabel}}</p><p class="quote" dir="{{direction}}" lang="{{language}}">{{marked}}</p>{{/marked}}</div>{{/forms}}
    {{#isOperator}}{{#cut}}<p class="note">{{cut}} <code>{{command}}</code></p>{{/cut}}{{^cut}}<button class="main" type="submit">{{save}}</button> <span class="muted small">{{saveHint}}</span>{{/cut}}{{/isOperator}}</form></section>
    {{#isOperator}}<div class="actions">
    {{#mayBeTaken}}<form method="post" action="/held/{{id}}/take"><input type="hidden" name="form" value="{{form}}"><input type="hidden" name="branch" value="{{rawBranch}}"><button type="submit">{{take}}</button></form>{{/mayBeTaken}}
    <form method="post" action="/held/{{id}}/drop"><input type="hidden" name="form" value="{{form}}"><input type="hidden" name="branch" value="{{rawBranch}}"><button class="danger" type="submit">{{drop}}</button></form>
    <span class="muted small">{{dropHint}}</span></div>{{/isOperator}}
    """

  static let search = """
    <h1>{{title}}</h1>
    <form class="card row" action="/search" method="get" role="search" aria-label="{{title}}"><div><label for="text">{{label}}</label><input id="text" type="search" name="text" value="{{text}}" maxlength="1000" required></div><button class="main" type="submit">{{button}}</button></form>
    <section class="card" aria-labelledby="found"><h2 id="found">{{count}}</h2><ul class="plain">{{#units}}<li><a class="key" href="{{target}}"><bdi>{{key}}</bdi></a> <span class="muted small"><bdi>{{place}}</bdi></span>{{#source}}<div class="quote" dir="auto">{{source}}</div>{{/source}}</li>{{/units}}</ul></section>
    """

  static let returned = """
    <p><strong><bdi>{{vendor}}</bdi></strong> <span class="tag">{{language}}</span> <span class="muted small">{{#received}}{{> time}}{{/received}} · <bdi>{{bundle}}</bdi></span></p><div class="quote" dir="{{direction}}" lang="{{language}}">{{text}}</div><ul class="small">{{#outcomes}}<li><span class="tag {{tone}}">{{state}}</span> <bdi class="key">{{branch}}</bdi> {{detail}}</li>{{/outcomes}}</ul>
    """

  static let string = """
    <h1><bdi class="key">{{title}}</bdi></h1>
    {{#strings}}
    <p class="lead"><a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a> · <bdi class="key">{{catalog}}</bdi></p>
    {{#comment}}<p class="note">{{comment}}</p>{{/comment}}
    {{#hasLanguages}}<section class="card"><h2>{{languagesTitle}}</h2><table class="stack"><thead><tr><th scope="col">{{languageLabel}}</th><th scope="col">{{textLabel}}</th><th scope="col">{{stateLabel}}</th></tr></thead><tbody>
    {{#languages}}<tr><th scope="row"><bdi>{{language}}</bdi></th><td data-label="{{textLabel}}">{{#forms}}{{#name}}<div class="muted small key">{{name}}</div>{{/name}}<div class="text" dir="{{direction}}" lang="{{tag}}">{{text}}</div>{{/forms}}</td><td data-label="{{stateLabel}}"><span class="tag {{tone}}">{{state}}</span></td></tr>
    {{/languages}}</tbody></table>{{#sites}}<p class="muted small">{{sites}}</p>{{/sites}}
    {{#excerpts}}<figure><figcaption class="muted small key">{{site}}</figcaption><pre class="code scroll" tabindex="0" dir="ltr">{{#lines}}<span{{#here}} class="here"{{/here}}><i>{{number}}</i> {{text}}
    </span>{{/lines}}</pre></figure>{{/excerpts}}</section>{{/hasLanguages}}
    {{#hasScreenshots}}<section class="card"><h2>{{screenshotsTitle}}</h2>{{#screenshotFault}}<p class="note warn">{{screenshotFault}}</p>{{/screenshotFault}}<div class="shots">{{#screenshots}}<figure><a href="{{source}}"><img src="{{source}}" alt="{{description}}" loading="lazy"></a><figcaption class="muted small key">{{name}}</figcaption></figure>{{/screenshots}}</div>{{#restOfScreenshots}}<p class="muted">{{restOfScreenshots}}</p>{{/restOfScreenshots}}</section>{{/hasScreenshots}}
    {{#versions}}<section class="card"><h2>{{heading}}</h2><div class="quote" dir="auto">{{text}}</div><p class="muted">{{origin}}</p>
    {{#hasSent}}<h3>{{sentTitle}}</h3><ul class="plain">{{#sent}}<li><a href="/rounds?pipeline={{url}}"><bdi>{{round}}</bdi></a> {{arrow}} <bdi>{{vendor}}</bdi> <span class="tag">{{language}}</span> <span class="tag {{tone}}">{{state}}</span> <span class="muted small">{{#time}}{{> time}}{{/time}}</span></li>{{/sent}}</ul>{{/hasSent}}
    {{#hasReturned}}<h3>{{returnedTitle}}</h3>{{#returned}}{{> returned}}{{/returned}}{{/hasReturned}}</section>{{/versions}}
    {{#hasUnmatched}}<section class="card"><h2>{{unmatchedTitle}}</h2>{{#unmatched}}{{> returned}}{{/unmatched}}</section>{{/hasUnmatched}}
    {{/strings}}
    """

  static let audit = """
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <section class="card" aria-labelledby="list"><h2 id="list" class="visually-hidden">{{title}}</h2>{{^entries}}<p class="muted">{{none}}</p>{{/entries}}
    {{#hasEntries}}<table class="stack"><thead><tr><th scope="col">{{timeLabel}}</th><th scope="col">{{whoLabel}}</th><th scope="col">{{whatLabel}}</th><th scope="col">{{outcomeLabel}}</th></tr></thead><tbody>
    {{#entries}}<tr><td data-label="{{timeLabel}}">{{#at}}{{> time}}{{/at}}</td><td data-label="{{whoLabel}}"><bdi>{{who}}</bdi> <span class="muted small">{{way}}</span></td><td data-label="{{whatLabel}}"><strong>{{action}}</strong> <bdi class="key">{{subject}}</bdi> <span class="muted small">{{detail}}</span></td><td data-label="{{outcomeLabel}}"><span class="tag {{tone}}">{{outcome}}</span></td></tr>
    {{/entries}}</tbody></table>{{/hasEntries}}</section>{{#older}}<p><a class="button" href="{{older}}">{{olderLabel}}</a></p>{{/older}}
    """
}
