// Keeps an open page up to date; everything also works without it, after a reload.
"use strict";
(() => {
  const live = document.getElementById("live");
  const connection = document.getElementById("connection");
  const news = document.getElementById("news");
  document.documentElement.classList.add("scripts");
  const RETRY_MS = 2000;
  const TOLD = ".told:not([data-key])"; // about an action; those with a key are about the queue
  let stream = null;
  let retry = 0;
  let latest = "";
  let shown = 0; // how many events of the stream
  let copied = null; // the button that says so

  const isControl = (node) => node instanceof Element && node.matches("input, textarea, select");

  // whether the user types or selects text in this part, which must stay as it is then
  function isInUse(part) {
    const focused = document.activeElement;
    if (isControl(focused) && part.contains(focused)) return true;
    if ([...part.querySelectorAll("textarea")].some((field) => field.value)) return true;
    const selection = document.getSelection();
    return !selection.isCollapsed && selection.rangeCount > 0 &&
      selection.getRangeAt(0).intersectsNode(part);
  }

  function parse(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  const keyOf = (node) => (node.nodeType === 1 && node.dataset.key) || "";

  function syncAttributes(old, fresh) {
    for (const { name, value } of fresh.attributes) {
      if (name === "open" && old.nodeName === "DETAILS") continue; // the user opened or closed it
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
  }

  function syncNode(old, fresh) {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
      old.replaceWith(fresh);
    } else if (old.nodeType !== 1) {
      if (old.data !== fresh.data) old.data = fresh.data;
    } else if (!(keyOf(old) && isInUse(old) && !old.querySelector("[data-key]"))) {
      syncAttributes(old, fresh);
      if (!old.dataset.since && !isControl(old) && old !== copied) syncChildren(old, fresh);
    }
  }

  // changes only what differs, so that focus, scroll positions and open details stay
  function syncChildren(old, fresh) {
    const known = new Map([...old.children].filter(keyOf).map((each) => [keyOf(each), each]));
    const wanted = new Set([...fresh.children].map(keyOf));
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      const key = keyOf(next);
      while (at && keyOf(at) && !wanted.has(keyOf(at))) at = drop(at);
      if (key && known.has(key)) {
        const mine = known.get(key);
        while (at && !keyOf(at)) at = drop(at);
        at = moveTo(at, mine);
        syncNode(mine, next);
      } else if (key || !at || keyOf(at)) {
        old.insertBefore(next, at);
      } else {
        const mine = at;
        at = at.nextSibling;
        syncNode(mine, next);
      }
    }
    while (at) at = drop(at);
  }

  // an element that is moved loses the focus, so the others move around the one that has it
  function moveTo(at, mine) {
    if (mine !== at && mine.contains(document.activeElement)) {
      const between = [];
      for (let each = at; each && each !== mine; each = each.nextSibling) between.push(each);
      mine.after(...between);
    } else if (mine !== at) {
      mine.parentNode.insertBefore(mine, at);
      return at;
    }
    return mine.nextSibling;
  }

  function drop(node) {
    const next = node.nextSibling;
    if (keyOf(node) && isInUse(node)) node.classList.add("gone");
    else node.remove();
    return next;
  }

  function show(html) {
    const logs = new Map([...live.querySelectorAll(".log")].map((log) => [log, isAtEnd(log)]));
    const focused = document.activeElement;
    const part = focused.closest("[data-key]");
    syncChildren(live, parse(html));
    if (!focused.isConnected) focusNear(part);
    for (const log of live.querySelectorAll(".log")) {
      if (logs.get(log) !== false) log.scrollTop = log.scrollHeight;
    }
    tick();
  }

  // what had the focus is gone; the user stays where they are on the page
  function focusNear(part) {
    const near = part?.isConnected && part.querySelector("summary, button, a");
    (near || heading()).focus({ preventScroll: true });
  }

  const isAtEnd = (log) => log.scrollTop + log.clientHeight >= log.scrollHeight - 8;

  function tick() {
    for (const each of document.querySelectorAll("time[data-since]")) {
      const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(each.dataset.since)));
      const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
      if (!parts[0]) parts.shift();
      const text = parts.map((n, at) => (at ? String(n).padStart(2, "0") : n)).join(":");
      if (each.textContent !== text) each.textContent = text;
    }
  }

  function say(text) {
    if (connection.textContent !== text) connection.textContent = text;
  }

  function connect() {
    clearTimeout(retry);
    if (stream || document.hidden) return;
    const view = encodeURIComponent(live.dataset.live);
    // another page of this browser may have another language since
    const language = document.documentElement.lang.slice(0, 2);
    stream = new EventSource(`/events?view=${view}&language=${language}`);
    stream.addEventListener("open", () => say(""));
    stream.addEventListener("show", (event) => {
      latest = JSON.parse(event.data);
      shown += 1;
      show(latest);
    });
    stream.addEventListener("news", (event) => { news.textContent = JSON.parse(event.data); });
    stream.addEventListener("error", lose);
  }

  function disconnect() {
    clearTimeout(retry);
    if (stream) stream.close();
    stream = null;
  }

  // a server that doesn't know this browser any more needs the new link
  async function lose() {
    disconnect();
    say(connection.dataset.lost);
    try {
      const answer = await fetch("/", { method: "HEAD", cache: "no-store" });
      if (answer.status === 401) say(connection.dataset.restarted);
    } catch {
      // not there yet
    }
    clearTimeout(retry);
    retry = setTimeout(connect, RETRY_MS);
  }

  // in the background, so that focus, place and what is typed elsewhere stay
  async function send(form, isSure) {
    const fields = new URLSearchParams(new FormData(form));
    if (isSure) fields.set("sure", "yes");
    const unlock = lock(form);
    const shownBefore = shown;
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const problem = page.querySelector(TOLD)?.textContent ||
        (answer.ok ? "" : refusal(page) || String(answer.status));
      document.querySelector(TOLD)?.remove();
      if (problem) {
        tell(problem);
        unlock();
      } else {
        finish(form);
        const fresh = page.getElementById("live");
        // a later event of the stream may be newer than this answer
        const isSame = fresh?.dataset.live === live.dataset.live &&
          page.documentElement.lang === document.documentElement.lang;
        if (isSame && shown === shownBefore) latest = fresh.innerHTML;
        if (latest) show(latest); // the form was in use until now
      }
    } catch {
      say(connection.dataset.lost);
      unlock();
    }
  }

  const refusal = (page) =>
    [...page.querySelectorAll("main h1, main p")].map((each) => each.textContent).join("\n");

  // stays in view, wherever the user has scrolled to
  function tell(problem) {
    const close = make("button", { type: "button", textContent: "×" });
    close.setAttribute("aria-label", connection.dataset.close);
    const told = make("p", { className: "told near", textContent: problem }, close);
    told.setAttribute("role", "alert");
    close.addEventListener("click", () => {
      told.remove();
      heading().focus({ preventScroll: true });
    });
    live.before(told);
  }

  const heading = () => document.querySelector("main > h1") || document.getElementById("content");

  // an answer says at once that it is sent, and the focus goes on to the next question
  function lock(form) {
    const button = form.querySelector("button[data-sent]");
    if (!button) return () => {};
    const label = button.textContent;
    const field = form.querySelector("textarea");
    const part = form.closest("[data-key]");
    const next = [part.nextElementSibling, part.previousElementSibling]
      .map((each) => each?.querySelector("h3[tabindex]")).find(Boolean);
    (next || heading()).focus();
    field.disabled = button.disabled = true;
    button.textContent = news.textContent = button.dataset.sent;
    return () => {
      field.disabled = button.disabled = false;
      button.textContent = label;
      news.textContent = "";
      field.focus();
    };
  }

  // a part with the focus in a field would stay as it is
  function finish(form) {
    const focused = document.activeElement;
    const button = form.querySelector("button");
    for (const field of form.querySelectorAll("input[type=number]")) field.defaultValue = field.value;
    form.reset();
    if (isControl(focused) && form.contains(focused)) button.focus();
    if (!button.dataset.sent) news.textContent = button.textContent;
  }

  function make(name, values, ...children) {
    const made = Object.assign(document.createElement(name), values);
    made.append(...children);
    return made;
  }

  // asks with the action's own name on the button; without scripts the server asks
  function ask({ ask: text, do: label, back }) {
    const question = make("p", { id: "question", textContent: text });
    const buttons = [
      make("button", { className: "do", value: "yes", textContent: label }),
      make("button", { value: "", textContent: back }),
    ];
    const form = make("form", { method: "dialog", className: "actions" }, ...buttons);
    const dialog = make("dialog", {}, question, form);
    dialog.setAttribute("aria-labelledby", "question");
    document.body.append(dialog);
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
      });
      dialog.showModal();
    });
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const asks = Boolean(form.dataset.ask);
    if (form.method !== "post" || !(asks || (live?.dataset.live && live.contains(form)))) return;
    event.preventDefault();
    if (asks && !(await ask(form.dataset))) return;
    if (live?.dataset.live) {
      send(form, asks);
    } else {
      form.append(make("input", { type: "hidden", name: "sure", value: "yes" }));
      form.submit();
    }
  });

  // a page that isn't on this machine has no clipboard, but can copy what is selected
  async function copy(button) {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      document.getSelection().selectAllChildren(code);
      if (!document.execCommand("copy")) return;
      document.getSelection().removeAllRanges();
    }
    const label = button.textContent;
    copied = button;
    button.textContent = news.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
      if (copied === button) copied = null;
    }, 1500);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button.copy");
    if (button && button.textContent !== button.dataset.copied) copy(button);
  });

  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isPlain || isControl(event.target) || !/^[1-9]$/.test(event.key)) return;
    if (document.querySelector("dialog[open]")) return;
    document.querySelector(`[data-shortcut="${event.key}"]`)?.click();
  });

  setInterval(tick, 1000);
  tick();
  for (const log of document.querySelectorAll(".log")) log.scrollTop = log.scrollHeight;
  if (!live || !live.dataset.live) return;
  // what waited while the user typed or selected text
  document.addEventListener("focusout", () => setTimeout(() => latest && show(latest)));
  // a browser allows few connections to one server: a hidden page needs none
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", connect);
  connect();
})();
