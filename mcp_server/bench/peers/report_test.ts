import { ok, strictEqual } from "node:assert/strict";
import { tableRows } from "../../../test_support/markdown.ts";
import { saysWhatIsMissing } from "./probes/flood.ts";
import { PACKAGES } from "./servers/packages.ts";
import { peersPage } from "./page.ts";
import { boundsSection, type GroupMeasured, groupSection, markdownTable } from "./report.ts";
import { SHAPES } from "./probes/stops.ts";

const EVERYDAY = {
  startMs: 306.4,
  listBytes: 17_380,
  tools: 15,
  withAllHints: 15,
  withOutputSchema: 15,
  callMs: 4,
  idle: 91.2,
  after: 114.6,
  calls: 1_000,
  incomplete: 0,
};
const FLOOD = {
  bytes: 262_500,
  isError: false,
  saysSo: true,
  ms: 2_040,
  peak: 133.4,
  survives: true,
};
const GROUP: GroupMeasured = {
  title: "Commands",
  names: ["trestle", "other"],
  ownStops: ["time-out", undefined],
  everyday: [EVERYDAY, { ...EVERYDAY, callMs: 50, listBytes: 497, calls: 68, incomplete: 2 }],
  capabilities: [{ modern: true, progress: 3 }, { modern: false, progress: 0 }],
  floods: [FLOOD, { ...FLOOD, bytes: 404_000_000, isError: true, saysSo: undefined }],
};
const ALL = Object.keys(SHAPES);

Deno.test("groupSection() has a column for each server, and the ratio of calls to the first", () => {
  const row = rowsOf(groupSection(GROUP));
  strictEqual(row("tools, and their list"), "15, 17.4 kB; 15, 497 bytes");
  strictEqual(row("start to the list of tools"), "306 ms; 306 ms");
  strictEqual(row("a call, p50"), "4.00 ms; 50.00 ms");
  strictEqual(row("... / trestle"), "1.00; 12.50");
  strictEqual(row("memory after calls"), "115 MiB after 1000; 115 MiB after 68");
  strictEqual(row("answers without the output"), "0 of 1000; 2 of 68");
  strictEqual(row("speaks MCP 2026-07-28"), "yes; no");
});

Deno.test("groupSection() says of a flood what the client gets, and whether it is all", () => {
  const row = rowsOf(groupSection(GROUP));
  strictEqual(row("flood: the client gets"), "262.5 kB; an error, 404.0 MB");
  strictEqual(row("... which says what is missing"), "yes; it is complete");
  strictEqual(row("... after"), "2.0 s; 2.0 s");
  const silent = { ...FLOOD, bytes: 0, isError: true, saysSo: false };
  const without = rowsOf(groupSection({ ...GROUP, floods: [silent] }));
  strictEqual(without("flood: the client gets"), "no answer");
  strictEqual(without("... which says what is missing"), "n/a");
});

Deno.test("groupSection() names the kinds of commands of which a process is left", () => {
  const stops = [
    { cancel: [], close: [], own: [] },
    { cancel: ALL, close: ["setsid", "background"], own: undefined },
  ];
  const row = rowsOf(groupSection({ ...GROUP, stops }));
  strictEqual(row("left 5 s after a cancel"), "nothing; all of them");
  strictEqual(row("left 5 s after the client closed"), "nothing; setsid, background");
  strictEqual(row("left 5 s after its own end of the call"), "time-out: nothing; it has none");
});

Deno.test("groupSection() says of queries whether they go on", () => {
  const postgres = [
    { cancel: false, close: false, own: false },
    { cancel: true, close: true, own: undefined },
  ];
  const sqlite = [{ answersMeanwhile: true, goesOn: false }, {
    answersMeanwhile: false,
    goesOn: true,
  }];
  const row = rowsOf(groupSection({ ...GROUP, postgres, sqlite, readOnly: [[], ["DROP"]] }));
  strictEqual(row("left 5 s after a cancel"), "nothing; the query goes on");
  strictEqual(row("other calls during a long query"), "are answered; wait");
  strictEqual(row("the query 5 s after a cancel"), "has ended; goes on");
  strictEqual(row("writes that took effect, read-only"), "0 of 8; 1 of 8");
});

Deno.test("groupSection() leaves out what is not measured in a group", () => {
  const capabilities = [{ modern: true, progress: undefined }];
  const text = groupSection({ ...GROUP, capabilities });
  ok(!/left 5 s|progress|read-only|long query/.test(text), text);
});

Deno.test("boundsSection() counts what happened outside", () => {
  const row = rowsOf(boundsSection([{ name: "a", calls: 1_344, read: 12, written: 4 }]));
  strictEqual(row("reads and writes tried"), "1344");
  strictEqual(row("read a file outside"), "12");
  strictEqual(row("changed a file outside"), "4");
});

Deno.test("saysWhatIsMissing() looks for a notice beside the output itself", () => {
  for (
    const text of [
      "xxx\n[200 bytes left out]\nxxx",
      "stdout maxBuffer length exceeded",
      '{"nextOffset":9}',
    ]
  ) {
    ok(saysWhatIsMissing(text), text);
  }
  for (const text of ["xxxxxx", "Process started with PID 1\nxxxx", ""]) {
    ok(!saysWhatIsMissing(text), text);
  }
});

Deno.test("peersPage() names every peer at a fixed version, above the sections", () => {
  const page = peersPage(["## One", "## Two"], "Deno 2.9.6.");
  for (const name of Object.values(PACKAGES)) {
    ok(/@\d+\.\d+\.\d+$/.test(name), name);
    ok(page.indexOf(name) > 0 && page.indexOf(name) < page.indexOf("\n## One"), name);
  }
  ok(page.includes("[One](#one) · [Two](#two) · [What others do better](#what-others-do-better)"));
  ok(page.indexOf("## One") < page.indexOf("## Two"));
  strictEqual(tableRows(page).length, 7);
});

Deno.test("markdownTable() has the first row as its head", () => {
  strictEqual(
    markdownTable([["", "a"], ["size", "1"]]),
    "|  | a |\n| --- | --- |\n| size | 1 |",
  );
});

/** Reads the cells of a row, by its first cell. */
function rowsOf(markdown: string): (what: string) => string | undefined {
  const rows = markdown.split("\n").map((line) =>
    line.split("|").slice(1, -1).map((x) => x.trim())
  );
  return (what) => rows.find(([first]) => first === what)?.slice(1).join("; ");
}
