import type { Meter } from "../tool/telemetry.ts";
import { rejectOthers } from "./admin_guard.ts";
import type { Handler, Route } from "../http/http_server.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";

/** The route of the metrics for a caller that is an admin. */
export function createMetricsRoute(meter: Meter, guard: ScopeGuard): Route {
  const render = createRenderer(meter);
  const answer: Handler = (request, sender) =>
    rejectOthers(sender, "read metrics", guard) ?? render(request, sender);
  return { methods: { GET: answer } };
}

/** The routes of a port of its own, on which nobody needs a token. */
export function createMetricsRoutes(meter: Meter): ReadonlyMap<string, Route> {
  return new Map([["/metrics", { methods: { GET: createRenderer(meter) }, open: true }]]);
}

function createRenderer(meter: Meter): Handler {
  return async () => {
    const { contentType, text } = await meter.render();
    return new Response(text, { headers: { "content-type": contentType } });
  };
}
