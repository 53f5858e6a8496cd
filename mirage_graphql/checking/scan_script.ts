/** A document in a script: its text, or the value of a generated one. */
export interface FoundText {
  /** The text of GraphQL, or the JSON of a document that code generators write. */
  readonly text: string;
  readonly isJson: boolean;
  /** The line in the script where it begins, from 1. */
  readonly line: number;
  /** The first expression in it that stands between braces, so that its value is part of a selection. */
  readonly inner?: string;
}

/** What may stand before a document: `gql`, `graphql(`, and the class that codegen writes. */
const TAGS = new Set(["gql", "graphql", "TypedDocumentString"]);

/** What may stand before a regular expression; after other characters `/` divides. */
const BEFORE_REGEXP = new Set("(,=:[!&|?{};+-*%~^<>");

/**
 * Finds the documents in a script of JavaScript or TypeScript, also with JSX: templates with the tag
 * `gql` or `graphql`, templates and strings in a call of these or after a comment that is `GraphQL`,
 * and the documents that GraphQL Code Generator writes as objects. Comments are skipped, and so is what
 * is `${between}` braces at the top level, as the fragments of Apollo are.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { scanScript } from "./scan_script.ts";
 *
 * const found = scanScript("// gql`{ no }`\nconst A = gql`{ a }`;");
 * deepStrictEqual(found, [{ text: "{ a }", isJson: false, line: 2 }]);
 * ```
 */
export function scanScript(script: string): FoundText[] {
  const found: FoundText[] = [];
  /** Whether what comes next is a document: after a tag, an open call of one, or a comment. */
  let isDocument = false;
  let last = "(";
  let at = 0;

  const add = (text: string, start: number, more: Partial<FoundText> = {}) =>
    found.push({ text, isJson: false, line: lineOf(script, start), ...more });

  while (at < script.length) {
    const start = at;
    const char = script[at] ?? "";
    if (/\s/.test(char)) {
      at++;
    } else if (script.startsWith("//", at)) {
      at = endOf(script, "\n", at);
    } else if (script.startsWith("/*", at)) {
      at = endOf(script, "*/", at + 2);
      if (/^\/\*\s*graphql\s*\*\/$/i.test(script.slice(start, at))) isDocument = true;
    } else if (char === "`") {
      const template = readTemplate(script, at);
      at = template.end;
      const { text, inner } = template;
      if (isDocument) add(text, start, inner === undefined ? {} : { inner });
      [isDocument, last] = [false, char];
    } else if (char === '"' || char === "'") {
      const end = stringEnd(script, at);
      // an apostrophe in the text of JSX ends nowhere
      at = end ?? at + 1;
      const text = end === undefined ? "" : script.slice(start + 1, end - 1);
      if (isDocument && text.includes("{")) add(unescaped(text), start);
      [isDocument, last] = [false, char];
    } else if (/[\w$]/.test(char)) {
      const [name = char] = /^[\w$]+/.exec(script.slice(at, at + 200)) ?? [];
      at += name.length;
      isDocument = TAGS.has(name) && last !== ".";
      if (isDocument) at = typeArgumentsEnd(script, at);
      last = /^(return|case|typeof|await|yield)$/.test(name) ? "(" : "a";
    } else if (char === "{" && GENERATED.test(script.slice(at, at + 60))) {
      at = objectEnd(script, at);
      add(script.slice(start, at), start, { isJson: true });
      [isDocument, last] = [false, "}"];
    } else if (char === "/" && BEFORE_REGEXP.has(last)) {
      at = regExpEnd(script, at) ?? at + 1;
      [isDocument, last] = [false, "/"];
    } else {
      at++;
      isDocument = isDocument && char === "(";
      last = char;
    }
  }
  return found;
}

const GENERATED = /^\{\s*"kind"\s*:\s*"Document"/;

/** Templates within templates; what is deeper is not read, as no one writes it. */
const MAX_LEVELS = 100;

interface Template {
  readonly text: string;
  readonly end: number;
  readonly inner?: string;
}

/** Reads a template from its backtick on; expressions become the line breaks in them. */
function readTemplate(script: string, start: number, level = 0): Template {
  if (level > MAX_LEVELS) return { text: "", end: script.length };
  let [at, depth, text] = [start + 1, 0, ""];
  let inner: string | undefined;
  while (at < script.length && script[at] !== "`") {
    if (script.startsWith("${", at)) {
      const end = expressionEnd(script, at + 2, level);
      const expression = script.slice(at, end);
      if (depth > 0) inner ??= expression;
      text += ` ${expression.replaceAll(/[^\n]/g, "")}`;
      at = end;
      continue;
    }
    const length = script[at] === "\\" ? 2 : 1;
    const piece = script.slice(at, at + length);
    if (piece === "{") depth++;
    if (piece === "}") depth--;
    text += piece;
    at += length;
  }
  return { text: unescaped(text), end: at + 1, ...inner !== undefined && { inner } };
}

/** The end of an expression in a template, behind its brace. */
function expressionEnd(script: string, start: number, level: number): number {
  let [at, depth] = [start, 0];
  while (at < script.length) {
    const char = script[at];
    if (char === "`") at = readTemplate(script, at, level + 1).end;
    else if (char === '"' || char === "'") at = stringEnd(script, at) ?? at + 1;
    else {
      at++;
      if (char === "{") depth++;
      if (char === "}" && depth-- === 0) return at;
    }
  }
  return at;
}

/** The end of a string behind its quote; `undefined` if its line has none. */
function stringEnd(script: string, start: number): number | undefined {
  const quote = script[start];
  for (let at = start + 1; at < script.length && script[at] !== "\n"; at++) {
    if (script[at] === quote) return at + 1;
    if (script[at] === "\\") at++;
  }
  return undefined;
}

/** The end of a regular expression; `undefined` if its line has none, so that it is none. */
function regExpEnd(script: string, start: number): number | undefined {
  let isInClass = false;
  for (let at = start + 1; at < script.length && script[at] !== "\n"; at++) {
    const char = script[at];
    if (char === "/" && !isInClass) return at + 1;
    if (char === "[") isInClass = true;
    if (char === "]") isInClass = false;
    if (char === "\\") at++;
  }
  return undefined;
}

/** Behind the type arguments of a tag, as in `gql<Data, Variables>`; where they would begin if there are none. */
function typeArgumentsEnd(script: string, start: number): number {
  if (script[start] !== "<") return start;
  let depth = 0;
  for (let at = start; at < Math.min(script.length, start + 1_000); at++) {
    if (script[at] === "<") depth++;
    if (script[at] === ">" && --depth === 0) return at + 1;
  }
  return start;
}

/** The end of an object of JSON. */
function objectEnd(script: string, start: number): number {
  let [at, depth] = [start, 0];
  while (at < script.length) {
    const char = script[at];
    if (char === '"') {
      at = stringEnd(script, at) ?? at + 1;
      continue;
    }
    at++;
    if (char === "{") depth++;
    if (char === "}" && --depth === 0) return at;
  }
  return at;
}

function endOf(script: string, text: string, from: number): number {
  const at = script.indexOf(text, from);
  return at < 0 ? script.length : at + text.length;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(n|[^n])/gs, (_, char: string) => char === "n" ? "\n" : char);
}

function lineOf(script: string, at: number): number {
  let line = 1;
  for (
    let next = script.indexOf("\n");
    next >= 0 && next < at;
    next = script.indexOf("\n", next + 1)
  ) {
    line++;
  }
  return line;
}
