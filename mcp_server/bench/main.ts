import { printTable, type Row } from "../../test_support/bench/table.ts";
import { benchCallCost } from "./call_cost.ts";
import { benchCommand } from "./command.ts";
import { benchEcho } from "./echo.ts";
import { benchFleet } from "./fleet.ts";
import { benchFullFleet } from "./full_fleet.ts";
import { benchJobs } from "./jobs.ts";
import { benchManyServers } from "./many_servers.ts";
import { benchOAuth } from "./oauth.ts";
import { benchRunAs } from "./run_as.ts";
import { benchSecrets } from "./secrets.ts";
import { benchSql } from "./sql.ts";
import { benchSsh } from "./ssh.ts";
import { benchStart } from "./start.ts";
import { benchStartParts } from "./start_parts.ts";

const rows: Row[] = [
  ...await benchEcho(),
  ...await benchCallCost(),
  ...await benchOAuth(),
  ...await benchCommand(),
  ...await benchSecrets(),
  ...await benchRunAs(),
  ...await benchSql(),
  ...await benchSsh(),
  ...await benchJobs(),
  ...await benchFleet(),
  ...await benchFullFleet(),
  ...await benchManyServers(),
  ...await benchStart(),
  ...await benchStartParts(),
];

printTable(rows);
