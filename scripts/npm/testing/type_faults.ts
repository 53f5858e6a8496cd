import { createRequire } from "node:module";
import { relative } from "node:path/posix";
import ts from "typescript";

/** TypeScript's module resolution modes; `nodenext` checks the types of our packages too. */
export type Resolution = "nodenext" | "bundler";

/** How files are compiled. */
export interface TypeFaultsOptions {
  readonly resolution: Resolution;
  /** Whether only the ES2022 and DOM libraries are there, and all types are checked. @default {false} */
  readonly plain?: boolean;
  /** Folder of the compiler. @default {the one of this repository} */
  readonly compiler?: string;
}

const OPTIONS = {
  strict: true,
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "ESNext.Disposable"],
  types: [],
  noEmit: true,
  skipDefaultLibCheck: true,
};

const RESOLUTIONS: Readonly<Record<Resolution, object>> = {
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext", skipLibCheck: false },
  bundler: { module: "ESNext", moduleResolution: "Bundler", skipLibCheck: true },
};

const PLAIN = { lib: ["ES2022", "DOM"], skipLibCheck: false };

/** The options of a compilation, as in a `tsconfig.json`. */
export function compilerOptionsFor({ resolution, plain = false }: TypeFaultsOptions): object {
  return { ...OPTIONS, ...RESOLUTIONS[resolution], ...(plain ? PLAIN : {}) };
}

/**
 * Compiles files of a project; returns the errors in them or in our packages, whose types are the
 * only ones that are checked.
 */
export function typeFaults(
  folder: string,
  files: readonly string[],
  options: TypeFaultsOptions,
): string[] {
  const compiler = loadCompiler(options.compiler);
  const json = compilerOptionsFor(options);
  const converted = compiler.convertCompilerOptionsFromJson(json, folder);
  const program = compiler.createProgram({
    rootNames: files.map((file) => `${folder}/${file}`),
    options: converted.options,
    host: hostFor(compiler, converted.options),
  });
  const checked = program.getSourceFiles().filter((file) =>
    !program.isSourceFileDefaultLibrary(file) && isOurs(file.fileName)
  );
  const found = [
    ...converted.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => program.getSyntacticDiagnostics(file)),
    ...checked.flatMap((file) => program.getSemanticDiagnostics(file)),
  ];
  return found.map((fault) => describe(compiler, folder, fault));
}

/** Whether a file is of the project, or of one of our packages. */
export function isOurs(path: string): boolean {
  return !/(^|\/)node_modules\/(?!@trestle\/)/.test(path);
}

function loadCompiler(folder: string | undefined): typeof ts {
  return folder === undefined ? ts : createRequire(import.meta.url)(folder);
}

/** The library files of each compiler, which take longest to parse. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function hostFor(compiler: typeof ts, options: ts.CompilerOptions): ts.CompilerHost {
  const host = compiler.createCompilerHost(options);
  const folder = host.getDefaultLibLocation?.() ?? "";
  const read = host.getSourceFile;
  return {
    ...host,
    getSourceFile(path, ...rest) {
      if (folder === "" || !path.startsWith(folder)) return read(path, ...rest);
      if (!libraries.has(path)) libraries.set(path, read(path, ...rest));
      return libraries.get(path);
    },
  };
}

function describe(
  compiler: typeof ts,
  folder: string,
  { file, start = 0, code, messageText }: ts.Diagnostic,
): string {
  const text = `error TS${code}: ${compiler.flattenDiagnosticMessageText(messageText, "\n")}`;
  if (file === undefined) return text;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${relative(folder, file.fileName)}(${line + 1},${character + 1}): ${text}`;
}
