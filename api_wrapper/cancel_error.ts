/**
 * Whether an error is a cancellation by the client, as `axios.isCancel()` reports, without
 * importing axios.
 */
export function isCancel(error: unknown): error is Error {
  return !!Object(error).__CANCEL__;
}
