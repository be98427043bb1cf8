extension DashboardTemplates {
  static let commits = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a></nav>
    <h1>{{title}}</h1>
    <p class="lead">{{lead}}</p>
    <form method="get" action="/pipelines/{{url}}/history" class="row card no-print">
    <div><label for="branch">{{branchLabel}}</label><select id="branch" name="branch">{{#branches}}<option value="{{raw}}"{{#chosen}} selected{{/chosen}}>{{name}}</option>{{/branches}}</select></div>
    <button type="submit">{{show}}</button></form>
    <section class="card" aria-labelledby="list" data-live="commits"><h2 id="list" class="visually-hidden">{{title}}</h2>
    {{^commits}}<p class="muted">{{none}}</p>{{/commits}}{{#unrecorded}}<p class="muted">{{unrecorded}}</p>{{/unrecorded}}
    {{#hasCommits}}<table class="stack"><thead><tr><th scope="col">{{commitLabel}}</th>{{#columns}}<th scope="col" class="n">{{.}}</th>{{/columns}}</tr></thead><tbody>
    {{#commits}}<tr><th scope="row"><a class="name" href="{{target}}"><bdi>{{subject}}</bdi></a> {{#ours}}<span class="tag">{{oursLabel}}</span>{{/ours}}{{#isIncomplete}}<span class="tag warn">{{incomplete}}</span>{{/isIncomplete}}<br><span class="muted small"><code>{{commit}}</code> <bdi>{{author}}</bdi> · {{date}}</span></th>{{#cells}}<td class="n" data-label="{{label}}">{{value}}</td>{{/cells}}</tr>
    {{/commits}}</tbody></table>{{/hasCommits}}</section>
    {{#older}}<p><a class="button" href="{{older}}">{{olderLabel}}</a></p>{{/older}}
    """

  static let commit = """
    <nav class="crumbs" aria-label="{{crumbs}}"><a href="/">{{all}}</a> / <a href="/pipelines/{{url}}"><bdi>{{pipeline}}</bdi></a> / <a href="/pipelines/{{url}}/history">{{history}}</a></nav>
    <h1><bdi>{{title}}</bdi> {{#ours}}<span class="tag">{{oursLabel}}</span>{{/ours}}</h1>
    <p class="lead"><code>{{commit}}</code> · <bdi>{{author}}</bdi> · {{#date}}{{> time}}{{/date}}</p>
    {{#fault}}<div class="note warn"><strong>{{faultLabel}}</strong> <span class="text">{{fault}}</span></div>{{/fault}}
    <dl class="figures">{{#figures}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/figures}}</dl>
    <section class="card" aria-labelledby="changes"><h2 id="changes">{{changesTitle}}</h2>
    {{^changes}}<p class="muted">{{none}}</p>{{/changes}}
    <ul class="plain">{{#changes}}<li><span class="tag">{{kind}}</span> <a href="{{target}}"><bdi class="key">{{key}}</bdi></a>{{#text}}<div class="quote" dir="auto">{{text}}</div>{{/text}}{{#former}}<div class="muted small">{{formerLabel}} <span class="text" dir="auto">{{former}}</span></div>{{/former}}<div class="muted small"><bdi>{{catalog}}</bdi>{{#place}} · <bdi>{{place}}</bdi>{{/place}}</div></li>
    {{/changes}}</ul>{{#rest}}<p class="muted">{{rest}}</p>{{/rest}}</section>
    """
}
