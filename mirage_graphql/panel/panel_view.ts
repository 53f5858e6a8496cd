/// <reference lib="dom" />

import { dockPanel } from "./dock.ts";
import { h } from "./elements.ts";
import { createFaultsPage } from "./faults_page.ts";
import type { PanelFrame, PanelPage, PanelSubject } from "./panel_page.ts";
import { DOCKS, type Place, readPlace, writePlace } from "./place.ts";
import { createRecordsPage } from "./records_page.ts";
import { createRequestsPages } from "./requests_pages.ts";
import { PANEL_STYLES } from "./styles.ts";

/** The inside of a panel. */
export interface PanelView {
  /** Shows it, and moves the focus there unless it is shown because it was open before. */
  show(isFocused: boolean): void;
  /** Hides it. */
  hide(): void;
  /** Shows what has changed, at the next frame. */
  update(): void;
}

/** Creates the inside of a panel in its shadow root. */
export function createPanelView(
  root: ShadowRoot,
  subject: PanelSubject,
  close: () => void,
): PanelView {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PANEL_STYLES);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  let place = readPlace();
  const status = h("p", { role: "status", class: "status" });
  const frame: PanelFrame = {
    say: (text) => status.textContent = text,
    addFault(kind, name) {
      faults.choose(kind, name);
      tabs.select(faults.title);
    },
  };
  const faults = createFaultsPage(subject, frame);
  const pages: readonly PanelPage[] = [
    ...createRequestsPages(subject, frame),
    createRecordsPage(subject, frame),
    faults,
  ];
  const keep = (changes: Partial<Place>) => {
    place = writePlace({ ...place, isOpen: true, ...changes });
    dock.update(place);
  };
  const tabs = createTabs(pages, (tab) => keep({ tab }));
  const grip = h("div", { class: "grip" });
  const dockChoice = h(
    "select",
    {
      "aria-label": "Where the panel is",
      change: () => keep({ dock: DOCKS.find((one) => one === dockChoice.value) ?? "bottom" }),
    },
    ...DOCKS.map((one) => h("option", { value: one, selected: one === place.dock }, one)),
  );
  const panel = h(
    "section",
    { class: "panel", "aria-label": "Mock panel", keydown: onKey },
    grip,
    h(
      "header",
      {},
      h("h2", {}, "Mock"),
      tabs.list,
      dockChoice,
      h("button", { type: "button", click: () => close() }, "Close"),
    ),
    ...tabs.panels,
    status,
  );
  const dock = dockPanel(panel, grip, keep);
  root.append(panel);
  panel.hidden = true;
  let isWaiting = false;

  function onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || event.defaultPrevented) {
      return;
    }
    event.stopPropagation();
    close();
  }

  const update = () => {
    if (panel.hidden || isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      tabs.update();
    });
  };
  return {
    show(isFocused) {
      panel.hidden = false;
      dock.update(place);
      tabs.select(place.tab, isFocused);
    },
    hide() {
      panel.hidden = true;
    },
    update,
  };
}

/** The pages, of which one is shown. */
interface Tabs {
  readonly list: HTMLElement;
  readonly panels: readonly HTMLElement[];
  /** Shows a page; the first one if there is none of that title. */
  select(title: string, isFocused?: boolean): void;
  /** Updates the page that is shown, and all counts. */
  update(): void;
}

/**
 * The tabs of the pages, by the pattern of ARIA: arrows, Home and End choose one.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 */
function createTabs(pages: readonly PanelPage[], onSelect: (title: string) => void): Tabs {
  let shown = pages[0];
  const buttons = pages.map((page, at) =>
    h("button", {
      type: "button",
      role: "tab",
      id: `tab-${at}`,
      "aria-controls": `page-${at}`,
      click: () => select(page.title, true),
    }, page.title)
  );
  const panels = pages.map(({ element }, at) =>
    h(
      "div",
      { role: "tabpanel", id: `page-${at}`, "aria-labelledby": `tab-${at}`, class: "page" },
      element,
    )
  );
  const list = h(
    "div",
    { role: "tablist", "aria-label": "Pages of the panel", keydown: onKey },
    ...buttons,
  );

  function onKey(event: Event): void {
    const at = buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const key = event instanceof KeyboardEvent ? event.key : "";
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[key];
    const page = next === undefined ? undefined : pages.at(next % pages.length);
    if (page === undefined) return;
    event.preventDefault();
    select(page.title, true);
  }

  function select(title: string, isFocused = false): void {
    shown = pages.find((page) => page.title === title) ?? pages[0];
    pages.forEach((page, at) => {
      const isShown = page === shown;
      buttons[at]?.setAttribute("aria-selected", String(isShown));
      buttons[at]?.setAttribute("tabindex", isShown ? "0" : "-1");
      const panel = panels[at];
      if (panel !== undefined) panel.hidden = !isShown;
      if (isShown && isFocused) buttons[at]?.focus();
    });
    update();
    if (shown !== undefined) onSelect(shown.title);
  }

  function update(): void {
    pages.forEach(({ title, count }, at) => {
      const number = count?.() ?? 0;
      const button = buttons[at];
      if (button !== undefined) button.textContent = number === 0 ? title : `${title} ${number}`;
    });
    shown?.update();
  }

  return { list, panels, select, update };
}
