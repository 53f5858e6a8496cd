import pg from "pg";
import { timeEach } from "./time_each.ts";

/** Sends a query to the PostgreSQL of a URL, on one open connection. */
const [connectionString, query = ""] = Deno.args;

const client = new pg.Client({ connectionString });
await client.connect();
await timeEach(() => client.query(query));
await client.end();
