import { deepStrictEqual, ok } from "node:assert/strict";
import { codeBlocks, tableRows } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { sourceFiles } from "./source_files.ts";

/** What a page of paper holds. */
const PAGE_LINES = 80;

const markdown = await Deno.readTextFile(`${ROOT}/CONTRIBUTING.md`);
const spans = spansIn(markdown.replaceAll(/^```.*?^```/gms, ""));
const commands = codeBlocks(markdown).map(({ code }) => code).join("").replaceAll(/#.*/g, "");

Deno.test("CONTRIBUTING.md is one page", () => {
  ok(markdown.split("\n").length <= PAGE_LINES);
});

Deno.test("CONTRIBUTING.md names files and folders that are there", async () => {
  const inText = spans.filter((span) => /^[\w-]+(\/[\w.-]+)+$/.test(span));
  const inCommands = commands.match(/\S+\.ts\b/g) ?? [];
  ok(inText.length > 5 && inCommands.length > 1);
  for (const path of [...inText, ...inCommands]) ok(await exists(path), path);
});

Deno.test("the map in CONTRIBUTING.md has every folder of the root, and folders in these", async () => {
  const rows = tableRows(markdown).map((cells) => cells.map(spansIn));
  const paths = await sourceFiles(ROOT, [""]);
  const folders = paths.flatMap((path) => /^(\w+)\//.exec(path)?.[1] ?? []);
  deepStrictEqual(rows.map(([name = []]) => name[0]).sort(), [...new Set(folders)].sort());
  for (const [[folder] = [], inside = []] of rows) {
    for (const name of inside.filter((name) => /^\w+$/.test(name))) {
      ok(await exists(`${folder}/${name}`) || await exists(`${folder}/${name}.ts`), name);
    }
  }
});

Deno.test("CONTRIBUTING.md names tasks that there are", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const texts = [commands, ...spans].join("\n");
  const named = [...texts.matchAll(/deno(?:@[\d.]+)? task (\S+)/g)].map(([, task = ""]) => task);
  ok(named.length > 5);
  for (const task of named) ok(task in tasks, task);
});

function spansIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

function exists(path: string): Promise<boolean> {
  return Deno.stat(`${ROOT}/${path}`).then(() => true, () => false);
}
