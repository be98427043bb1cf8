/// The style of all pages. It needs no build step, no web fonts and no scripts. Texts have a contrast of at least 4.5:1 with their background.
package enum DashboardStyle {
  /// The icon that browsers show in the tab.
  package static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57b0"/><path \
    fill="#fff" d="M7 9h11a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3h-5l-4 4v-4H7zM23 13h1a2 2 0 0 1 2 2v6h-1.500v3l-3-3H17a2 2 0 0 1-2-1h5a3 3 \
    0 0 0 3-3z"/></svg>
    """

  package static let css = layout + parts + charts + print

  private static let layout = """
    :root {
      color-scheme: light dark;
      --ground: #f6f7f9; --card: #ffffff; --line: #d5d9e0; --text: #1b2330; --muted: #545e6e; --link: #0b57b0;
      --accent: #0b57b0; --on-accent: #ffffff; --good: #1a6e35; --good-ground: #e2f3e7; --warn: #7a4a00;
      --warn-ground: #fdf0d5; --bad: #a3211d; --bad-ground: #fce8e6; --info-ground: #e6effa;
      --h0: #f9dcd9; --h1: #fbe6cf; --h2: #fbf1cd; --h3: #e9f4d3; --h4: #d3eedb; --h5: #b9e4c6;
      --radius: 10px; --gap: 1.25rem;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #10141b; --card: #181e28; --line: #323b4a; --text: #e7ebf2; --muted: #a7b1c2; --link: #8ab8f8;
        --accent: #8ab8f8; --on-accent: #0d1420; --good: #84d79d; --good-ground: #173222; --warn: #f2c66d;
        --warn-ground: #3a2c0e; --bad: #ff9f98; --bad-ground: #431b1a; --info-ground: #1b2b42;
        --h0: #571f1c; --h1: #543117; --h2: #4d4114; --h3: #37461a; --h4: #204627; --h5: #17552c;
      }
    }
    *, *::before, *::after { box-sizing: border-box; }
    html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
    body { margin: 0; background: var(--ground); color: var(--text); }
    a { color: var(--link); text-underline-offset: .15em; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
    .skip { position: absolute; inset-inline-start: -100rem; }
    .skip:focus { inset-inline-start: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
    header.site { background: var(--card); border-bottom: 1px solid var(--line); }
    header.site > div, main, footer.site { max-width: 86rem; margin-inline: auto; padding-inline: clamp(1rem, 3vw, 2rem); }
    header.site > div { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding-block: .7rem; }
    .brand { font-weight: 700; font-size: 1.1rem; color: var(--text); text-decoration: none; display: flex; gap: .5rem;
      align-items: center; }
    .brand svg { width: 1.6rem; height: 1.6rem; }
    nav.site ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0; padding: 0; }
    nav.site a { display: block; padding: .4rem .7rem; border-radius: 6px; text-decoration: none; color: var(--text);
      min-height: 2.2rem; }
    nav.site a:hover { background: var(--ground); }
    nav.site a[aria-current] { background: var(--info-ground); color: var(--link); font-weight: 600; }
    header.site form.search { flex: 1 1 12rem; display: flex; min-width: 0; }
    header.site form.search input { flex: 1; min-width: 0; }
    .who { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; color: var(--muted); font-size: .9rem; }
    .who form { margin: 0; }
    main { padding-block: 1.5rem 3rem; }
    h1 { font-size: clamp(1.4rem, 1.1rem + 1.4vw, 2rem); line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.15rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
    h3 { font-size: 1rem; margin: 1rem 0 .4rem; overflow-wrap: anywhere; }
    p { margin: 0 0 .75rem; }
    .lead { color: var(--muted); margin-bottom: 1.25rem; overflow-wrap: anywhere; }
    .crumbs { font-size: .9rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.1rem 1.25rem;
      margin-bottom: var(--gap); }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: var(--gap);
      align-items: start; }
    .columns > .card { margin-bottom: 0; min-width: 0; }
    .columns { margin-bottom: var(--gap); }
    footer.site { padding-block: 1rem 2rem; color: var(--muted); font-size: .85rem; }

    """

  private static let parts = """
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem;
      margin: 0 0 var(--gap); padding: 0; }
    .figures > div { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius);
      padding: .75rem 1rem; }
    .figures dt { color: var(--muted); font-size: .85rem; }
    .figures dd { margin: 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.25; }
    .figures dd small { font-size: .9rem; font-weight: 400; color: var(--muted); }
    .scroll { overflow-x: auto; max-width: 100%; }
    .scroll:focus-visible { outline-offset: 0; }
    table { border-collapse: collapse; width: 100%; font-size: .95rem; }
    caption { text-align: start; color: var(--muted); font-size: .9rem; padding-bottom: .4rem; }
    th, td { text-align: start; padding: .5rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top;
      overflow-wrap: anywhere; min-width: 3.5rem; }
    thead th { color: var(--muted); font-weight: 600; font-size: .85rem; overflow-wrap: normal; }
    tbody th { font-weight: 600; }
    tbody tr:last-child > * { border-bottom: 0; }
    td.n, th.n { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
    th a.name { display: inline-block; min-width: 6.5rem; }
    .muted { color: var(--muted); }
    .small { font-size: .88rem; }
    code, .key { font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace; font-size: .92em;
      overflow-wrap: anywhere; white-space: pre-wrap; }
    figure { margin: .75rem 0 0; }
    .shots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: var(--gap); }
    .shots a { display: inline-block; max-width: 100%; }
    .shots img { display: block; min-width: 3rem; max-width: 100%; min-height: 3rem; max-height: 28rem;
      object-fit: scale-down; border: 1px solid var(--line); border-radius: 7px;
      background: var(--ground); }
    pre.code { margin: .25rem 0; padding: .5rem .75rem; background: var(--ground); border: 1px solid var(--line);
      border-radius: 7px; font: .88em/1.6 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
    pre.code i { color: var(--muted); font-style: normal; user-select: none; }
    pre.code .here { background: var(--info-ground); }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; }
    .quote { border-inline-start: 3px solid var(--line); padding: .1rem .75rem; margin: .3rem 0; white-space: pre-wrap;
      overflow-wrap: anywhere; }
    .tag { display: inline-block; border-radius: 999px; padding: .1rem .65rem; font-size: .82rem; font-weight: 600;
      background: var(--info-ground); color: var(--text); white-space: nowrap; }
    .tag.good { background: var(--good-ground); color: var(--good); }
    .tag.warn { background: var(--warn-ground); color: var(--warn); }
    .tag.bad { background: var(--bad-ground); color: var(--bad); }
    .note { border-radius: var(--radius); padding: .75rem 1rem; margin-bottom: var(--gap); background: var(--info-ground);
      overflow-wrap: anywhere; }
    .note.bad { background: var(--bad-ground); color: var(--bad); }
    .note.warn { background: var(--warn-ground); color: var(--warn); }
    .note.good { background: var(--good-ground); color: var(--good); }
    ul.plain { list-style: none; margin: 0; padding: 0; }
    ul.plain > li { padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
    ul.plain > li:last-child { border-bottom: 0; }
    form.inline { display: inline-block; margin: 0; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: var(--gap); }
    button, .button { font: inherit; font-weight: 600; padding: .45rem .95rem; min-height: 2.4rem; border-radius: 7px;
      border: 1px solid var(--line); background: var(--card); color: var(--text); cursor: pointer; text-decoration: none;
      display: inline-block; }
    button:hover, .button:hover { border-color: var(--accent); }
    button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
    button.danger { color: var(--bad); }
    label { font-weight: 600; display: block; margin-bottom: .25rem; }
    input, textarea, select { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--muted);
      border-radius: 7px; padding: .45rem .65rem; min-height: 2.4rem; max-width: 100%; }
    textarea { width: 100%; min-height: 5rem; resize: vertical; }
    .field { margin-bottom: 1rem; }
    .row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
    .row > div { min-width: 0; max-width: 100%; }
    .row select { width: auto; min-width: 0; }
    .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    .narrow { max-width: 30rem; margin-inline: auto; }
    .live { font-size: .85rem; color: var(--muted); }

    """

  private static let charts = """
    .bar { display: block; width: 100%; min-width: 5rem; height: .6rem; }
    .bar .back { fill: var(--line); } .bar .front { fill: var(--good); }
    table.heat td { text-align: center; font-variant-numeric: tabular-nums; min-width: 4.2rem; border: 2px solid var(--card);
      border-radius: 8px; padding: .45rem .3rem; color: var(--text); }
    table.heat { border-collapse: separate; border-spacing: 0; width: auto; min-width: min(100%, 30rem); }
    table.heat th { border-bottom: 0; } table.heat thead th { text-align: center; }
    table.heat thead th:first-child { text-align: start; }
    table.heat tbody th { position: sticky; inset-inline-start: 0; background: var(--card); max-width: 14rem; }
    table.heat td small { display: block; color: var(--text); font-size: .75rem; }
    table.heat a { color: inherit; text-decoration: none; display: block; } table.heat a:hover { text-decoration: underline; }
    .c0 { background: var(--h0); } .c1 { background: var(--h1); } .c2 { background: var(--h2); }
    .c3 { background: var(--h3); } .c4 { background: var(--h4); } .c5 { background: var(--h5); }
    /* Charts run from left to right in every language, because the anchors of their texts depend on the direction. */
    svg.chart { display: block; width: 100%; height: auto; max-height: 20rem; direction: ltr; }
    code { direction: ltr; unicode-bidi: isolate; }
    .chart .grid { stroke: var(--line); stroke-width: 1; }
    .chart text { fill: var(--muted); font-size: 12px; }
    .chart .area { fill: var(--h1); }
    .chart .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
    .chart .s0 { stroke: #1f77d0; } .chart .s1 { stroke: #c2410c; } .chart .s2 { stroke: #15803d; }
    .chart .s3 { stroke: #9333ea; } .chart .s4 { stroke: #b4530a; } .chart .s5 { stroke: #0e7490; }
    .legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; padding: 0; margin: .5rem 0 0;
      font-size: .88rem; }
    .legend svg.chart { display: inline-block; width: 1.75rem; height: .75rem; margin-inline-end: .35rem; }
    summary { padding-block: .3rem; cursor: pointer; }
    @media (prefers-color-scheme: dark) {
      .chart .s0 { stroke: #6cb0ff; } .chart .s1 { stroke: #ff9a62; } .chart .s2 { stroke: #6fd48b; }
      .chart .s3 { stroke: #c99bff; } .chart .s4 { stroke: #f0bd63; } .chart .s5 { stroke: #5fd0e6; }
    }

    """

  private static let print = """
    @media (max-width: 40rem) {
      table.stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      table.stack, table.stack tbody, table.stack tr, table.stack td, table.stack th { display: block; width: 100%; }
      table.stack tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
      table.stack tr:last-child { border-bottom: 0; }
      table.stack td, table.stack th { border: 0; padding: .15rem 0; text-align: start; white-space: normal; }
      table.stack td[data-label]::before { content: attr(data-label) ": "; color: var(--muted); font-size: .85rem; }
    }
    @media (prefers-reduced-motion: no-preference) { a, button { transition: border-color .15s; } }
    @media print {
      :root { --ground: #fff; --card: #fff; --text: #000; --muted: #333; --line: #999; --link: #000; }
      header.site, footer.site, .actions, .crumbs, .live, form, .no-print { display: none !important; }
      .card { border: 0; padding: 0; break-inside: auto; } tr { break-inside: avoid; } main { padding: 0; }
      .scroll { overflow: visible; }
    }

    """
}
