import { deepStrictEqual } from "node:assert/strict";
import { ModuleDeclarations } from "./declarations.ts";

const MODULE = `
/** One. */
export function one(text: string): string;
export function one(number: number): number;
export function one(value: unknown): unknown { return value; }
export const two: readonly string[] = ["a"], three: number = 3;
/** Four. */
export type Four<T> = T extends string
  ? 4 : { readonly [key in "a"]: T };
export abstract class Five {
  #hidden = 1;
  private secret = 2;
  /** Shown. */
  shown(): void { this.#hidden += this.secret; }
}
export interface Six { nested: {
    /** Deep. */
    deep: boolean } }
function seven(): void {}
`;

Deno.test("ModuleDeclarations has what a module declares, without code and private members", () => {
  const module = new ModuleDeclarations(MODULE);
  const expected: Readonly<Record<string, readonly string[]>> = {
    one: ["function one(text: string): string;", "function one(number: number): number;"],
    two: ["const two: readonly string[], three: number;"],
    three: ["const two: readonly string[], three: number;"],
    Four: ['type Four<T> = T extends string ? 4 : {\n  readonly [key in "a"]: T;\n};'],
    Five: ["abstract class Five {\n  /** Shown. */\n  shown(): void;\n}"],
    Six: ["interface Six {\n  nested: {\n    /** Deep. */\n    deep: boolean;\n  };\n}"],
    seven: [],
    none: [],
  };
  for (const [name, texts] of Object.entries(expected)) deepStrictEqual(module.of(name), texts);
});
