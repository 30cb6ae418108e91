"use strict";

// Asks for the body of the page again and again. Everything in it is made and escaped by the server.
(() => {
  const EVERY = 2000;
  const main = document.getElementById("live");
  let shown = null;

  async function look() {
    try {
      const answer = await fetch(main.dataset.body, { cache: "no-store" });
      const to = answer.headers.get("X-Go");
      if (to) return location.replace(to);
      const text = await answer.text();
      if (!answer.ok) main.dataset.state = "failed";
      else {
        main.dataset.state = "live";
        if (text !== shown) main.innerHTML = shown = text;
      }
    } catch {
      main.dataset.state = "lost"; // the server has ended; what was shown stays
    }
    setTimeout(look, EVERY);
  }

  look();
})();
