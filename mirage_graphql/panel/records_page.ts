/// <reference lib="dom" />

import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { h } from "./elements.ts";
import { createEntryList } from "./entry_list.ts";
import type { PanelFrame, PanelPage, PanelSubject } from "./panel_page.ts";
import { copy } from "./requests_pages.ts";

/** How many records of a table are shown at once: the filter finds the others. */
const MOST_SHOWN = 200;

/** How many characters of a record its line has. */
const LINE_CHARACTERS = 120;

/** Creates the page of records: to change, add and remove them, to return to the first ones, to export them. */
export function createRecordsPage(subject: PanelSubject, frame: PanelFrame): PanelPage {
  const { records, mock } = subject;
  const table = h("select", { "aria-label": "Table", change: update });
  const filter = h("input", {
    type: "search",
    "aria-label": "Show records with this text",
    placeholder: "Filter",
    input: update,
  });
  const note = h("p", { class: "hint" });
  const adding = h("div", { class: "details", role: "group", "aria-label": "New record" });
  adding.hidden = true;
  let shownTables = "";

  const list = createEntryList<MirageRecord>("Records", {
    key: ({ id }) => String(id),
    version: (record) => JSON.stringify(record),
    line: (record) => [
      h("span", { class: "type" }, String(record.id)),
      h("span", { class: "name" }, lineOf(record)),
    ],
    details: (record) => [editor(JSON.stringify(record, null, 2), {
      label: `Record ${record.id} as JSON`,
      save: "Save",
      onSave: (text) => act(() => records.change(table.value, String(record.id), text), "Saved."),
      more: [h("button", {
        type: "button",
        click: () =>
          act(() => records.remove(table.value, String(record.id)), "Removed.") && table.focus(),
      }, "Remove")],
    })],
  });

  /** Does something to the records; says why it can't. */
  function act(change: () => void, done: string): boolean {
    try {
      change();
      frame.say(done);
      return true;
    } catch (error) {
      frame.say(error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      update();
    }
  }

  function add(): void {
    const end = () => {
      adding.hidden = true;
      adding.replaceChildren();
      addButton.focus();
    };
    const form = editor(records.template(table.value), {
      label: "New record as JSON",
      save: "Add",
      onSave: (text) => act(() => void records.add(table.value, text), "Added.") && end(),
      more: [h("button", { type: "button", click: end }, "Cancel")],
    });
    adding.replaceChildren(form);
    adding.hidden = false;
    form.querySelector("textarea")?.focus();
  }

  function reset(): void {
    act(() => {
      mock.reset();
      records.reset();
    }, "The records are those of the start, and the mock's log is empty.");
  }

  function download(): void {
    const url = URL.createObjectURL(new Blob([records.seeds()], { type: "application/json" }));
    h("a", { href: url, download: "seeds.json" }).click();
    URL.revokeObjectURL(url);
    frame.say("Exported as seeds.json, for db.loadData() and for serve.");
  }

  const addButton = h("button", { type: "button", click: add }, "Add a record");
  const bar = h(
    "div",
    { class: "bar" },
    table,
    filter,
    addButton,
    h("button", { type: "button", click: reset }, "Reset"),
    h("button", { type: "button", click: download }, "Export as seeds"),
    h("button", { type: "button", click: () => copy(records.seeds(), frame) }, "Copy as seeds"),
    h("button", { type: "button", click: update }, "Refresh"),
  );

  function updateTables(): void {
    const { tables } = records;
    const text = tables.map(({ name, size }) => `${name} ${size}`).join("\n");
    if (text === shownTables) return;
    shownTables = text;
    const chosen = table.value;
    table.replaceChildren(
      ...tables.map(({ name, size }) =>
        h("option", { value: name, selected: name === chosen }, `${name} (${size})`)
      ),
    );
  }

  function update(): void {
    updateTables();
    const text = filter.value.toLowerCase();
    const found = records.of(table.value)
      .filter((record) => text === "" || JSON.stringify(record).toLowerCase().includes(text));
    list.update(found.slice(0, MOST_SHOWN));
    note.textContent = `The first ${MOST_SHOWN} of ${found.length} records`;
    note.hidden = found.length <= MOST_SHOWN;
  }

  return {
    title: "Records",
    element: h("div", {}, bar, adding, note, list.element),
    update,
  };
}

/** What an editor of a record has. */
interface EditorParts {
  readonly label: string;
  readonly save: string;
  onSave(text: string): void;
  readonly more: readonly HTMLElement[];
}

function editor(text: string, { label, save, onSave, more }: EditorParts): HTMLElement {
  const area = h("textarea", {
    "aria-label": label,
    rows: Math.min(16, text.split("\n").length + 1),
    spellcheck: "false",
  });
  area.value = text;
  return h(
    "form",
    {
      submit(event) {
        event.preventDefault();
        onSave(area.value);
      },
    },
    area,
    h("div", { class: "bar" }, h("button", { type: "submit" }, save), ...more),
  );
}

function lineOf({ id: _id, ...attributes }: MirageRecord): string {
  const text = Object.entries(attributes)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text;
}
