// The program of a process that holds an SQLite file; see sqlite_session.ts.
import { hostSqlite } from "./sqlite_host.ts";

await hostSqlite();
