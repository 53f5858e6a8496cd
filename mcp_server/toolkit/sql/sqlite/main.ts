// The program of a process that holds an SQLite file; see session.ts.
import { runSqliteWorker } from "./worker.ts";

await runSqliteWorker();
