import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { bundle } from "../../test_support/browser/bundle.ts";
import { ROOT } from "../../test_support/root.ts";

/**
 * Path of the module that embeds the console in the server, from the root. It is JavaScript, because
 * a compiled program contains a TypeScript module twice: as it is, and as JavaScript.
 */
export const CONSOLE_MODULE = "mcp_server/api/console_files.js";

/** A file of the console, as the server sends it. */
export interface BuiltFile {
  /** The path of its URL. */
  readonly path: string;
  readonly text: string;
}

const STYLES = ["base", "layout", "pages", "forms", "results", "lists", "terminal"];

/** Builds the files of the console from its sources. */
export async function buildConsole(): Promise<readonly BuiltFile[]> {
  const read = (name: string) => Deno.readTextFile(`${ROOT}/console/${name}`);
  const styles = await Promise.all(STYLES.map((name) => read(`styles/${name}.css`)));
  const script = (file: string) =>
    bundle(new URL(`../../console/${file}`, import.meta.url), { minify: true });
  const [main, terminal] = await Promise.all([script("main.ts"), script("terminal/screen.ts")]);
  return [
    { path: "/", text: await read("index.html") },
    { path: "/console/main.js", text: main },
    { path: "/console/terminal.js", text: terminal },
    { path: "/console/style.css", text: styles.join("\n") },
    { path: "/console/icon.svg", text: await read("icon.svg") },
  ];
}

/** Compresses a file; the same text is the same bytes. */
export function compress({ text }: BuiltFile): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text, { level: 9 }));
}

const HEADER = `// Generated from the folder console by \`deno task build:console\`.
// deno-fmt-ignore-file -- the lines are parts of compressed files

/** The files of the console, by the paths of their URLs. */
export const CONSOLE_FILES = {
`;
const LINE = /.{1,120}/g;

/** The text of a module that exports the files. */
export function toModule(files: readonly BuiltFile[]): string {
  const entries = files.map((file) => {
    const etag = createHash("sha256").update(file.text).digest("base64url").slice(0, 16);
    const lines = compress(file).toBase64().match(LINE) ?? [];
    return `  "${file.path}": { etag: "${etag}", gzip: \`\n${lines.join("\n")}\n\` },\n`;
  });
  return `${HEADER}${entries.join("")}};\n`;
}

/** Reads the files out of the text of such a module. */
export function filesOf(module: string): readonly BuiltFile[] {
  const entries = module.matchAll(/^ {2}"(.*?)": \{ etag: ".*?", gzip: `([^`]*)` \},$/gm);
  return Array.from(entries, ([, path = "", gzip = ""]) => {
    return { path, text: gunzipSync(Uint8Array.fromBase64(gzip)).toString() };
  });
}
