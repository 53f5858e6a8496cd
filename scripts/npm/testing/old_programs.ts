import ts from "typescript";

/** A program of an older version's README. */
export interface OldProgram {
  readonly name: string;
  /** TypeScript, as a user has copied it. */
  readonly code: string;
  /** What it printed with that version; absent if it needs more than the package and its peers. */
  readonly output?: string;
}

/** Reads the programs in a folder: `<name>.ts`, and their output as `<name>.txt`. */
export async function readOldPrograms(folder: string): Promise<OldProgram[]> {
  const files = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const names = files.filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3));
  return await Promise.all(
    names.sort().map(async (name) => {
      const code = await Deno.readTextFile(`${folder}/${name}.ts`);
      if (!files.includes(`${name}.txt`)) return { name, code };
      return { name, code, output: await Deno.readTextFile(`${folder}/${name}.txt`) };
    }),
  );
}

/** The program as JavaScript for Node 20. */
export function toJavaScript({ code }: OldProgram): string {
  const { ESNext: module } = ts.ModuleKind;
  const { ES2022: target } = ts.ScriptTarget;
  return ts.transpileModule(code, { compilerOptions: { module, target } }).outputText;
}

/** Whether Node can run a program with only these packages. */
export function needsOnly({ code }: OldProgram, packages: readonly string[]): boolean {
  const imported = [...code.matchAll(/from "(?!node:)((?:@[^/"]+\/)?[^/"]+)[^"]*"/g)];
  return !code.includes("Deno.") && imported.every(([, name = ""]) => packages.includes(name));
}
