/** A callers file that can't be used; its message repeats no secret of the file. */
export class CallersFileError extends Error {
  /** Name of the error class. */
  override readonly name: string = "CallersFileError";
  /** The end of a sentence that begins with the file. */
  readonly reason: string;

  /** Takes the end of a sentence, such as `it is not JSON`. */
  constructor(reason: string, options?: ErrorOptions) {
    super(`Cannot use the callers file: ${reason}`, options);
    this.reason = reason;
  }
}

/** Creates the error from the end of its sentence. */
export function unusable(reason: string, cause?: unknown): CallersFileError {
  return new CallersFileError(reason, cause === undefined ? undefined : { cause });
}
