import type { ResolverMap } from "@trestle/mirage-graphql";

/** What the editor of resolvers begins with. */
export const RESOLVERS_EXAMPLE =
  `// A module: its default export is the option "resolvers" of the mock.
// mockSchema is Mirage's schema, such as context.mockSchema.books.
export default {
  Query: {
    // books: (parent, args, context) => context.mockSchema.books.all().models,
  },
};
`;

/** A fault of the user's resolvers. */
export interface CodeProblem {
  readonly message: string;
  /** From 1; `undefined` if the browser doesn't say. */
  readonly line: number | undefined;
}

/** The resolvers of a text, or why it has none. */
export type EvaluatedResolvers =
  | { readonly resolvers: ResolverMap<unknown>; readonly url: string }
  | { readonly problem: CodeProblem; readonly isSyntax: boolean };

/** Runs the text of a module here, and returns its default export. */
export async function evaluateResolvers(code: string): Promise<EvaluatedResolvers> {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    const module: unknown = await import(/* @vite-ignore */ url);
    const resolvers = defaultOf(module);
    if (resolvers !== undefined) return { resolvers, url };
    const message = "The module has no default export that is an object";
    return { problem: { message, line: 1 }, isSyntax: false };
  } catch (error) {
    const problem = { message: String(error), line: lineInStack(error, url) };
    return { problem, isSyntax: error instanceof SyntaxError };
  }
}

function defaultOf(module: unknown): ResolverMap<unknown> | undefined {
  if (typeof module !== "object" || module === null || !("default" in module)) return undefined;
  return isResolverMap(module.default) ? module.default : undefined;
}

/** The mock checks types and fields. */
function isResolverMap(value: unknown): value is ResolverMap<unknown> {
  return typeof value === "object" && value !== null;
}

/** The line of a stack that is in the user's module: V8 and Firefox write `url:line:column`. */
export function lineInStack(error: unknown, url: string): number | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  const start = stack.indexOf(`${url}:`);
  const line = start < 0 ? NaN : Number.parseInt(stack.slice(start + url.length + 1), 10);
  return Number.isNaN(line) ? undefined : line;
}

/**
 * The line on which a module can't be parsed: only the event of a window says that. The module must
 * have such a fault, so that nothing of it runs.
 */
export function lineOfSyntaxError(code: string): Promise<number | undefined> {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const script = document.createElement("script");
  const onError = (event: ErrorEvent) => {
    if (event.filename !== url) return;
    event.preventDefault();
    end(event.lineno);
  };
  const end = (line: number | undefined) => {
    removeEventListener("error", onError);
    script.remove();
    URL.revokeObjectURL(url);
    resolve(line);
  };
  addEventListener("error", onError);
  script.type = "module";
  script.onload = script.onerror = () => end(undefined);
  script.src = url;
  document.head.append(script);
  return promise;
}
