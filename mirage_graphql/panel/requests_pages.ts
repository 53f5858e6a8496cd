import { print } from "graphql";
import type { FollowedRule } from "../shared/followed_rule.ts";
import { h } from "./elements.ts";
import { codeBlock, createEntryList, type EntryView, toText } from "./entry_list.ts";
import type { PanelFrame, PanelPage, PanelSubject } from "./panel_page.ts";
import type { RecordedRequest } from "./recorder.ts";

/** Creates the pages of requests, of streams and sockets, and of refused operations. */
export function createRequestsPages(subject: PanelSubject, frame: PanelFrame): PanelPage[] {
  return [
    createRequestsPage(subject, frame),
    createStreamsPage(subject, frame),
    createRefusedPage(subject, frame),
  ];
}

function createRequestsPage({ recorder }: PanelSubject, frame: PanelFrame): PanelPage {
  const list = createEntryList("Requests", requestView(frame));
  const filter = h("input", {
    type: "search",
    "aria-label": "Show requests with this text",
    placeholder: "Filter",
    input: update,
  });
  const clear = () => {
    recorder.clear();
    frame.say("The list is empty.");
  };
  const bar = h(
    "div",
    { class: "bar" },
    filter,
    h("button", { type: "button", click: clear }, "Clear"),
  );
  function update(): void {
    const text = filter.value.toLowerCase();
    list.update(
      recorder.requests.filter(({ name, type, state }) =>
        `${type} ${name} ${state}`.toLowerCase().includes(text)
      ),
    );
  }
  return {
    title: "Requests",
    element: h("div", {}, bar, list.element),
    update,
    count: () => recorder.requests.length,
  };
}

function createStreamsPage({ recorder }: PanelSubject, frame: PanelFrame): PanelPage {
  const streams = createEntryList("Streams", requestView(frame));
  const sockets = h("ul", { class: "entries", "aria-label": "Sockets" });
  const noSockets = h("p", { class: "empty" }, "No socket has been opened.");
  return {
    title: "Streams",
    element: h(
      "div",
      {},
      h("h3", {}, "Subscriptions"),
      streams.element,
      h("h3", {}, "Sockets"),
      sockets,
      noSockets,
    ),
    update() {
      streams.update(recorder.streams);
      sockets.replaceChildren(...recorder.sockets.map(({ id, protocol, url, isOpen }) =>
        h(
          "li",
          { class: "plain", "data-state": isOpen ? "running" : "done" },
          `Socket ${id}: ${protocol || "no protocol"} ${url} `,
          h("em", {}, isOpen ? "open" : "closed"),
        )
      ));
      sockets.hidden = recorder.sockets.length === 0;
      noSockets.hidden = !sockets.hidden;
    },
    count: () => recorder.streams.filter(({ state }) => state === "running").length,
  };
}

function createRefusedPage({ recorder }: PanelSubject, frame: PanelFrame): PanelPage {
  const list = createEntryList("Refused operations", requestView(frame));
  const refused = () => {
    const byName = new Map<string, RecordedRequest>();
    for (const request of [...recorder.requests, ...recorder.streams]) {
      const key = `${request.type} ${request.name}`;
      if (request.isRefused && !byName.has(key)) byName.set(key, request);
    }
    return [...byName.values()];
  };
  return {
    title: "Refused",
    element: h(
      "div",
      {},
      h(
        "p",
        { class: "hint" },
        "Operations with a field that needs a resolver. Open one to copy it.",
      ),
      list.element,
    ),
    update: () => list.update(refused()),
    count: () => refused().length,
  };
}

/** How a request is shown. */
function requestView(frame: PanelFrame): EntryView<RecordedRequest> {
  return {
    key: ({ id }) => String(id),
    version: ({ state, count }) => `${state} ${count}`,
    line: (request) => [
      h("span", { class: "type" }, request.type),
      h("span", { class: "name" }, titleOf(request)),
      h("span", { class: "state", "data-state": request.state }, stateOf(request)),
    ],
    details: (request) => detailsOf(request, frame),
  };
}

/** The name, without the method that its line begins with. */
function titleOf({ kind, type, name }: RecordedRequest): string {
  return kind === "rest" ? name.slice(type.length + 1) : name;
}

function stateOf({ kind, state, status, duration, count, isRefused }: RecordedRequest): string {
  const results = kind === "stream" ? `${count} ${count === 1 ? "result" : "results"}, ` : "";
  const text = isRefused ? "refused" : status ?? (state === "done" ? "answered" : state);
  const time = state === "running" || duration === undefined ? "" : `, ${Math.round(duration)} ms`;
  return `${results}${text}${time}`;
}

function detailsOf(request: RecordedRequest, frame: PanelFrame): Node[] {
  const { document, sent, responses, kind, name, transport } = request;
  const planned = request.isPlanned ? " A fault of this panel has answered it." : "";
  const rule = h("p", { class: "rule" }, `By ${transport}.${planned}`);
  const refusal = h("div", {});
  if (request.explain !== undefined && !request.isPlanned) {
    explain(request, frame, { rule, refusal });
  }
  const target = kind === "rest" ? "rest" : "graphql";
  const faultName = name === "(anonymous)" ? "*" : name;
  return [
    rule,
    h(
      "button",
      { type: "button", click: () => frame.addFault(target, faultName) },
      "Fail or delay it",
    ),
    refusal,
    ...document ? [codeBlock("Document", print(document))] : [],
    ...sent === undefined ? [] : [codeBlock(document ? "Variables" : "Body", toText(sent))],
    ...responses.toReversed().map((response, at) =>
      codeBlock(kind === "stream" ? `Result ${request.count - at}` : "Response", toText(response))
    ),
  ];
}

/** Adds what has answered it, once the code that knows is loaded. */
async function explain(
  request: RecordedRequest,
  frame: PanelFrame,
  { rule, refusal }: { readonly rule: HTMLElement; readonly refusal: HTMLElement },
): Promise<void> {
  try {
    const explanation = await request.explain?.();
    const answers = explanation?.answers ?? [];
    rule.append(` ${answers.map(({ field, rule }) => `${field}: ${rule}.`).join(" ")}`);
    const followed = new Set(answers.flatMap(({ dialectRules }) => dialectRules.map(lineOf)));
    const lines = [...followed].map((line) => h("li", {}, h("code", {}, line)));
    if (lines.length > 0) {
      rule.after(h("ul", { class: "rule", "aria-label": "Lines of dialects" }, ...lines));
    }
    if (explanation?.refusal === undefined) return;
    const { reason, stub } = explanation.refusal;
    refusal.append(
      h("pre", { class: "reason", tabindex: 0, role: "group", "aria-label": "Reason" }, reason),
      h("button", { type: "button", click: () => copy(stub, frame) }, "Copy the resolver"),
      codeBlock("Resolver to begin with", stub),
    );
  } catch (error) {
    rule.append(` ${error instanceof Error ? error.message : error}`);
  }
}

/** A line of a dialect: `hasura list.filter.operators _gte`. */
function lineOf({ dialect, place, pattern }: FollowedRule): string {
  return `${dialect}: ${place} ${pattern}`;
}

/** Copies a text, if the page may. */
export async function copy(text: string, frame: PanelFrame): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    frame.say("Copied.");
  } catch {
    frame.say("The browser doesn't let the page copy: select the text.");
  }
}
