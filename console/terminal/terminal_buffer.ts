import { AnsiParser, type OutputToken } from "./ansi_parser.ts";
import { PLAIN, type TextStyle } from "./text_style.ts";

/** Where output comes from; a note is the console's own. */
export type OutputSource = "stdout" | "stderr" | "note";

/** A piece of a line that looks the same. */
export interface Span {
  readonly text: string;
  readonly style: TextStyle;
  readonly source: OutputSource;
}

/** A line of output. */
export interface Line {
  spans: Span[];
  length: number;
  /** Whether an end of line has come; a line that is too long goes on in the next one. */
  isEnded: boolean;
  /** When its first text came, in milliseconds since 1970; unknown without text, or for old output. */
  at?: number | undefined;
}

/** A group of lines that is drawn, and dropped, as one. */
export interface Block {
  readonly id: number;
  readonly lines: Line[];
  /** Counts its changes. */
  revision: number;
}

const LINES_A_BLOCK = 50;
/** Whether a block gets no more lines. */
export function isFull({ lines }: Block): boolean {
  return lines.length >= LINES_A_BLOCK;
}

const LONGEST_LINE = 8_192;

/** The pieces of lines, with their ends; what looks the same is one piece. */
export function spansOf({ lines }: Pick<Block, "lines">): readonly Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    const last = spans.at(-1);
    if (last?.style !== span.style || last.source !== span.source) spans.push(span);
    else spans[spans.length - 1] = { ...last, text: last.text + span.text };
  };
  for (const line of lines) {
    line.spans.forEach(add);
    const { style = PLAIN, source = "note" } = line.spans.at(-1) ?? spans.at(-1) ?? {};
    if (line.isEnded) add({ text: "\n", style, source });
  }
  return spans;
}

/** The lines of output that are shown; the oldest are dropped when there are too many. */
export class TerminalBuffer {
  readonly #maxChars: number;
  readonly #parsers: Record<OutputSource, AnsiParser> = {
    stdout: new AnsiParser(),
    stderr: new AnsiParser(),
    note: new AnsiParser(),
  };
  #blocks: Block[] = [];
  #nextId = 0;
  #chars = 0;
  #dropped = 0;
  #returned = false;
  /** When what is written now came. */
  #at: number | undefined;

  /** Takes how many characters are kept. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** The groups of lines, in order. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** How many characters were dropped from the beginning. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Appends output, which came at a time in milliseconds since 1970. */
  write(text: string, source: OutputSource, at?: number): void {
    this.#at = at;
    for (const token of this.#parsers[source].parse(text)) this.#take(token, source);
    this.#trim();
  }

  /** Appends a line of the console's own. */
  note(text: string): void {
    if ((this.#lastLine()?.length ?? 0) > 0) this.#newline(true);
    this.write(`${text}\n`, "note");
  }

  /** What is kept, without styles. */
  text(): string {
    return this.#blocks.flatMap(spansOf).map(({ text }) => text).join("");
  }

  #take(token: OutputToken, source: OutputSource): void {
    switch (token.type) {
      case "newline":
        return this.#newline(true);
      case "return":
        this.#returned = true;
        return;
      case "backspace":
        return this.#backspace();
      case "text":
        if (this.#returned) this.#clearLine();
        return this.#append(token.text, token.style, source);
    }
  }

  #append(text: string, style: TextStyle, source: OutputSource): void {
    for (let at = 0; at < text.length;) {
      const line = this.#lastLine() ?? this.#addLine();
      const room = LONGEST_LINE - line.length;
      if (room <= 0) {
        this.#newline(false);
        continue;
      }
      const part = text.slice(at, at + room);
      line.at ??= this.#at;
      const last = line.spans.at(-1);
      if (last?.style === style && last.source === source) {
        line.spans[line.spans.length - 1] = { ...last, text: last.text + part };
      } else {
        line.spans.push({ text: part, style, source });
      }
      this.#grow(line, part.length);
      at += part.length;
    }
  }

  #backspace(): void {
    const line = this.#lastLine();
    const last = line?.spans.at(-1);
    if (line === undefined || last === undefined) return;
    const text = last.text.slice(0, -1);
    if (text === "") line.spans.pop();
    else line.spans[line.spans.length - 1] = { ...last, text };
    this.#grow(line, -1);
  }

  /** A carriage return starts the line anew, as a progress bar expects. */
  #clearLine(): void {
    this.#returned = false;
    const line = this.#lastLine();
    if (line === undefined) return;
    line.spans = [];
    this.#grow(line, -line.length);
  }

  #newline(isEnded: boolean): void {
    this.#returned = false;
    const line = this.#lastLine() ?? this.#addLine();
    line.isEnded = isEnded;
    this.#addLine();
  }

  #grow(line: Line, chars: number): void {
    line.length += chars;
    this.#chars += chars;
    const block = this.#blocks.at(-1);
    if (block !== undefined) block.revision++;
  }

  #lastLine(): Line | undefined {
    return this.#blocks.at(-1)?.lines.at(-1);
  }

  #addLine(): Line {
    const line: Line = { spans: [], length: 0, isEnded: false };
    const last = this.#blocks.at(-1);
    if (last !== undefined && !isFull(last)) {
      last.lines.push(line);
      last.revision++;
    } else {
      this.#blocks.push({ id: this.#nextId++, lines: [line], revision: 0 });
    }
    this.#chars++;
    return line;
  }

  #trim(): void {
    while (this.#chars > this.#maxChars && this.#blocks.length > 1) {
      const [oldest, ...rest] = this.#blocks;
      const chars = oldest?.lines.reduce((sum, line) => sum + line.length + 1, 0) ?? 0;
      this.#blocks = rest;
      this.#chars -= chars;
      this.#dropped += chars;
    }
  }
}
