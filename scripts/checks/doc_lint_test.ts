import { deepStrictEqual } from "node:assert/strict";
import { ownFaults } from "./doc_lint.ts";

const OWN = { root: "/repo", text: "export interface Hidden {\n}\n" };

function reportOf(...faults: string[]): string {
  return `${faults.join("\n\n")}\n\nerror: Found ${faults.length} documentation lint errors.\n`;
}

function missing(file: string): string {
  return `error[missing-jsdoc]: exported symbol is missing JSDoc\n --> ${file}:1:1\n   |`;
}

function hidden(declaration: string): string {
  return [
    "error[private-type-ref]: public type 'A' references a private type",
    "  --> /repo/a.ts:12:1",
    "   |",
    "45 | " + declaration,
    "   | - this is the referenced type",
  ].join("\n");
}

const REPORTS: readonly [name: string, report: string, count: number][] = [
  ["keeps a fault in the repository", reportOf(missing("/repo/a.ts")), 1],
  ["keeps each fault in the repository", reportOf(missing("/repo/a.ts"), missing("/repo/b.ts")), 2],
  ["drops a package's faults", reportOf(missing("/cache/zod/a.d.ts")), 0],
  ["keeps a hidden type of the repository", reportOf(hidden("export interface Hidden {")), 1],
  ["drops a package's hidden type", reportOf(hidden("export interface ZodType {")), 0],
  ["finds none in an empty report", "", 0],
];

for (const [name, report, count] of REPORTS) {
  Deno.test(`ownFaults() ${name}`, () => {
    deepStrictEqual(ownFaults(report, OWN).length, count);
  });
}
