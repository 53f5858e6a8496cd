import * as z from "zod";
import { HOST_NAME, USER_NAME } from "./host_name.ts";

/** A host as a call may write it; one that is none all the same fails by itself, not the call. */
export function hostText(): z.ZodString {
  return z.string().regex(HOST_NAME, {
    error: "must be a name, an address, or one of them with a port, such as [::1]:22",
  });
}

/** The name of an account on a host. */
export function userText(): z.ZodString {
  return z.string().regex(USER_NAME, { error: "must be the name of a user" });
}

/** An object whose keys are not told: that of `exec-command` is the same, and brevity counts. */
export type AnyObject = z.ZodObject<Record<never, never>, z.core.$loose>;

/** The shape of {@linkcode HOST_RESULT}. */
export type HostShape = {
  host: z.ZodString;
  username: z.ZodString;
  results: z.ZodArray<AnyObject>;
  error: z.ZodOptional<AnyObject>;
};

/** The schema of a `HostResult`. */
export const HOST_RESULT: HostShape = {
  host: z.string(),
  username: z.string(),
  results: z.array(z.looseObject({})),
  error: z.looseObject({}).optional(),
};
