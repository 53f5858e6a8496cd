import type { FileDocuments } from "./read_documents.ts";
import type { FieldToWrite, TriedOperation } from "./try_operation.ts";

/** What a check has found. */
export interface CheckResult {
  /** The files of the schema, as they were named. */
  readonly schema: string;
  /** Number of the app's files. */
  readonly files: number;
  readonly operations: readonly TriedOperation[];
  /** Documents that can't be parsed. */
  readonly faults: FileDocuments["faults"];
}

/** Whether everything answers. */
export function isComplete({ operations, faults }: CheckResult): boolean {
  return faults.length === 0 && operations.every(({ verdict }) => verdict === "answers");
}

/** The fields that need a resolver, once each. */
export function fieldsToWrite({ operations }: CheckResult): readonly FieldToWrite[] {
  const fields = operations.flatMap((operation) => operation.fields);
  return [...new Map(fields.map((one) => [`${one.typeName}.${one.fieldName}`, one])).values()];
}

/** A line for each operation, those that answer first, with the reasons of the others below. */
export function reportText(result: CheckResult): string {
  const { operations, faults, files, schema } = result;
  const answering = operations.filter(({ verdict }) => verdict === "answers");
  const others = operations.filter(({ verdict }) => verdict !== "answers");
  const width = Math.max(0, ...operations.map((one) => labelOf(one).length));
  const lines = [...answering, ...others].flatMap((one) => [
    `${one.verdict.padEnd(8)} ${labelOf(one).padEnd(width)}  ${one.path}:${one.line}`,
    ...one.reasons.map(indented),
    ...one.warnings.map((text) => indented(`warning: ${text}`)),
  ]);
  const unread = faults.flatMap(({ path, line, reason }) => [
    `unread   ${path}:${line}`,
    indented(reason),
  ]);
  const needed = fieldsToWrite(result).length;
  const summary = `${counted(operations.length, "operation")} in ${counted(files, "file")} ` +
    `against ${schema}: ${summaryOf(result)}`;
  const advice = needed === 0 ? [] : [
    `${counted(needed, "field")} ${
      needed === 1 ? "needs" : "need"
    } a resolver: --stubs FILE writes what to begin with`,
  ];
  return [...lines, ...unread, "", summary, ...advice].join("\n");
}

/** The same as data. */
export function reportJson(result: CheckResult): string {
  const { schema, files, faults } = result;
  const operations = result.operations.map((one) => ({
    name: one.name ?? null,
    type: one.type,
    path: one.path,
    line: one.line,
    verdict: one.verdict,
    reasons: one.reasons,
    warnings: one.warnings,
    fields: one.fields.map(({ typeName, fieldName }) => `${typeName}.${fieldName}`),
  }));
  return JSON.stringify({ schema, files, operations, unread: faults }, null, 2);
}

function summaryOf({ operations, faults }: CheckResult): string {
  const counts = (["answers", "refused", "fails", "invalid"] as const).map((verdict) => ({
    verdict,
    count: operations.filter((one) => one.verdict === verdict).length,
  }));
  const [answering, ...others] = counts;
  const { count = 0 } = answering ?? {};
  const parts = [
    `${count} ${count === 1 ? "answers" : "answer"}`,
    ...others.filter((one) => one.count > 0).map((one) => `${one.count} ${WORDS[one.verdict]}`),
    ...faults.length > 0 ? [`${faults.length} unread`] : [],
  ];
  return parts.join(", ");
}

const WORDS = {
  answers: "answer",
  refused: "refused",
  fails: "failed",
  invalid: "invalid",
} as const;

function labelOf({ type, name = "(anonymous)" }: TriedOperation): string {
  return `${type} ${name}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function indented(text: string): string {
  return `         ${text.replaceAll("\n", "\n         ")}`;
}
