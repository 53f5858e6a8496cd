// The program of a process that holds an SQLite file; see session.ts.
import { hostSqlite } from "./worker.ts";

await hostSqlite();
