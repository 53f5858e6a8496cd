import { api } from "@trestle/api-wrapper";
import type {
  Job,
  JobPage,
  JobQuery,
  JobState,
  JsonObject,
  OutputGap,
  OutputStream,
} from "@trestle/mcp-server";
import { instance } from "./instance.ts";
import { openStream } from "./open_stream.ts";

/** Which jobs are listed. */
export interface JobFilter {
  readonly state?: JobState | "";
  /** How they have ended. */
  readonly outcome?: NonNullable<JobQuery["outcome"]>;
  readonly tool?: string;
  /** What their titles contain, or their ids begin with. */
  readonly search?: string;
  readonly cursor?: string;
  /** How many. @default {50} */
  readonly limit?: number;
}

/** A piece of a stream, or bytes of it that are not kept. */
export interface OutputPart {
  readonly stream: OutputStream;
  readonly offset?: number;
  /** When it was written (ISO 8601). */
  readonly at?: string;
  readonly text?: string | undefined;
  readonly gap?: OutputGap;
}

/** What a person says to a question. */
export type Reply =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" };

/** A part of both streams, and where it begins. */
interface OutputPage {
  readonly parts: OutputPart[];
  readonly start: string;
}

const PAGE = 50;

const http = api("/api/jobs", instance);
const jobHttp = (id: string, action: string) => api(`/api/jobs/${id}/${action}`, instance);

/** The jobs of the caller. */
export const jobs = {
  list: (filter: JobFilter) => http.get<JobPage>("", { params: { limit: PAGE, ...filter } }),
  get: (id: string) => http.get<Job>(id),
  cancel: (id: string) => jobHttp(id, "cancel").post<Job>(),
  forget: (id: string) => http.delete(id),
  /** Writes to the input of a job, and closes it after that if `end` is `true`. */
  write: (id: string, text: string, end: boolean) =>
    jobHttp(id, "stdin").post(new Blob([text], { type: "application/octet-stream" }), {
      params: end ? { end: true } : {},
    }),
  /** Answers questions of a job, by their keys. */
  answer: (id: string, replies: Readonly<Record<string, Reply>>) =>
    jobHttp(id, "answer").post(replies),
  /** Both streams as they were written, before a place; the end without one. */
  output: (id: string, part: { readonly before?: string | undefined; readonly limit: number }) =>
    http.get<OutputPage>(`${id}/output`, { params: part }),
  /** Everything that happens to a job after a position. */
  events: (id: string, lastEventId: string, signal: AbortSignal) =>
    openStream(`/api/jobs/${encodeURIComponent(id)}/events`, {
      headers: lastEventId === "" ? {} : { "Last-Event-ID": lastEventId },
      signal,
    }),
  /** Bytes of a stream, from one offset up to another. */
  bytes: (id: string, stream: OutputStream, from: number, to: number) =>
    http.get<ArrayBuffer>(`${id}/${stream}`, {
      responseType: "arraybuffer",
      headers: { Range: `bytes=${from}-${to - 1}` },
    }),
  /** All that is kept of a stream. */
  file: (id: string, stream: OutputStream) =>
    http.get<Blob>(`${id}/${stream}`, { responseType: "blob", timeout: 0 }),
};
