/// The script for live updates, the only feature that needs a script. When a stage ends, the script fetches the page again and replaces the parts
/// that have changed.
package enum DashboardScript {
  package static let javaScript = """
    "use strict";
    (() => {
      const root = document.documentElement;
      const source = root.dataset.events;
      const parts = document.querySelectorAll("[data-live]");
      if (!source || parts.length === 0 || !("EventSource" in window)) return;
      const status = document.getElementById("live");
      let timer = 0;
      const busy = () => {
        const focused = document.activeElement;
        return focused && focused.closest("[data-live]") !== null;
      };
      const later = (delay) => { if (timer === 0) timer = setTimeout(refresh, delay); };
      const refresh = async () => {
        timer = 0;
        // While a live part of the page has the focus, no part is replaced.
        if (busy()) { later(3000); return; }
        const response = await fetch(location.href, { credentials: "same-origin", redirect: "error" }).catch(() => null);
        if (response === null || !response.ok) { later(30000); return; }
        if (busy()) { later(3000); return; }
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        for (const part of document.querySelectorAll("[data-live]")) {
          const fresh = page.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
          if (fresh !== null && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
        }
      };
      const events = new EventSource(source);
      events.addEventListener("open", () => { if (status) status.hidden = false; });
      events.addEventListener("error", () => { if (status) status.hidden = true; });
      events.addEventListener("stage", (event) => {
        const stage = JSON.parse(event.data);
        if (stage.state === "ended") later(700);
      });
      addEventListener("pagehide", () => events.close());
    })();

    """
}
