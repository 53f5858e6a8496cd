import axios from "axios";
import { type Problem, toProblem } from "./problem.ts";

/** How long a request that is not a stream may take. */
const TIMEOUT_MS = 20_000;

/** The console's one client: it calls the server that the page comes from. */
export const instance = axios.create({ timeout: TIMEOUT_MS });

let token: string | undefined;

/** Sets the token that every request is sent with; it is kept nowhere else here. */
export function setToken(given: string | undefined): void {
  token = given;
}

/** What a response says about the server and the token. */
export type Answer = "answered" | "away" | "refused";

const listeners = new Set<(answer: Answer) => void>();

/** Reports with every response whether the server is there, and whether it knows the token. */
export function onAnswer(listener: (answer: Answer) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reports what came of a request that was not sent by the client, such as a stream. */
export function report(answer: Answer): void {
  for (const listener of listeners) listener(answer);
}

/** Reports a request that failed. */
export function reportProblem({ isAway, status }: Problem): void {
  report(isAway ? "away" : status === 401 ? "refused" : "answered");
}

/** The header that authorizes a request; none without a token. */
export function authorization(): Readonly<Record<string, string>> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

instance.interceptors.request.use((config) => {
  config.headers.set(authorization());
  return config;
});

instance.interceptors.response.use(
  (response) => {
    report("answered");
    return response;
  },
  async (error: unknown) => {
    if (axios.isCancel(error)) throw error;
    const problem = await toProblem(error);
    reportProblem(problem);
    throw problem;
  },
);
