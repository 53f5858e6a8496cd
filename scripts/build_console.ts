/**
 * Builds the console of the tool server, and embeds it in the server's sources.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { buildConsole, compress, CONSOLE_MODULE, toModule } from "./console/build_console.ts";

const files = await buildConsole();
await Deno.writeTextFile(`${ROOT}/${CONSOLE_MODULE}`, toModule(files));
for (const file of files) console.log(`${file.path} ${compress(file).length} bytes gzipped`);
