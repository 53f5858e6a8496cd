/// <reference lib="dom" />

import { isObject } from "../shared/values.ts";
import type { Executor } from "../execution/executor.ts";
import type { Mock } from "../mock/mock.ts";
import { h } from "./elements.ts";
import { Faults } from "./faults.ts";
import type { PanelServer, PanelSubject } from "./panel_page.ts";
import type { PanelView } from "./panel_view.ts";
import { readPlace, writePlace } from "./place.ts";
import { createInspector, Recorder } from "./recorder.ts";
import { MockRecords } from "./records.ts";
import { watchRoutes } from "./rest_routes.ts";

/** Options of a panel. */
export interface PanelOptions {
  /** The Mirage server whose REST routes are shown too, delayed and failed. @default {none} */
  readonly server?: PanelServer;
}

/** A panel that is mounted. */
export interface MountedPanel extends Disposable {
  /** The custom element, whose shadow root is open. */
  readonly element: HTMLElement;
  /** Opens the panel, which loads its inside the first time. */
  open(): Promise<void>;
  /** Closes it to its button. */
  close(): void;
  /** Removes the element, and everything that the panel delays or fails; also more than once. */
  unmount(): void;
}

/** Name of the element, which is defined when the first panel is mounted. */
const TAG = "trestle-mock-panel";

/**
 * Mounts a panel at the end of the page, for development: what a mock is asked and answers, its
 * records, and what is to fail or to wait. Call it after the records are there, in code that a
 * production build leaves out: `if (import.meta.env.DEV)`.
 *
 * @throws {TypeError} If there is no page, or the mock has a panel already, or is not one of
 * `createMock()` of this version.
 *
 * @example
 * ```ts ignore
 * import { createMock } from "@trestle/mirage-graphql";
 * import { mountPanel } from "@trestle/mirage-graphql/panel";
 *
 * const mock = createMock("type Query { people: [Person!]! } type Person { id: ID! name: String! }");
 * mock.db.loadData({ people: [{ name: "Ada" }] });
 * const panel = mountPanel(mock);
 * await panel.open();
 * ```
 */
export function mountPanel(mock: Mock, options: PanelOptions = {}): MountedPanel {
  const { server } = options;
  checkMock(mock);
  if (mock.inspection.inspector !== undefined) {
    throw new TypeError("Cannot mount a panel: the mock has one, unmount() it first");
  }
  const faults = new Faults();
  const recorder = new Recorder();
  const records = new MockRecords(mock.schema);
  recorder.onFirst = () => records.keep();
  mock.inspection.inspector = createInspector(recorder, faults, mock.inspection.explain);
  const stop = server && watchRoutes(server, recorder, faults);
  const shell = createShell({ mock, server, recorder, records, faults });
  const unmount = () => {
    if (!shell.remove()) return;
    mock.inspection.inspector = undefined;
    stop?.();
    faults.remove();
  };
  return {
    element: shell.element,
    open: shell.open,
    close: shell.close,
    unmount,
    [Symbol.dispose]: unmount,
  };
}

/** The transports and the panel take a mock as an executor. */
function checkMock(mock: object): asserts mock is Mock & Executor {
  if (typeof document === "undefined") {
    throw new TypeError("Cannot mount a panel: there is no page");
  }
  if (isObject(mock) && "inspection" in mock && "fetch" in mock) return;
  throw new TypeError(
    `Cannot mount a panel for "${mock}": it must be what createMock() of this version returns`,
  );
}

/** The element with its button, which stays when the panel is closed. */
interface Shell {
  readonly element: HTMLElement;
  open(): Promise<void>;
  close(): void;
  /** Removes the element; `false` if that is done already. */
  remove(): boolean;
}

function createShell(subject: PanelSubject): Shell {
  const element = createElement();
  const root = element.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const { recorder, faults } = subject;
  const button = h("button", { type: "button", class: "opener", "aria-expanded": "false" }, "Mock");
  const opener = h("div", { role: "region", "aria-label": "Mock panel's button" }, button);
  root.append(opener);
  let view: Promise<PanelView> | undefined;
  let isRemoved = false;

  const open = async (isFocused = true): Promise<void> => {
    subject.records.keep();
    view ??= import("./panel_view.ts").then(({ createPanelView }) =>
      createPanelView(root, subject, close)
    );
    const shown = await view;
    if (isRemoved) return;
    writePlace({ isOpen: true });
    button.setAttribute("aria-expanded", "true");
    opener.hidden = true;
    shown.show(isFocused);
  };
  const close = (): void => {
    writePlace({ isOpen: false });
    button.setAttribute("aria-expanded", "false");
    opener.hidden = false;
    view?.then((shown) => shown.hide());
    button.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!event.altKey || !event.shiftKey || event.code !== "KeyM") return;
    event.preventDefault();
    if (opener.hidden) close();
    else open();
  };
  button.addEventListener("click", () => open());
  button.title = "Alt+Shift+M";
  document.addEventListener("keydown", onKey);
  const showState = (): void => {
    const { length } = faults.all;
    button.textContent = length === 0 ? "Mock" : `Mock: ${length} to fail or wait`;
    view?.then((shown) => shown.update());
  };
  recorder.onChange = showState;
  faults.onChange = showState;
  document.body.append(element);
  if (readPlace().isOpen) open(false);
  return {
    element,
    open: () => open(),
    close,
    remove() {
      if (isRemoved) return false;
      isRemoved = true;
      recorder.onChange = faults.onChange = () => {};
      document.removeEventListener("keydown", onKey);
      view?.then((shown) => shown.hide());
      element.remove();
      return true;
    },
  };
}

/** Another copy of this module may have defined it: the class has no code, so either will do. */
function createElement(): HTMLElement {
  if (customElements.get(TAG) === undefined) {
    customElements.define(TAG, class extends HTMLElement {});
  }
  return document.createElement(TAG);
}

const STYLES = `:host { all: initial; color-scheme: light dark; }
[hidden] { display: none !important; }
.opener { position: fixed; inset: auto 12px 12px auto; z-index: 2147483000; padding: 6px 12px;
  font: 600 13px/1.4 system-ui, sans-serif; color: #fff; background: #1d4f91;
  border: 1px solid #fff; border-radius: 16px; cursor: pointer; opacity: .92; }
.opener:focus-visible { outline: 3px solid #f0a020; outline-offset: 2px; }
@media (prefers-color-scheme: dark) { .opener { color: #0d1522; background: #9cc3f5;
  border-color: #0d1522; } }
@media print { :host { display: none; } }`;
