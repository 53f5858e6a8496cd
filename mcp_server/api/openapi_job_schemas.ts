import { JOB_STATES } from "../tool/job.ts";
import { refTo } from "./openapi_parts.ts";

const STRING = { type: "string" };
const TIME = { type: "string", format: "date-time" };
const OFFSET = { type: "integer", minimum: 0 };

/** The schemas of jobs, for the OpenAPI document. */
export const JOB_SCHEMAS: Readonly<Record<string, object>> = {
  JobState: {
    type: "string",
    enum: JOB_STATES,
    description: "The last four are final",
  },
  OutputRange: {
    type: "object",
    description: "Which bytes of a stream are kept, by offset",
    required: ["start", "end"],
    properties: {
      start: OFFSET,
      end: { ...OFFSET, description: "The length of the stream so far" },
      gap: {
        type: "object",
        description: "The missing bytes between head and tail",
        required: ["from", "to"],
        properties: {
          from: { ...OFFSET, description: "The first byte that is missing" },
          to: { ...OFFSET, description: "The first byte that is there again" },
        },
      },
    },
  },
  Job: {
    type: "object",
    description: "A tool call that continues by itself",
    required: ["id", "tool", "state", "createdAt", "output"],
    properties: {
      id: STRING,
      tool: STRING,
      state: refTo("JobState"),
      caller: { ...STRING, description: "Name of the caller that started it" },
      server: { ...STRING, description: "The server that runs it, if servers share jobs" },
      attempt: {
        type: "integer",
        minimum: 1,
        description: "Which run it is, if servers share jobs",
      },
      createdAt: TIME,
      startedAt: TIME,
      endedAt: TIME,
      expiresAt: { ...TIME, description: "When it is forgotten, once it has ended" },
      outcome: {
        type: "string",
        enum: ["ok", "failed", "timeout", "cancelled", "lost"],
        description: "How it has ended: ok, if all its commands and queries succeeded",
      },
      exitCode: {
        type: "integer",
        description: "Of the first command that failed, or 0; absent if none ran",
      },
      parts: {
        type: "object",
        description: "How many commands and queries it had, if several",
        required: ["total", "failed"],
        properties: { total: OFFSET, failed: OFFSET },
      },
      stdin: { type: "boolean", description: "Whether it takes input" },
      output: {
        type: "object",
        required: ["stdout", "stderr"],
        properties: { stdout: refTo("OutputRange"), stderr: refTo("OutputRange") },
      },
      result: {
        type: "object",
        description: "The output of the tool, if it is completed; lists leave it out",
        additionalProperties: true,
      },
      error: {
        type: "object",
        description: "Why it has no result",
        required: ["code", "message"],
        properties: { code: STRING, message: STRING },
      },
    },
  },
  Server: {
    type: "object",
    description: "A server that shares the jobs",
    required: ["name", "labels", "version", "state", "load", "lastHeartbeat"],
    properties: {
      name: STRING,
      labels: { type: "array", items: STRING },
      version: STRING,
      state: {
        ...STRING,
        enum: ["ready", "draining"],
        description: "draining: it is to stop, and takes no more jobs",
      },
      load: {
        type: "object",
        description: "Commands that run there, and what waits for a permit there",
        required: ["runs", "queue"],
        properties: { runs: OFFSET, queue: OFFSET },
      },
      lastHeartbeat: TIME,
    },
  },
  JobPage: {
    type: "object",
    required: ["jobs"],
    properties: {
      jobs: { type: "array", items: refTo("Job") },
      nextCursor: { ...STRING, description: "Leads to the next page" },
    },
  },
};
