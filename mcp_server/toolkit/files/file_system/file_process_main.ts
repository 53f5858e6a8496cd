// The program of a process that works on one user's files; see file_process.ts.
import { serveFiles } from "./serve_files.ts";

await serveFiles();
