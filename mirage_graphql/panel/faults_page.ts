import { h } from "./elements.ts";
import type { Fault, FaultFailure, FaultKind } from "./faults.ts";
import type { PanelFrame, PanelPage, PanelServer, PanelSubject } from "./panel_page.ts";

/** The page of faults, on which a request can be chosen. */
export interface FaultsPage extends PanelPage {
  /** Chooses the request that the next fault is for. */
  choose(kind: FaultKind, name: string): void;
}

/** What can go wrong, and what its value is. */
const KINDS: Readonly<Record<string, { readonly label: string; readonly value?: string }>> = {
  error: { label: "fails with the error", value: "The mock fails as planned" },
  status: { label: "fails with the status", value: "503" },
  network: { label: "loses its connection" },
  timeout: { label: "is never answered" },
  delay: { label: "waits for milliseconds", value: "2000" },
};

/** Creates the page that lets requests fail or wait. */
export function createFaultsPage(subject: PanelSubject, frame: PanelFrame): FaultsPage {
  const { faults, server } = subject;
  const target = h("select", { "aria-label": "Request" });
  const when = h(
    "select",
    { "aria-label": "When" },
    h("option", { value: "next" }, "the next one"),
    h("option", { value: "every" }, "every one"),
  );
  const kind = h(
    "select",
    { "aria-label": "Fault", change: showValue },
    ...Object.entries(KINDS).map(([value, { label }]) => h("option", { value }, label)),
  );
  const value = h("input", { "aria-label": "Value", value: KINDS.error?.value });
  const form = h(
    "form",
    { class: "bar", "aria-label": "New fault", submit: add },
    "Of",
    target,
    when,
    kind,
    value,
    h("button", { type: "submit" }, "Add"),
  );
  const list = h("ul", { class: "entries", "aria-label": "Faults" });
  const empty = h("p", { class: "empty" }, "Everything is answered as it is.");
  const page = h("div", {}, form, ...server ? [timingBar(server, frame)] : [], list, empty);
  /** Rows stay while requests come, so that the focus does. */
  const rows = new Map<Fault["id"], HTMLElement>();
  let shownTargets = "";

  function showValue(): void {
    const { value: first } = KINDS[kind.value] ?? {};
    value.hidden = first === undefined;
    value.value = first ?? "";
  }

  function add(event: Event): void {
    event.preventDefault();
    const [faultKind, name = "*"] = splitTarget(target.value);
    try {
      faults.add({
        kind: faultKind,
        name,
        isEvery: when.value === "every",
        ...faultOf(kind.value, value.value),
      });
      frame.say("Added.");
    } catch (error) {
      frame.say(error instanceof Error ? error.message : String(error));
    }
  }

  function choose(faultKind: FaultKind, name: string): void {
    updateTargets(`${faultKind} ${name}`);
  }

  function updateTargets(chosen = target.value || "graphql *"): void {
    const targets = targetsOf(subject, chosen);
    if (shownTargets !== targets.join("\n")) {
      shownTargets = targets.join("\n");
      target.replaceChildren(...targets.map((one) => h("option", { value: one }, labelOf(one))));
    }
    target.value = chosen;
  }

  function createRow(fault: Fault): HTMLElement {
    const text = textOf(fault);
    const remove = () => {
      faults.remove(fault.id);
      frame.say("Removed.");
      target.focus();
    };
    const row = h(
      "li",
      { class: "plain" },
      `${text} `,
      h("button", { type: "button", "aria-label": `Remove: ${text}`, click: remove }, "Remove"),
    );
    rows.set(fault.id, row);
    return row;
  }

  return {
    title: "Faults",
    element: page,
    choose,
    update() {
      updateTargets();
      const ids = new Set(faults.all.map(({ id }) => id));
      for (const [id, row] of rows) {
        if (ids.has(id)) continue;
        row.remove();
        rows.delete(id);
      }
      list.append(...faults.all.filter(({ id }) => !rows.has(id)).map(createRow));
      list.hidden = faults.all.length === 0;
      empty.hidden = !list.hidden;
    },
    count: () => faults.all.length,
  };
}

/** How long Mirage waits with each response of its routes. */
function timingBar(server: PanelServer, frame: PanelFrame): HTMLElement {
  const input = h("input", {
    type: "number",
    min: 0,
    max: 60_000,
    step: 100,
    value: server.timing,
    change() {
      if (!input.validity.valid || input.value === "") {
        frame.say("Cannot use it: it must be 0 to 60000 milliseconds");
        return;
      }
      server.timing = input.valueAsNumber;
      frame.say(`Routes answer after ${server.timing} ms.`);
    },
  });
  input.step = "any";
  return h("label", { class: "bar" }, "Mirage's routes answer after (ms)", input);
}

/** The requests that faults can be for: any, those that were seen, and the one that is chosen. */
function targetsOf({ recorder, server }: PanelSubject, chosen: string): readonly string[] {
  const { requests, streams } = recorder;
  const seen = [...requests, ...streams].filter(({ name }) => name !== "(anonymous)")
    .map(({ kind, name }) => `${kind === "rest" ? "rest" : "graphql"} ${name}`).sort();
  return [...new Set(["graphql *", ...server ? ["rest *"] : [], ...seen, chosen])];
}

function splitTarget(text: string): [FaultKind, string] {
  const cut = text.indexOf(" ");
  return [text.startsWith("rest ") ? "rest" : "graphql", text.slice(cut + 1)];
}

function labelOf(text: string): string {
  const [kind, name] = splitTarget(text);
  if (name !== "*") return name;
  return kind === "rest" ? "all REST requests" : "all operations";
}

/** What is planned by the form. */
function faultOf(kind: string, value: string): Pick<Fault, "delay" | "failure"> {
  if (kind === "delay") return { delay: value.trim() === "" ? NaN : Number(value) };
  const failure: FaultFailure = kind === "status"
    ? Number(value)
    : kind === "network" || kind === "timeout"
    ? kind
    : new Error(value);
  return { failure };
}

function textOf({ kind, name, isEvery, delay, failure }: Fault): string {
  const what = delay !== undefined
    ? `waits ${delay} ms`
    : failure === "network"
    ? "loses its connection"
    : failure === "timeout"
    ? "is never answered"
    : `fails: ${failure instanceof Error ? failure.message : failure}`;
  return `${isEvery ? "Every one" : "The next one"} of ${labelOf(`${kind} ${name}`)} ${what}`;
}
