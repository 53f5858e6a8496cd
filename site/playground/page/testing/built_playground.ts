import { installPackages } from "../../../../scripts/example/example_app.ts";
import { launchChromium } from "../../../../test_support/browser/launch_chromium.ts";
import { serveFolder } from "../../../../test_support/browser/serve_page.ts";
import { ROOT } from "../../../../test_support/root.ts";
import { createTempFolder } from "../../../../test_support/temp_folder.ts";
import { PlaygroundTab } from "./playground_tab.ts";

const FOLDER = `${ROOT}/site/playground`;

/** The playground as it is published, in Chromium. */
export interface BuiltPlayground extends AsyncDisposable {
  /** Opens it in a window of its own. */
  open(options?: OpenOptions): Promise<PlaygroundTab>;
  /** Serves the files of another page, and opens it. */
  openOther(folder: string): Promise<PlaygroundTab>;
}

/** The window in which the page is opened. */
export interface OpenOptions {
  /** Its width. @default {1280} */
  readonly width?: number;
  /** @default {"light"} */
  readonly colorScheme?: "light" | "dark";
  /** The fragment of the address. @default {""} */
  readonly fragment?: string;
}

/** Installs what the page is built with, builds it, and starts a browser. */
export async function buildPlayground(): Promise<BuiltPlayground> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  await installPackages(FOLDER);
  await runIn(FOLDER, `${FOLDER}/node_modules/.bin/vite`, [
    ...["build", "--outDir", path, "--emptyOutDir", "--logLevel", "warn"],
  ]);
  const site = stack.use(serveFolder(path));
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const parts = stack.move();
  return {
    async open({ width = 1280, colorScheme = "light", fragment = "" } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: width < 600 ? 740 : 860 },
        colorScheme,
        acceptDownloads: true,
        permissions: ["clipboard-write"],
      });
      return await PlaygroundTab.open(context, `${site.url}/#${fragment}`);
    },
    async openOther(folder) {
      const other = parts.use(serveFolder(folder));
      return await PlaygroundTab.open(await browser.newContext(), other.url);
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Runs a program; rejects with what it printed if it fails. */
export async function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const command = new Deno.Command(program, { args: [...args], cwd, env, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  if (success) return;
  const decoder = new TextDecoder();
  throw new Error(`Cannot run "${program}": ${decoder.decode(stdout)}${decoder.decode(stderr)}`);
}
