import type { Route } from "../http/http_server.ts";
import { sendJobEvents } from "./job_event_stream.ts";
import { type JobHandler, type JobRouteParts, toHandler } from "./job_handler.ts";
import { cancelJob, deleteJob, getJob, listJobs, writeJobInput } from "./job_resource.ts";
import { sendJobOutput } from "./job_output.ts";

/** Every path below `/api/jobs`. */
export function createJobRoutes(parts: JobRouteParts): [path: string, route: Route][] {
  const route = (handlers: Readonly<Record<string, JobHandler>>): Route => ({
    methods: Object.fromEntries(
      Object.entries(handlers).map(([method, handler]) => [method, toHandler(handler, parts)]),
    ),
  });
  return [
    ["/api/jobs", route({ GET: listJobs })],
    ["/api/jobs/{id}", route({ GET: getJob, DELETE: deleteJob })],
    ["/api/jobs/{id}/stdout", route({ GET: sendJobOutput("stdout") })],
    ["/api/jobs/{id}/stderr", route({ GET: sendJobOutput("stderr") })],
    ["/api/jobs/{id}/events", route({ GET: sendJobEvents })],
    ["/api/jobs/{id}/cancel", route({ POST: cancelJob })],
    ["/api/jobs/{id}/stdin", route({ POST: writeJobInput })],
  ];
}
