extension DashboardTemplates {
  static let portfolio = """
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <div data-live="portfolio">
    <dl class="figures">{{#figures}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/figures}}</dl>
    {{> problemList}}
    <section class="card" aria-labelledby="all"><h2 id="all" class="visually-hidden">{{title}}</h2>
    {{^rows}}<p class="muted">{{none}}</p>{{/rows}}
    {{#hasRows}}<table class="stack"><thead><tr><th scope="col">{{pipeline}}</th><th scope="col">{{state}}</th><th scope="col">{{completion}}</th><th scope="col" class="n">{{out}}</th><th scope="col" class="n">{{held}}</th><th scope="col">{{delivered}}</th></tr></thead><tbody>
    {{#rows}}<tr><th scope="row"><a href="/pipelines/{{url}}"><bdi>{{name}}</bdi></a></th>
    <td data-label="{{state}}"><span class="tag {{tone}}">{{stateText}}</span></td>
    <td data-label="{{completion}}">{{#known}}<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="back" width="100" height="6" rx="3"/><rect class="front" width="{{width}}" height="6" rx="3"/></svg>{{/known}}{{percent}}</td>
    <td class="n" data-label="{{out}}">{{outCount}}</td><td class="n" data-label="{{held}}">{{#heldLink}}<a href="/held?pipeline={{url}}">{{heldCount}}</a>{{/heldLink}}{{^heldLink}}{{heldCount}}{{/heldLink}}</td>
    <td data-label="{{delivered}}">{{#time}}{{> time}}{{/time}}{{^time}}<span class="muted">–</span>{{/time}}</td></tr>
    {{/rows}}</tbody></table>{{/hasRows}}
    </section>{{#more}}<p><a class="button" href="{{more}}">{{moreLabel}}</a></p>{{/more}}</div>
    """

  static let problemList = """
    {{#hasProblems}}<section class="card" aria-labelledby="problems"><h2 id="problems">{{problemsTitle}}</h2><ul class="plain">{{#problems}}<li><span class="tag {{tone}}">{{severity}}</span> <strong><bdi>{{place}}</bdi></strong> <span class="text">{{text}}</span> <span class="muted small">{{retry}}</span></li>{{/problems}}</ul></section>{{/hasProblems}}
    """

  static let heat = """
    {{#none}}<p class="muted">{{none}}</p>{{/none}}{{#uncounted}}<p class="note warn">{{uncounted}}</p>{{/uncounted}}
    {{#hasRows}}<div class="scroll" tabindex="0" role="region" aria-label="{{caption}}"><table class="heat"><caption>{{caption}}</caption><thead><tr><th scope="col">{{branch}}</th>{{#languages}}<th scope="col"><abbr title="{{name}}">{{tag}}</abbr></th>{{/languages}}</tr></thead><tbody>
    {{#rows}}<tr><th scope="row"><bdi class="key">{{branch}}</bdi></th>{{#cells}}{{#has}}<td class="{{tone}}"><a href="{{target}}" aria-label="{{label}}">{{percent}}<small>{{share}}</small></a></td>{{/has}}{{^has}}<td class="muted">–</td>{{/has}}{{/cells}}</tr>
    {{/rows}}</tbody></table></div>{{/hasRows}}
    """

