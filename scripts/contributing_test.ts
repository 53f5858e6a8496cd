import { deepStrictEqual, ok } from "node:assert/strict";
import { codeBlocks, tableRows } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { ALLOWED_IMPORTS } from "./lint/allowed_imports.ts";
import { sourceFiles } from "./source_files.ts";

/** The number of lines that fit on a printed page. */
const PAGE_LINES = 80;
/** Folders of a component that the map leaves out: they contain no part of the product. */
const NOT_MAPPED = /^(bench|docs|examples|features|fuzz|soak|testdata|testing)$/;

const markdown = await Deno.readTextFile(`${ROOT}/CONTRIBUTING.md`);
const spans = spansIn(markdown.replaceAll(/^```.*?^```/gms, ""));
const commands = codeBlocks(markdown).map(({ code }) => code).join("").replaceAll(/#.*/g, "");

Deno.test("CONTRIBUTING.md is one page", () => {
  ok(markdown.split("\n").length <= PAGE_LINES);
});

Deno.test("CONTRIBUTING.md names files and folders that exist", async () => {
  const inText = spans.filter((span) => /^[\w-]+(\/[\w.-]+)+$/.test(span));
  const inCommands = commands.match(/\S+\.ts\b/g) ?? [];
  ok(inText.length > 5 && inCommands.length > 1);
  for (const path of [...inText, ...inCommands]) ok(await exists(path), path);
});

Deno.test("the map in CONTRIBUTING.md has every folder of the root and of each component", async () => {
  const rows = tableRows(markdown).map((cells) => cells.map(spansIn))
    .filter(([name = []]) => name.length > 0);
  const paths = await sourceFiles(ROOT, [""]);
  const folders = paths.flatMap((path) => /^(\w+)\//.exec(path)?.[1] ?? []);
  deepStrictEqual(rows.map(([name = []]) => name[0]).sort(), [...new Set(folders)].sort());
  for (const [[folder] = [], inside = []] of rows) {
    for (const name of inside.filter((name) => /^\w+$/.test(name))) {
      ok(await exists(`${folder}/${name}`) || await exists(`${folder}/${name}.ts`), name);
    }
    const source = paths.flatMap((path) => new RegExp(`^${folder}/(\\w+)/`).exec(path)?.[1] ?? []);
    const parts = [...new Set(source)].filter((name) => !NOT_MAPPED.test(name));
    if (Object.hasOwn(ALLOWED_IMPORTS, folder ?? "")) {
      deepStrictEqual(parts.filter((part) => !inside.includes(part)), [], String(folder));
    }
  }
});

Deno.test("the picture in CONTRIBUTING.md has only arrows of the layer table", () => {
  const picture = codeBlocks(markdown).find(({ language }) => language === "mermaid")?.code ?? "";
  const layers = Object.values(ALLOWED_IMPORTS).flatMap((rows) => Object.entries(rows));
  const drawn = picture.trim().split("\n").slice(1).flatMap(arrowsIn);
  ok(drawn.length > 10);
  for (const [from, to] of drawn) {
    const rows = layers.filter(([layer]) => layer === from).map(([, row]) => row);
    if (from === "tools") rows.push(...Object.values(ALLOWED_IMPORTS["tools"] ?? {}));
    const targets = rows.flatMap((row) => row.to).map((target) => target.split("/").at(-1));
    ok(targets.includes(to), `${from} --> ${to}`);
  }
});

Deno.test("the flows in CONTRIBUTING.md name files of their component", async () => {
  const files = await sourceFiles(ROOT, [".ts"]);
  const flows = tableRows(markdown).filter(([name = ""]) => spansIn(name).length === 0);
  ok(flows.length === 6);
  for (const [name = "", steps = ""] of flows) {
    const component = / in (\w+)$/.exec(name)?.[1] ?? "";
    const own = files.filter((file) => file.startsWith(`${component}/`));
    for (const step of spansIn(steps)) {
      ok(own.some((file) => file.endsWith(`/${step}.ts`)), `${name}: ${step}`);
    }
  }
});

Deno.test("CONTRIBUTING.md names tasks that exist", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const texts = [commands, ...spans].join("\n");
  const named = [...texts.matchAll(/deno(?:@[\d.]+)? task (\S+)/g)].map(([, task = ""]) => task);
  ok(named.length > 5);
  for (const task of named) ok(task in tasks, task);
});

/** The arrows in a line such as `a & b --> c --> d`, each as a pair of ends. */
function arrowsIn(line: string): [from: string, to: string][] {
  const groups = line.trim().split(" --> ").map((group) => group.split(" & "));
  return groups.slice(1).flatMap((targets, at) =>
    targets.flatMap((to) => (groups[at] ?? []).map((from): [string, string] => [from, to]))
  );
}

function spansIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

function exists(path: string): Promise<boolean> {
  return Deno.stat(`${ROOT}/${path}`).then(() => true, () => false);
}
