// The program of a process that opens an SQLite file; see session.ts.
import { runSqliteWorker } from "./worker.ts";

await runSqliteWorker();