  static let pipeline = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/">{{all}}</a></nav>
    <h1><bdi>{{title}}</bdi></h1>
    <p class="lead">{{#repository}}<code>{{repository}}</code>{{/repository}}</p>
    <div data-live="pipeline">
    {{#pause}}<div class="note warn" role="status">{{pause}}</div>{{/pause}}
    {{#fault}}<div class="note bad" role="status"><strong>{{faultLabel}}</strong> <span class="text">{{fault}}</span></div>{{/fault}}
    <dl class="figures">{{#figures}}<div><dt>{{label}}</dt><dd>{{#target}}<a href="{{target}}">{{value}}</a>{{/target}}{{^target}}{{value}}{{/target}}</dd></div>{{/figures}}</dl>
    </div>
    {{#isOperator}}<div class="actions">
    {{#paused}}<form method="post" action="/pipelines/{{url}}/resume"><input type="hidden" name="form" value="{{form}}"><button class="main" type="submit">{{resume}}</button></form>{{/paused}}
    {{^paused}}<form method="post" action="/pipelines/{{url}}/look"><input type="hidden" name="form" value="{{form}}"><button type="submit">{{look}}</button></form>
    <form method="post" action="/pipelines/{{url}}/pause" class="row"><input type="hidden" name="form" value="{{form}}"><div><label class="visually-hidden" for="reason">{{reason}}</label><input id="reason" name="reason" placeholder="{{reason}}" maxlength="500"></div><button type="submit">{{pauseButton}}</button></form>{{/paused}}
    </div>{{/isOperator}}
    <section class="card" aria-labelledby="completion" ><h2 id="completion">{{completionTitle}}</h2><div data-live="heat">{{{heat}}}</div><p class="muted small"><a href="/pipelines/{{url}}/preview">{{preview}}</a> · <a href="/pipelines/{{url}}/history">{{commits}}</a></p></section>
    {{#chart}}<section class="card" aria-labelledby="history"><h2 id="history">{{historyTitle}}</h2>{{{chart}}}</section>{{/chart}}
    <div data-live="below">
    {{> problemList}}
    <div class="columns">
    <section class="card" aria-labelledby="rounds"><h2 id="rounds">{{roundsTitle}}</h2>{{{roundTable}}}<p><a href="/rounds?pipeline={{url}}">{{allRounds}}</a></p></section>
    <section class="card" aria-labelledby="deliveries"><h2 id="deliveries">{{deliveriesTitle}}</h2>{{^deliveries}}<p class="muted">{{noDeliveries}}</p>{{/deliveries}}<ul class="plain">{{#deliveries}}<li><span class="tag {{tone}}">{{state}}</span> <code>{{commit}}</code> {{arrow}} <bdi class="key">{{target}}</bdi><br><span class="muted small">{{units}} · {{#created}}{{> time}}{{/created}}</span></li>{{/deliveries}}</ul></section>
    </div></div>
    """

  static let preview = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a></nav>
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <form method="get" action="/pipelines/{{url}}/preview" class="row card no-print">
    <div><label for="branch">{{branchLabel}}</label><select id="branch" name="branch">{{#branches}}<option value="{{raw}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/branches}}</select></div>
    <div><label for="style">{{styleLabel}}</label><select id="style" name="style">{{#styles}}<option value="{{raw}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/styles}}</select></div>
    <button type="submit">{{show}}</button></form>
    <section class="card" aria-labelledby="texts"><h2 id="texts">{{count}}</h2>
    <table class="stack"><thead><tr><th scope="col">{{sourceLabel}}</th><th scope="col">{{shownLabel}}</th></tr></thead><tbody>
    {{#texts}}<tr><th scope="row"><a class="text" dir="auto" href="{{target}}">{{source}}</a></th><td data-label="{{shownLabel}}">{{#reversed}}<bdo dir="rtl" class="text">{{shown}}</bdo>{{/reversed}}{{^reversed}}<span class="text" dir="auto">{{shown}}</span>{{/reversed}}</td></tr>
    {{/texts}}</tbody></table>{{#rest}}<p class="muted">{{rest}}</p>{{/rest}}</section>
    """

  static let release = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a></nav>
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <div class="note {{tone}}" role="status"><p>{{verdict}}</p>{{#hasObstacles}}<ul>{{#obstacles}}<li class="text">{{.}}</li>{{/obstacles}}</ul>{{/hasObstacles}}{{#gate}}<p class="text small">{{gate}}</p>{{/gate}}</div>
    <form method="get" action="/pipelines/{{url}}/release" class="row card no-print">
    <div><label for="branch">{{branchLabel}}</label><select id="branch" name="branch">{{#branches}}<option value="{{raw}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/branches}}</select></div>
    <div><label for="language">{{languageLabel}}</label><select id="language" name="language"><option value="">{{allLanguages}}</option>{{#languages}}<option value="{{raw}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/languages}}</select></div>
    <button type="submit">{{show}}</button></form>
    {{#groups}}<section class="card"><h2><bdi>{{language}}</bdi> <span class="muted">{{share}}</span></h2>
    <table class="stack"><thead><tr><th scope="col">{{stringLabel}}</th><th scope="col">{{placeLabel}}</th><th scope="col">{{authorLabel}}</th></tr></thead><tbody>
    {{#strings}}<tr><th scope="row"><a class="key" href="{{target}}"><bdi>{{key}}</bdi></a>{{#text}}<div class="quote" dir="auto">{{text}}</div>{{/text}}<div class="muted small key">{{catalog}}</div></th>
    <td data-label="{{placeLabel}}"><span class="tag {{tone}}">{{place}}</span> <span class="small">{{detail}}</span></td>
    <td data-label="{{authorLabel}}"><bdi>{{author}}</bdi> <code class="small">{{commit}}</code><br><span class="muted small">{{added}}</span></td></tr>
    {{/strings}}</tbody></table></section>{{/groups}}
    {{#rest}}<p class="muted">{{rest}}</p>{{/rest}}
    """
}
