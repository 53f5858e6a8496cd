/** Tells whether a promise resolves within a time; it goes on in any case. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
