import { json, refTo } from "./openapi_parts.ts";
import { type ProblemCode, problemResponses } from "./openapi_problems.ts";

const STRING = { type: "string" };

function header(description: string): object {
  return { description, schema: STRING };
}

function parameter(name: string, place: "query" | "header", description: string): object {
  return { name, in: place, description, schema: STRING };
}

/** The headers by which a call becomes a job. */
export const ASYNC_PARAMETERS: readonly object[] = [
  parameter("Prefer", "header", "respond-async, or respond-async, wait=N for up to 60 s first"),
  {
    ...parameter("Idempotency-Key", "header", "The same key and body start one job only"),
    schema: { ...STRING, minLength: 1, maxLength: 255 },
  },
];

/** The response to a call that continues as a job. */
export function asyncResponse(): object {
  return {
    description: "The call continues as a job; its end is a 200 or its problem if it came in time",
    headers: {
      "Location": header("The path of the job"),
      "Preference-Applied": header("The preferences that the server applied"),
      "Retry-After": header("When to ask again, in seconds"),
    },
    content: json(refTo("Job")),
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly responses: Readonly<Record<number, object>>;
  /** Its codes besides those of any request, and of any request for jobs. */
  readonly codes: readonly ProblemCode[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
}

function operation({ codes, responses, ...rest }: Operation): object {
  const problems = problemResponses(["INSUFFICIENT_SCOPE", "JOBS_UNAVAILABLE", ...codes]);
  return { ...rest, tags: ["jobs"], responses: { ...responses, ...problems } };
}

const ID = { name: "id", in: "path", required: true, description: "Of the job", schema: STRING };
const JOB = { description: "The job", content: json(refTo("Job")) };
const BYTES = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
const SECONDS = { type: "number", description: "In seconds; clamped to 0 to 60", default: 0 };

function outputOperation(stream: "stdout" | "stderr"): object {
  return operation({
    operationId: stream === "stdout" ? "readJobStdout" : "readJobStderr",
    summary: `Reads the bytes of ${stream}`,
    description: "Sends what is kept, or one range of it that does not cross the gap.",
    parameters: [parameter("Range", "header", "bytes=first-last, bytes=first- or bytes=-length")],
    responses: {
      200: {
        description: "The bytes that are kept: head and tail if there is a gap",
        headers: {
          "Trestle-Gap": header("from-to: the first missing byte, and the next kept one"),
        },
        content: BYTES,
      },
      206: {
        description: "The range, up to the gap at most",
        headers: { "Content-Range": header("The total is * while the job runs") },
        content: BYTES,
      },
    },
    codes: ["JOB_NOT_FOUND", "BAD_OFFSET"],
  });
}

/** The paths of jobs. */
export const JOB_PATHS: Readonly<Record<string, object>> = {
  "/api/jobs": {
    get: operation({
      operationId: "listJobs",
      summary: "Lists the caller's jobs",
      description: "Lists jobs without their results, newest first.",
      parameters: [
        { ...parameter("state", "query", "Only jobs in this state"), schema: refTo("JobState") },
        parameter("tool", "query", "Only jobs of this tool"),
        {
          ...parameter("limit", "query", "How many, clamped to 1 to 1000"),
          schema: { type: "integer", default: 100 },
        },
        parameter("cursor", "query", "nextCursor of the page before"),
      ],
      responses: { 200: { description: "A page of jobs", content: json(refTo("JobPage")) } },
      codes: ["INVALID_ARGUMENTS", "BAD_CURSOR"],
    }),
  },
  "/api/servers": {
    get: operation({
      operationId: "listServers",
      summary: "Lists the servers that share the jobs",
      description: "Lists the servers that are alive; this one only if it keeps its jobs itself.",
      responses: {
        200: {
          description: "The servers, by name",
          content: json({
            type: "object",
            required: ["servers"],
            properties: { servers: { type: "array", items: refTo("Server") } },
          }),
        },
      },
      codes: [],
    }),
  },
  "/api/jobs/{id}": {
    parameters: [ID],
    get: operation({
      operationId: "getJob",
      summary: "Returns one job",
      description: "With wait, answers at the next change of state or at the time. With " +
        "If-None-Match, that is a change from the state of that job.",
      parameters: [
        { name: "wait", in: "query", description: "How long to wait", schema: SECONDS },
        parameter("If-None-Match", "header", "ETag of the job that the client has"),
      ],
      responses: {
        200: { ...JOB, headers: { ETag: header("Changes with the job") } },
        304: { description: "The job is as the client has it" },
      },
      codes: ["JOB_NOT_FOUND", "INVALID_ARGUMENTS", "BUSY"],
    }),
    delete: operation({
      operationId: "deleteJob",
      summary: "Forgets a job",
      description: "Removes a job that has ended, with its output.",
      responses: { 204: { description: "The job is gone" } },
      codes: ["JOB_NOT_FOUND", "JOB_NOT_ENDED", "STORAGE_FULL"],
    }),
  },
  "/api/jobs/{id}/stdout": { parameters: [ID], get: outputOperation("stdout") },
  "/api/jobs/{id}/stderr": { parameters: [ID], get: outputOperation("stderr") },
  "/api/jobs/{id}/events": {
    parameters: [ID],
    get: operation({
      operationId: "watchJob",
      summary: "Streams everything that happens to a job",
      description: "Sends stdout, stderr, gap, progress and state events from the start, or from " +
        "after Last-Event-ID, then one result or error.",
      parameters: [parameter("Last-Event-ID", "header", "id of the last event that was seen")],
      responses: {
        200: {
          description: "Server-sent events",
          content: { "text/event-stream": { schema: STRING } },
        },
        204: { description: "Nothing follows this event" },
      },
      codes: ["JOB_NOT_FOUND", "BAD_CURSOR", "BUSY"],
    }),
  },
  "/api/jobs/{id}/cancel": {
    parameters: [ID],
    post: operation({
      operationId: "cancelJob",
      summary: "Stops a job",
      description: "Stops a job with all its processes; one that has ended stays as it is.",
      responses: { 202: JOB },
      codes: ["JOB_NOT_FOUND", "STORAGE_FULL"],
    }),
  },
  "/api/jobs/{id}/stdin": {
    parameters: [ID],
    post: operation({
      operationId: "writeJobInput",
      summary: "Writes to the input of a job",
      description: "The first command of a job that was started with stdin: true reads it.",
      parameters: [{
        name: "end",
        in: "query",
        description: "Whether the input ends after the body",
        schema: { type: "boolean", default: false },
      }],
      requestBody: { content: BYTES },
      responses: { 204: { description: "The bytes are accepted" } },
      codes: [
        "BODY_UNREADABLE",
        "JOB_NOT_FOUND",
        "JOB_NOT_RUNNING",
        "JOB_WITHOUT_STDIN",
        "STDIN_CLOSED",
        "BODY_TOO_LARGE",
        "INVALID_ARGUMENTS",
        "BUSY",
        "STORAGE_FULL",
      ],
    }),
  },
};
