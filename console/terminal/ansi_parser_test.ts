import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { AnsiParser, type OutputToken } from "./ansi_parser.ts";
import type { TextStyle } from "./text_style.ts";

const text = (value: string, style: TextStyle = {}): OutputToken => ({
  type: "text",
  text: value,
  style,
});
const newline: OutputToken = { type: "newline" };

const CASES: readonly [name: string, output: string, tokens: OutputToken[]][] = [
  ["text and lines", "a\tb\n\nc", [text("a\tb"), newline, newline, text("c")]],
  ["CR LF as one end of a line", "a\r\nb", [text("a"), newline, text("b")]],
  ["a carriage return", "1%\r2%", [text("1%"), { type: "return" }, text("2%")]],
  ["a backspace", "ab\bc", [text("ab"), { type: "backspace" }, text("c")]],
  ["colors, and their end", "\x1b[1;31mE\x1b[39mF\x1b[mG", [
    text("E", { bold: true, color: 1 }),
    text("F", { bold: true }),
    text("G"),
  ]],
  ["bright colors and backgrounds", "\x1b[93;104mx", [text("x", { color: 11, background: 12 })]],
  ["256 colors", "\x1b[38;5;9ma\x1b[38;5;196mb\x1b[48;5;244mc", [
    text("a", { color: 9 }),
    text("b", { color: "#ff0000" }),
    text("c", { color: "#ff0000", background: "#808080" }),
  ]],
  ["true colors, also with colons", "\x1b[38;2;1;2;3;4ma\x1b[0;38:2:255:0:0mb", [
    text("a", { color: "#010203", underline: true }),
    text("b", { color: "#ff0000" }),
  ]],
  ["colors that are not, as nothing", "\x1b[38;2;999;0;0;1ma\x1b[38;5mb", [
    text("a", { bold: true }),
    text("b", { bold: true }),
  ]],
  ["concealed text as text", "\x1b[8mhidden", [text("hidden")]],
  ["cursor, screen and modes left out", "\x1b[2J\x1b[10;3H\x1b[?25la\x1b[K\x1b(Bb\x1b=c", [
    text("a"),
    text("b"),
    text("c"),
  ]],
  ["titles and links left out", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", [text("a"), text("b")]],
  ["a string that never ends, up to the line", "\x1b]0;title\nnext", [newline, text("next")]],
  ["other control characters as signs", "\x00\x07\x7f\x9b", [
    text("\u2400"),
    text("\u2407"),
    text("\u2421"),
    text("<9b>"),
  ]],
  ["markup as text", '<img src=x onerror="alert(1)">', [text('<img src=x onerror="alert(1)">')]],
];

for (const [name, output, tokens] of CASES) {
  Deno.test(`AnsiParser reads ${name}`, () => {
    deepStrictEqual(new AnsiParser().parse(output), tokens);
  });
}

const pieces = fc.array(
  fc.constantFrom(
    "\x1b",
    "[",
    "]",
    "3",
    "1;",
    "m",
    "K",
    "\r",
    "\n",
    "\b",
    "\x07",
    "\\",
    "é",
    "a b",
  ),
);

/** Tokens with the text of equal styles joined, which a cut separates. */
function joined(tokens: readonly OutputToken[]): OutputToken[] {
  return tokens.reduce<OutputToken[]>((all, token) => {
    const last = all.at(-1);
    if (last?.type !== "text" || token.type !== "text") return [...all, token];
    if (JSON.stringify(last.style) !== JSON.stringify(token.style)) return [...all, token];
    return [...all.slice(0, -1), { ...last, text: last.text + token.text }];
  }, []);
}

Deno.test("AnsiParser reads the same, wherever the output is cut, and never passes an escape on", () => {
  fc.assert(fc.property(pieces, (parts) => {
    const whole = new AnsiParser().parse(parts.join(""));
    const parser = new AnsiParser();
    deepStrictEqual(joined(parts.flatMap((part) => parser.parse(part))), joined(whole));
    ok(whole.every((token) => token.type !== "text" || !/(?!\t)\p{Cc}/u.test(token.text)));
  }));
});
