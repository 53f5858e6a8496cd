import type { Page } from "playwright-core";

/** What goes wrong in a page, from when it is watched. */
export interface PageFaults {
  /** Texts that the page wrote with `console.error()`, and those of the browser itself. */
  readonly consoleErrors: readonly string[];
  /** Errors that nothing in the page caught, rejected promises included. */
  readonly pageErrors: readonly Error[];
  /** Requests without a whole answer, an aborted one included: `GET /posts net::ERR_ABORTED`. */
  readonly failedRequests: readonly string[];
}

/** Collects what goes wrong in a page. */
export function watchFaults(page: Page): PageFaults {
  const consoleErrors: string[] = [];
  const pageErrors: Error[] = [];
  const failedRequests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => pageErrors.push(error));
  page.on("requestfailed", (request) => {
    const { pathname, search } = new URL(request.url());
    const reason = request.failure()?.errorText ?? "";
    failedRequests.push(`${request.method()} ${pathname}${search} ${reason}`);
  });
  return { consoleErrors, pageErrors, failedRequests };
}
