/**
 * A terminal that draws what programs send to it, for the pages that need one. It is a file of its
 * own in the browser.
 *
 * @module
 */

import { Terminal } from "@xterm/xterm";
import css from "@xterm/xterm/css/xterm.css" with { type: "text" };

/** How many lines that have left the screen can be scrolled back to. */
const SCROLLBACK = 5_000;
const FONT_SIZE = 13;

/** How a terminal is opened. */
export interface ScreenOptions {
  readonly rows: number;
  readonly cols: number;
  /**
   * Takes what is typed, and what the terminal answers to the program, such as where its cursor is;
   * without it, the terminal only shows.
   */
  readonly onInput?: (text: string) => void;
  /** Whether the terminal is to leave a key to the page. */
  readonly isForPage: (event: KeyboardEvent) => boolean;
}

/** A terminal in the page. */
export interface Screen {
  /** Draws a text; if it is of the past, what it asks the terminal is not answered again. */
  write(text: string, isPast: boolean): void;
  /** Empties it. */
  reset(): void;
  focus(): void;
  dispose(): void;
}

/** Opens a terminal in an element, in the colors of that. */
export function openScreen(host: HTMLElement, options: ScreenOptions): Screen {
  const { rows, cols, onInput, isForPage } = options;
  const { fontFamily } = getComputedStyle(host);
  const terminal = new Terminal({
    rows,
    cols,
    fontFamily,
    fontSize: FONT_SIZE,
    scrollback: SCROLLBACK,
    disableStdin: onInput === undefined,
    cursorBlink: false,
    theme: themeOf(host),
  });
  terminal.attachCustomKeyEventHandler((event) => !isForPage(event));
  /** How many texts of the past are not drawn yet. */
  let past = 0;
  if (onInput !== undefined) terminal.onData((text) => past === 0 && onInput(text));
  openWithSheets(terminal, host);
  return {
    write: (text, isPast) => {
      past += Number(isPast);
      terminal.write(text, () => past -= Number(isPast));
    },
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    dispose: () => terminal.dispose(),
  };
}

/** Takes the colors of the page, and those that its classes give to the 16 colors of a terminal. */
function themeOf(host: HTMLElement): Record<string, string> {
  const { color, backgroundColor } = getComputedStyle(host);
  const probe = document.createElement("span");
  host.append(probe);
  const colors = COLORS.map((name, index) => {
    probe.className = `fg-${index}`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return {
    ...Object.fromEntries(colors),
    foreground: color,
    background: backgroundColor,
    cursor: color,
    cursorAccent: backgroundColor,
  };
}

const HUES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const COLORS = [...HUES, ...HUES.map((name) => `bright${name[0]?.toUpperCase()}${name.slice(1)}`)];

/**
 * Stands for an element `style`, which the page's policy forbids: its text becomes a sheet of the
 * document while it is connected.
 */
class SheetElement extends HTMLElement {
  readonly #sheet = new CSSStyleSheet();

  override get textContent(): string {
    return "";
  }

  override set textContent(text: string) {
    this.#sheet.replaceSync(text);
  }

  connectedCallback(): void {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  disconnectedCallback(): void {
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = others;
  }
}

customElements.define("terminal-sheet", SheetElement);
const base = new CSSStyleSheet();
base.replaceSync(css);
document.adoptedStyleSheets.push(base);

/** Sets the styles of exact colors in a way that the page's policy allows. */
HTMLSpanElement.prototype.setAttribute = function (name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else HTMLElement.prototype.setAttribute.call(this, name, value);
};

/** Opens a terminal whose styles, which it creates meanwhile, are sheets. */
function openWithSheets(terminal: Terminal, host: HTMLElement): void {
  const createElement = (name: string) =>
    Document.prototype.createElement.call(document, name === "style" ? "terminal-sheet" : name);
  Object.defineProperty(document, "createElement", { value: createElement, configurable: true });
  try {
    terminal.open(host);
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
