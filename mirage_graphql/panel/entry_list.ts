/// <reference lib="dom" />

import { h } from "./elements.ts";

/** How an entry of a list is shown. */
export interface EntryView<Entry> {
  /** Identifies an entry while it changes. */
  key(entry: Entry): string;
  /** The line that is always shown. */
  line(entry: Entry): readonly (Node | string)[];
  /** What is shown below the line of an entry that is open. */
  details(entry: Entry): readonly (Node | string)[];
  /** Changes when the details have to be shown anew. */
  version(entry: Entry): unknown;
}

/** A list whose entries open. */
export interface EntryList<Entry> {
  readonly element: HTMLElement;
  /** Shows these entries; those that were there keep the focus, and are open if they were. */
  update(entries: readonly Entry[]): void;
  /** Opens the entry with a key, and moves the focus there. */
  open(key: string): void;
}

interface Row<Entry> {
  readonly item: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly details: HTMLElement;
  entry: Entry;
  version: unknown;
}

/**
 * Creates a list. Its lines are one stop of the Tab key: arrows, Home and End move between them, and
 * Enter opens one.
 */
export function createEntryList<Entry>(label: string, view: EntryView<Entry>): EntryList<Entry> {
  const rows = new Map<string, Row<Entry>>();
  const list = h("ul", { class: "entries", "aria-label": label, keydown: onKey });
  const empty = h("p", { class: "empty" }, "Nothing yet.");
  const element = h("div", {}, list, empty);

  function onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const buttons = [...rows.values()].map(({ button }) => button)
      .sort((a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1);
    const at = buttons.findIndex((button) => button === event.target);
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: -1 }[event.key];
    const button = at < 0 || next === undefined ? undefined : buttons.at(next);
    if (button === undefined) return;
    event.preventDefault();
    button.focus();
  }

  function createRow(entry: Entry): Row<Entry> {
    const details = h("div", { class: "details" });
    const button = h("button", {
      type: "button",
      class: "line",
      tabindex: -1,
      "aria-expanded": "false",
      click: () => toggle(row, details.hidden === true),
      focus: () => makeStop(button),
    });
    const item = h("li", {}, button, details);
    details.hidden = true;
    const row: Row<Entry> = { item, button, details, entry, version: undefined };
    return row;
  }

  function toggle(row: Row<Entry>, isOpen: boolean): void {
    row.details.hidden = !isOpen;
    row.button.setAttribute("aria-expanded", String(isOpen));
    row.details.replaceChildren(...isOpen ? view.details(row.entry) : []);
    row.version = view.version(row.entry);
  }

  /** The line that Tab reaches. */
  function makeStop(stop: HTMLButtonElement | undefined): void {
    for (const { button } of rows.values()) button.tabIndex = button === stop ? 0 : -1;
  }

  function show(row: Row<Entry>, entry: Entry): void {
    row.entry = entry;
    const line = view.line(entry);
    const text = h("span", {}, ...line);
    if (row.button.innerHTML !== text.innerHTML) row.button.replaceChildren(...text.childNodes);
    if (!row.details.hidden && row.version !== view.version(entry)) toggle(row, true);
  }

  return {
    element,
    update(entries) {
      const keys = new Set(entries.map(view.key));
      for (const [key, { item }] of rows) {
        if (keys.has(key)) continue;
        item.remove();
        rows.delete(key);
      }
      entries.forEach((entry, at) => {
        const key = view.key(entry);
        const row = rows.get(key) ?? createRow(entry);
        rows.set(key, row);
        show(row, entry);
        if (list.children[at] !== row.item) list.insertBefore(row.item, list.children[at] ?? null);
      });
      list.hidden = entries.length === 0;
      empty.hidden = entries.length > 0;
      const hasStop = [...rows.values()].some(({ button }) => button.tabIndex === 0);
      const first = entries[0];
      if (!hasStop && first !== undefined) makeStop(rows.get(view.key(first))?.button);
    },
    open(key) {
      const row = rows.get(key);
      if (row === undefined) return;
      toggle(row, true);
      row.button.focus();
    },
  };
}

/** A text of any length, cut where nobody reads on. */
export function codeBlock(label: string, text: string): HTMLElement {
  const cut = text.length > MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} characters more`
    : text;
  return h(
    "div",
    { class: "code" },
    h("h3", {}, label),
    h("pre", { tabindex: 0, role: "group", "aria-label": label }, cut),
  );
}

const MOST_CHARACTERS = 20_000;

/** A value as JSON, or as what it says about itself if it has no JSON. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}
