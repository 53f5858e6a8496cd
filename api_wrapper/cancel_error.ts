/** Tells a cancellation error of the client, as `axios.isCancel()` does, without importing it. */
export function isCancel(error: unknown): error is Error {
  return !!Object(error).__CANCEL__;
}
