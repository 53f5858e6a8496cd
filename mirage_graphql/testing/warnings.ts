/** What a function returned, and what it passed to `console.warn`. */
export interface Warned<T> {
  readonly value: T;
  /** One text for each call. */
  readonly warnings: readonly string[];
}

/** Runs a function that may wait, and collects its calls of `console.warn`. */
export async function withAsyncWarnings<T>(act: () => Promise<T>): Promise<Warned<T>> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (...texts: unknown[]) => void warnings.push(texts.join(" "));
  try {
    return { value: await act(), warnings };
  } finally {
    console.warn = warn;
  }
}

/** Runs a synchronous function, and collects its calls of `console.warn`. */
export function withWarnings<T>(act: () => T): Warned<T> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (...texts: unknown[]) => void warnings.push(texts.join(" "));
  try {
    return { value: act(), warnings };
  } finally {
    console.warn = warn;
  }
}
