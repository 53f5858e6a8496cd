import { applySgr, PLAIN, type TextStyle } from "./text_style.ts";

/** What output consists of, for a screen that has lines but no cursor. */
export type OutputToken =
  | { readonly type: "text"; readonly text: string; readonly style: TextStyle }
  | { readonly type: "newline" | "return" | "backspace" };

/** Where the parser is: in text, or in an escape sequence (ECMA-48, section 5.4). */
type State = "text" | "return" | "escape" | "csi" | "string" | "string-escape";

const CONTROL = /(?!\t)\p{Cc}/gu;
/** More than any real sequence has; what is longer is dropped. */
const MOST_PARAMETERS = 64;
const LONGEST_STRING = 4_096;

/**
 * Splits output into styled text and line controls. Colors are kept; every other escape sequence is
 * left out, and other control characters become visible. Sequences may be cut between two pieces.
 */
export class AnsiParser {
  #state: State = "text";
  #style: TextStyle = PLAIN;
  #parameters = "";
  #stringLength = 0;

  /** Parses the next piece of output. */
  parse(piece: string): OutputToken[] {
    const tokens: OutputToken[] = [];
    for (let at = 0; at < piece.length;) {
      if (this.#state !== "text") {
        at += this.#step(piece.charAt(at), tokens);
        continue;
      }
      CONTROL.lastIndex = at;
      const end = CONTROL.exec(piece)?.index ?? piece.length;
      if (end > at) tokens.push({ type: "text", text: piece.slice(at, end), style: this.#style });
      if (end < piece.length) this.#control(piece.charAt(end), tokens);
      at = end + 1;
    }
    return tokens;
  }

  #control(char: string, tokens: OutputToken[]): void {
    switch (char) {
      case "\x1b":
        this.#state = "escape";
        break;
      case "\n":
        tokens.push({ type: "newline" });
        break;
      case "\r":
        this.#state = "return";
        break;
      case "\b":
        tokens.push({ type: "backspace" });
        break;
      default:
        tokens.push({ type: "text", text: visible(char), style: this.#style });
    }
  }

  /** Takes one character outside of text; returns 0 if it is to be read again as text. */
  #step(char: string, tokens: OutputToken[]): 0 | 1 {
    switch (this.#state) {
      case "return":
        this.#state = "text";
        if (char !== "\n") tokens.push({ type: "return" });
        return 0;
      case "escape":
        return this.#escape(char);
      case "csi":
        return this.#csi(char);
      default:
        return this.#string(char);
    }
  }

  #escape(char: string): 0 | 1 {
    if (char === "[") {
      this.#state = "csi";
      this.#parameters = "";
    } else if ("]PX^_".includes(char)) {
      this.#state = "string";
      this.#stringLength = 0;
    } else if (char < " " || char > "/") {
      this.#state = "text";
      return char < " " ? 0 : 1;
    }
    return 1;
  }

  #csi(char: string): 0 | 1 {
    if (char >= "@" && char <= "~") {
      this.#state = "text";
      if (char === "m") this.#style = applySgr(this.#style, this.#parameters);
      return 1;
    }
    if (char < " " || char > "~" || this.#parameters.length >= MOST_PARAMETERS) {
      this.#state = "text";
      return 0;
    }
    this.#parameters += char;
    return 1;
  }

  /** Skips a string such as a window title, up to its terminator, the end of the line, or a bound. */
  #string(char: string): 0 | 1 {
    if (this.#state === "string-escape") {
      this.#state = "text";
      return char === "\\" ? 1 : 0;
    }
    this.#stringLength++;
    if (char === "\x1b") this.#state = "string-escape";
    else if (char === "\x07") this.#state = "text";
    else if (char === "\n" || this.#stringLength > LONGEST_STRING) {
      this.#state = "text";
      return 0;
    }
    return 1;
  }
}

/** A sign for a control character: those of Unicode for ASCII, the code for the others. */
function visible(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `<${code.toString(16)}>`;
}
