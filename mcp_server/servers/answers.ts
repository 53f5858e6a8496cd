import * as z from "zod";
import { SCOPES } from "../access/caller.ts";
import type { KeptFigures, KeptRange, ToolTally } from "../calls/call_history.ts";
import {
  type Approval,
  DECISIONS,
  type LiveCall,
  type OnServer,
  type ServerHealth,
} from "../tool/fleet_desk.ts";

// What servers ask and answer. One of another version may say more than is known here.

/** Who is behind a question: each server looks up the rights that the name has there. */
export const ByAsker = z.looseObject({
  by: z.object({ name: z.string(), scopes: z.array(z.string()).optional() }),
});

/** A change of a call, and from where. */
export const Change = z.looseObject({ id: z.string(), address: z.string().optional() });

/** A decision about a call that waits. */
export const Choice = z.looseObject({ decision: z.enum(DECISIONS) });

const Transport = z.enum(["http", "mcp-http", "mcp-stdio", "embedded", "job"]);

/** A running call. */
export const Call: z.ZodType<LiveCall & OnServer> = z.looseObject({
  server: z.string(),
  id: z.string(),
  tool: z.string(),
  caller: z.string(),
  transport: Transport,
  address: z.string().optional(),
  startedAt: z.string(),
  elapsedMs: z.number(),
  job: z.string().optional(),
  waiting: z.literal("approval").optional(),
  stopping: z.boolean(),
});

/** The running calls of a server. */
export const Calls = z.object({ calls: z.array(Call), more: z.number() });

/** Whether a server has a call, and which scope its stop needs that the asker does not have. */
export const Found = z.object({ has: z.boolean(), needsScope: z.enum(SCOPES).optional() });

/** The call that was stopped, if there still was one. */
export const Stopped = z.object({ call: Call.optional() });

/** How a server is. */
export const Health: z.ZodType<ServerHealth> = z.looseObject({
  server: z.string(),
  version: z.string(),
  state: z.enum(["ready", "draining"]),
  startedAt: z.string(),
  calls: z.number(),
  runs: z.number(),
  queue: z.number(),
  jobs: z.object({ queued: z.number(), running: z.number() }),
  memoryBytes: z.number(),
});

/** The metrics of a server. */
export const Metrics = z.object({ server: z.string(), text: z.string() });

const Counts = z.record(z.string(), z.number());

const Tally: z.ZodType<ToolTally> = z.looseObject({
  tool: z.string(),
  calls: z.number(),
  failures: Counts,
  durations: Counts,
  longest: z.looseObject({
    id: z.string(),
    durationMs: z.number(),
    startedAt: z.string(),
    job: z.string().optional(),
    server: z.string().optional(),
  }),
});

const Range: z.ZodType<KeptRange> = z.looseObject({
  everySeconds: z.number().positive(),
  samples: z.array(z.object({
    at: z.iso.datetime(),
    calls: z.number(),
    failures: z.number(),
    runs: z.number(),
    queue: z.number(),
    memoryBytes: z.number(),
  })).max(1_000),
  tools: z.array(Tally),
});

/** What a server did. */
export const Figures: z.ZodType<OnServer & KeptFigures> = z.object({
  server: z.string(),
  hour: Range,
  day: Range,
});

/** A call that waits for approval. */
const Waiting: z.ZodType<Approval> = z.looseObject({
  id: z.string(),
  tool: z.string(),
  caller: z.string(),
  transport: Transport,
  address: z.string().optional(),
  call: z.string().optional(),
  job: z.string().optional(),
  arguments: z.object({ text: z.string(), length: z.number(), truncated: z.boolean() }),
  stdin: z.literal(true).optional(),
  inClient: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.string(),
});

/** The calls of a server that wait. */
export const AllWaiting: z.ZodType<(Approval & OnServer)[]> = z.array(
  z.intersection(Waiting, z.looseObject({ server: z.string() })),
);

/** What became of a decision. */
export const Verdict = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), approval: Waiting }),
  z.object({
    ok: z.literal(false),
    code: z.enum(["APPROVAL_NOT_FOUND", "NOT_ALLOWED"]),
    reason: z.string(),
  }),
]);
