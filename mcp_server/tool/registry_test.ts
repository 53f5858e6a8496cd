import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import * as z from "zod";
import { NO_SECRETS } from "../access/caller_secrets.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import { ensureToolName, StagedRegistrar, ToolRegistry } from "./registry.ts";
import type { RegisteredTool, ToolExtra } from "./tool.ts";

function tool(name: string) {
  const registrar = new StagedRegistrar(name);
  registrar.tool(name, () => ({ content: [] }));
  return registrar.tools;
}

Deno.test("ToolRegistry lists tools in the order of registration", () => {
  const registry = new ToolRegistry();
  registry.replace(["b", "a", "c"].flatMap(tool));
  deepStrictEqual(registry.names, ["b", "a", "c"]);
});

Deno.test("ToolRegistry replaces all tools at once, or none if two have one name", async () => {
  const registry = new ToolRegistry();
  registry.replace(tool("a"));
  const first = await registry.get("a");
  throws(
    () => registry.replace([...tool("b"), ...tool("a"), ...tool("b")]),
    /"b": the name is taken/,
  );
  strictEqual(await registry.get("a"), first);
  strictEqual(await registry.get("b"), undefined);
  registry.replace(tool("b"));
  strictEqual(await registry.get("a"), undefined);
  deepStrictEqual(registry.names, ["b"]);
});

Deno.test("ToolRegistry finds no tool for the names of inherited object members", async () => {
  const registry = new ToolRegistry();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    strictEqual(await registry.get(name), undefined, name);
  }
});

const ANSWER = { content: [] };
const HINTS = { readOnlyHint: true };
const SHAPE = { n: z.int() };

function extra(): ToolExtra {
  return {
    signal: new AbortController().signal,
    limits: defaultLimits(2),
    jobs: NO_JOBS,
    secrets: NO_SECRETS,
    caller: DEFAULT_CALLER,
    requestId: 1,
    commands: { run: () => Promise.reject(new Error("Cannot run commands here")) },
    progress: () => {},
    output: () => {},
    commandEnded: () => {},
    ask: () => Promise.reject(new Error("Cannot ask here")),
    sendNotification: () => Promise.resolve(),
  };
}

Deno.test("StagedRegistrar.tool() understands each form of the SDK", async () => {
  const forms: [string, (registrar: StagedRegistrar, seen: unknown[]) => void, object][] = [
    ["run", (r, seen) => r.tool("t", (...a: unknown[]) => (seen.push(...a), ANSWER)), {}],
    ["text", (r, seen) => r.tool("t", "d", (...a: unknown[]) => (seen.push(...a), ANSWER)), {
      description: "d",
    }],
    ["shape", (r, seen) => r.tool("t", SHAPE, (...a: unknown[]) => (seen.push(...a), ANSWER)), {}],
    ["text, shape", (r, seen) => {
      r.tool("t", "d", SHAPE, (...a: unknown[]) => (seen.push(...a), ANSWER));
    }, { description: "d" }],
    ["shape, hints", (r, seen) => {
      r.tool("t", SHAPE, HINTS, (...a: unknown[]) => (seen.push(...a), ANSWER));
    }, { annotations: HINTS }],
    ["text, shape, hints", (r, seen) => {
      r.tool("t", "d", SHAPE, HINTS, (...a: unknown[]) => (seen.push(...a), ANSWER));
    }, { description: "d", annotations: HINTS }],
    ["hints", (r, seen) => r.tool("t", HINTS, (...a: unknown[]) => (seen.push(...a), ANSWER)), {
      annotations: HINTS,
    }],
    ["text, hints", (r, seen) => {
      r.tool("t", "d", HINTS, (...a: unknown[]) => (seen.push(...a), ANSWER));
    }, { description: "d", annotations: HINTS }],
  ];
  for (const [form, register, expected] of forms) {
    const registrar = new StagedRegistrar("t");
    const seen: unknown[] = [];
    register(registrar, seen);
    const { inputSchema, ...definition } = registrar.tools[0]!.definition;
    deepStrictEqual(JSON.parse(JSON.stringify(definition)), { name: "t", ...expected }, form);
    strictEqual(inputSchema.additionalProperties, false, form);
    const call = extra();
    await registrar.tools[0]!.run({ n: 1 }, call);
    deepStrictEqual(seen, form.includes("shape") ? [{ n: 1 }, call] : [call], form);
  }
});

Deno.test("StagedRegistrar rejects a name that is not the file's, and a second tool", () => {
  const registrar = new StagedRegistrar("a");
  throws(() => registrar.tool("b", () => ANSWER), /"b": a tool is named after its file, "a"/);
  registrar.tool("a", () => ANSWER);
  throws(() => registrar.tool("a", () => ANSWER), /"a": the name is taken/);
});

Deno.test("StagedRegistrar rejects configs that it can't use, and names the key", () => {
  const registrar = new StagedRegistrar("a");
  throws(() => registrar.tool("a", "text"), /its last argument is not a function/);
  throws(() => registrar.tool("a", 7, () => ANSWER), /unexpected argument 7/);
  throws(() => registrar.registerTool("a", { title: 1 }, () => ANSWER), /title is wrong/);
  throws(
    () => registrar.registerTool("a", { inputSchema: 1 }, () => ANSWER),
    /inputSchema is wrong/,
  );
  throws(
    () => registrar.registerTool("a", { annotations: { readonly: true } }, () => ANSWER),
    /annotations is wrong/,
  );
});

Deno.test("StagedRegistrar converts the schemas of a tool that is known on first use, of others at once", () => {
  const convert = (options?: { isKnown: boolean }) => {
    const registrar = new StagedRegistrar("t", options);
    registrar.registerTool("t", { inputSchema: { at: z.date() } }, () => ANSWER);
    return registrar.tools[0]?.definition;
  };
  throws(() => convert(), /Date cannot be represented/);
  const known = convert({ isKnown: true });
  throws(() => known?.inputSchema, /Date cannot be represented/);
  const registrar = new StagedRegistrar("t", { isKnown: true });
  registrar.registerTool("t", { inputSchema: { at: z.iso.date() } }, () => ANSWER);
  const definition = registrar.tools[0]?.definition;
  strictEqual(definition?.inputSchema, definition?.inputSchema);
  strictEqual(JSON.stringify(definition).includes('"format":"date"'), true);
});

Deno.test("ensureToolName() accepts the names that every client accepts", () => {
  for (const good of ["a", "read-file", "a.b_c-9", "x".repeat(64)]) ensureToolName(good);
  for (const bad of ["", "a b", "a/b", "ä", "x".repeat(65), "a\n"]) {
    throws(() => ensureToolName(bad), RangeError, bad);
  }
});

Deno.test("ToolRegistry loads a late tool with the first that asks for it, or for all", async () => {
  const loaded: string[] = [];
  const late = (name: string, tools: readonly RegisteredTool[]) => ({
    name,
    load: () => {
      loaded.push(name);
      return Promise.resolve(tools[0]);
    },
  });
  const registry = new ToolRegistry();
  registry.replace([late("a", tool("a")), late("broken", []), ...tool("b")]);
  deepStrictEqual([registry.names, registry.has("a"), loaded], [["a", "broken", "b"], true, []]);
  strictEqual((await registry.get("a"))?.definition.name, "a");
  deepStrictEqual(loaded, ["a"]);
  const list = await registry.list();
  deepStrictEqual(list.map(({ name }) => name), ["a", "b"]);
  strictEqual(await registry.list(), list);
  strictEqual(loaded.includes("broken"), true);
});
