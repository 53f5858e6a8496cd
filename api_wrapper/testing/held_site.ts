/** A site below `/api` whose responses the test sends, in any order. */
export interface HeldSite {
  readonly handle: (request: Request) => Promise<Response> | undefined;
  /** Answers `GET /api/posts/1` once it has arrived. */
  answer(line: string, body: unknown, status?: number): Promise<void>;
  /** Resolves when the client has closed a request's connection. */
  hungUp(line: string): Promise<void>;
  /** Resolves when a request has arrived. */
  arrived(line: string): Promise<void>;
}

interface Exchange {
  readonly arrived: PromiseWithResolvers<void>;
  readonly answer: PromiseWithResolvers<Response>;
  readonly hungUp: PromiseWithResolvers<void>;
}

/** Creates a site on which every request waits. */
export function createHeldSite(): HeldSite {
  const exchanges = new Map<string, Exchange>();
  return {
    handle: (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/api/")) return undefined;
      const { arrived, answer, hungUp } = of(`${request.method} ${pathname}`);
      request.signal.addEventListener("abort", () => {
        hungUp.resolve();
        answer.resolve(new Response(null, { status: 499 }));
      });
      arrived.resolve();
      return answer.promise;
    },
    answer: async (line, body, status = 200) => {
      await of(line).arrived.promise;
      of(line).answer.resolve(Response.json(body, { status }));
    },
    hungUp: (line) => of(line).hungUp.promise,
    arrived: (line) => of(line).arrived.promise,
  };

  function of(line: string): Exchange {
    const known = exchanges.get(line) ?? {
      arrived: Promise.withResolvers<void>(),
      answer: Promise.withResolvers<Response>(),
      hungUp: Promise.withResolvers<void>(),
    };
    exchanges.set(line, known);
    return known;
  }
}
