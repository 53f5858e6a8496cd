import * as z from "zod";

/** The name of an account, without anything that a shell or a program would interpret. */
const USER_NAME = /^\w[\w.@+-]{0,63}\$?$/;

/**
 * What `parseHostName()` accepts, for the JSON Schema of a tool: it matches no option, user name
 * or shell syntax either. It also matches texts that only look like a host, such as `:::`.
 */
const HOST_NAME = /^(\w([\w.-]*\w)?\.?|\[?[\da-fA-F]*(:[\da-fA-F.]*){2,}\]?)(:[1-9]\d{0,4})?$/;

/** A host as a call may write it; one that is still invalid fails by itself, not the call. */
export function hostText(): z.ZodString {
  return z.string().regex(HOST_NAME, {
    error: "must be a name, an address, or one of them with a port, such as [::1]:22",
  });
}

/** The name of an account on a host. */
export function userText(): z.ZodString {
  return z.string().regex(USER_NAME, { error: "must be the name of a user" });
}

/** Whether a text can be the name of an account, without anything that a shell would interpret. */
export function isUserName(text: string): boolean {
  return USER_NAME.test(text);
}

/** An object without its keys, because they are the same as in `exec-command`. */
export type AnyObject = z.ZodObject<Record<never, never>, z.core.$loose>;

/** The shape of {@linkcode HOST_RESULT}. */
export type HostShape = {
  host: z.ZodString;
  username: z.ZodString;
  results: z.ZodArray<AnyObject>;
  leftOut: z.ZodOptional<z.ZodInt>;
  error: z.ZodOptional<AnyObject>;
};

/** The schema of a `HostResult`. */
export const HOST_RESULT: HostShape = {
  host: z.string(),
  username: z.string(),
  results: z.array(z.looseObject({})),
  leftOut: z.int().optional(),
  error: z.looseObject({}).optional(),
};
