import * as z from "zod";
import { fileURLToPath } from "node:url";
import { ModuleDeclarations } from "./declarations.ts";

const Tag = z.object({
  kind: z.string(),
  name: z.string().optional(),
  doc: z.string().optional(),
  type: z.string().optional(),
});

const JsDoc = z.object({ doc: z.string().default(""), tags: z.array(Tag).default([]) });

const Declaration = z.object({
  kind: z.string(),
  location: z.object({ filename: z.string() }),
  jsDoc: JsDoc.default({ doc: "", tags: [] }),
});

const Module = z.object({
  module_doc: JsDoc.default({ doc: "", tags: [] }),
  symbols: z.array(z.object({ name: z.string(), declarations: z.array(Declaration) })),
});

const Documentation = z.object({ nodes: z.record(z.string(), Module) });

type Symbols = z.output<typeof Module>["symbols"];
type Doc = z.output<typeof JsDoc>;

/** Kinds of exports, in the order of the page. */
const KINDS: Readonly<Record<string, string>> = {
  function: "Functions",
  class: "Classes",
  variable: "Values",
  interface: "Types",
  typeAlias: "Types",
};

/**
 * Reads what entries of packages export, and what their JSDoc says, with `deno doc`. Resolves with
 * the Markdown of one page for each entry, by its file; rejects if `deno doc` fails.
 *
 * @param entries The name of each entry, by its file as a path from the root.
 */
export async function apiReference(
  root: string,
  entries: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--quiet", "--json", ...entries.keys()],
    cwd: root,
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the documentation: ${decoder.decode(stderr)}`);
  const { nodes } = Documentation.parse(JSON.parse(decoder.decode(stdout)));
  const modules = new Map<string, ModuleDeclarations>();
  const declarationsOf = (url: string) => {
    const known = modules.get(url) ??
      new ModuleDeclarations(Deno.readTextFileSync(fileURLToPath(url)));
    modules.set(url, known);
    return known;
  };
  return new Map([...entries].map(([file, entry]) => {
    const module = Object.entries(nodes).find(([url]) => url.endsWith(`/${file}`))?.[1];
    if (module === undefined) throw new RangeError(`Cannot find the documentation of "${file}"`);
    return [file, entryPage(entry, module, declarationsOf)];
  }));
}

function entryPage(
  entry: string,
  { module_doc, symbols }: z.output<typeof Module>,
  declarationsOf: (url: string) => ModuleDeclarations,
): string {
  const names = new Set(symbols.map(({ name }) => name));
  const groups = Map.groupBy(symbols, ({ declarations: [first] }) => KINDS[first?.kind ?? ""]);
  const parts = [...new Set(Object.values(KINDS))].flatMap((kind) => {
    const found = groups.get(kind) ?? [];
    return found.length === 0
      ? []
      : [`## ${kind}`, ...found.map((one) => symbolText(one, names, declarationsOf))];
  });
  const packages = (groups.get(undefined) ?? []).map(({ name }) => `\`${name}\``);
  const more = packages.length === 0 ? [] : [`It also exports ${packages.join(", ")}.`];
  return [`# API of ${entry}`, ...docParts(module_doc, names), ...more, ...parts].join("\n\n") +
    "\n";
}

function symbolText(
  { name, declarations }: Symbols[number],
  names: ReadonlySet<string>,
  declarationsOf: (url: string) => ModuleDeclarations,
): string {
  const [first] = declarations;
  if (first === undefined) return "";
  const code = declarationsOf(first.location.filename).of(name).join("\n");
  const documented = declarations.find(({ jsDoc }) => jsDoc.doc !== "") ?? first;
  const call = first.kind === "function" ? "()" : "";
  const shown = code === "" ? [] : [`\`\`\`ts\n${code}\n\`\`\``];
  return [`### ${name}${call}`, ...docParts(documented.jsDoc, names, shown)].join("\n\n");
}

/** The description and the code, then the tags: what each parameter is, what is thrown, examples. */
function docParts(
  { doc, tags }: Doc,
  names: ReadonlySet<string>,
  code: readonly string[] = [],
): string[] {
  // A comment can't contain the end of one.
  const text = (words = "") => linked(words.trim().replaceAll("*\\/", "*/"), names);
  const list = tags.flatMap(({ kind, name, doc, type }) => {
    const words = text(doc).replaceAll("\n", "\n  ");
    if (kind === "param") return [`- \`${name}\`: ${words}`];
    if (kind === "throws") return [`- throws \`${type ?? "Error"}\` ${words}`];
    if (kind === "return") return [`- returns ${words}`];
    return [];
  });
  return [
    ...(doc === "" ? [] : [text(doc)]),
    ...code,
    ...(list.length === 0 ? [] : [list.join("\n")]),
    ...tags.filter(({ kind }) => kind === "example").map(({ doc }) => exampleText(text(doc))),
    ...tags.filter(({ kind }) => kind === "see").map(({ doc }) => `See ${autoLink(text(doc))}`),
    ...tags.filter(({ kind }) => kind === "deprecated").map(({ doc }) =>
      `Deprecated: ${text(doc)}`
    ),
  ];
}

/** An example's title, if it has one, is a paragraph above its code. */
function exampleText(text: string): string {
  const start = text.indexOf("```");
  const title = start > 0 ? text.slice(0, start).trim() : "";
  return `${title || "Example"}:\n\n${text.slice(start)}`;
}

function autoLink(text: string): string {
  return URL.canParse(text) ? `<${text}>` : text;
}

/** Turns `{@linkcode name}` into a link to the name's heading, if it is on the page. */
function linked(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/\{@link(?:code)? ([^\s}|]+)(?:[ |]+([^}]*))?\}/g, (_all, to, label) => {
    if (URL.canParse(to)) return `[${label ?? to}](${to})`;
    return names.has(to) ? `[\`${label ?? to}\`](#${to.toLowerCase()})` : `\`${label ?? to}\``;
  });
}
